import ArgumentParser
import CloudKitWebServices
import CloudServer
import Foundation
import Logging

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the server. The default.",
        discussion: """
            At the loopback address whoever has the address that is printed may sign in with any name \
            and use the console. At any other address users need codes and the console the \
            administrator's token.
            """)

    @OptionGroup var folder: Folder

    @Option(help: "The address to listen at.")
    var host = "127.0.0.1"

    @Option(help: "The port.")
    var port = 8080

    @Option(help: "The address under which clients reach the server, if that is another one.")
    var url: String?

    @Option(help: "The file with the server's certificates, as PEM.", completion: .file())
    var certificates: String?

    @Option(help: "The file with the key of the first certificate, as PEM.", completion: .file())
    var privateKey: String?

    @Flag(
        help: """
            Listen at an address that others reach, without TLS. Everybody on the way can read and \
            use the tokens, unless a proxy with TLS is before the server.
            """)
    var withoutTLS = false

    @Flag(
        help: "Ask users for codes, and for the administrator's token, at the loopback address too."
    )
    var strict = false

    @Option(help: "How many requests a user may make in a minute.")
    var requestsPerMinute = 6_000

    @Option(help: "How many megabytes a user may send and fetch in a minute.")
    var megabytesPerMinute = 600

    @Option(help: "What is logged: debug, info, warning or error.")
    var logLevel = "info"

    private var isLocal: Bool {
        Loopback.isName(host)
            && (url.flatMap { URL(string: $0)?.host }.map(Loopback.isName) ?? true)
    }

    func validate() throws {
        guard (certificates == nil) == (privateKey == nil) else {
            throw ValidationError("Give both --certificates and --private-key.")
        }
        guard (1...65_535).contains(port) else {
            throw ValidationError("\(port) is no port: those are 1 to 65535.")
        }
        guard Loopback.isName(host) || certificates != nil || withoutTLS else {
            throw ValidationError(
                "Others reach \(host). Give --certificates and --private-key, or, if a proxy does"
                    + " that, --without-tls.")
        }
        guard requestsPerMinute > 0, (1...1_000_000).contains(megabytesPerMinute) else {
            throw ValidationError("Users must be allowed something.")
        }
        guard Logger.Level(rawValue: logLevel) != nil else {
            throw ValidationError("There is no log level \"\(logLevel)\".")
        }
    }

    func run() async throws {
        let scheme = certificates == nil ? "http" : "https"
        let name = host.contains(":") ? "[\(host)]" : host
        let text = url ?? "\(scheme)://\(name):\(port)"
        guard let baseURL = URL(string: text), baseURL.host != nil, !text.hasSuffix("/") else {
            throw ValidationError("\"\(text)\" cannot be the server's address.")
        }
        var options = CloudServer.Options(baseURL: baseURL)
        options.opensConsoleOnLoopback = isLocal && !strict
        options.signIn = isLocal && !strict ? .anybody : .usersWithCode
        options.services.allowance = WebServiceAllowance(
            requests: requestsPerMinute, bytes: Int64(megabytesPerMinute) * 1_000_000)
        options.logger.logLevel = Logger.Level(rawValue: logLevel) ?? .info
        let server = try await CloudServer(
            folder: folder.url, settings: try folder.settings(), options: options)
        let files = certificates.flatMap { chain in
            privateKey.map { (URL(fileURLWithPath: chain), URL(fileURLWithPath: $0)) }
        }
        let group = try server.serviceGroup(
            .init(host: host, port: port, certificates: files)
        ) { [folder] in
            if let address = server.openURL {
                print(
                    """
                    The cloud in \(folder.folder) is at

                        \(address.absoluteString)

                    This is the address for the browser, and for clients. Who has it may use the \
                    console, and sign in with any name. Press Control-C to end.
                    """)
            } else {
                print("The cloud in \(folder.folder) is at \(text). Press Control-C to end.")
            }
            fflush(nil)
        }
        try await group.run()
    }
}
