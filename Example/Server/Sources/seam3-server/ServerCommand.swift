import ArgumentParser
import CloudServer
import Foundation
import Hummingbird

@main
struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seam3-server",
        abstract: "A CloudKit server of one's own, on a LocalCloud.",
        subcommands: [Serve.self, AddApp.self, Token.self], defaultSubcommand: Serve.self)
}

struct Folder: ParsableArguments {
    @Option(help: "The folder with the cloud and the settings.")
    var folder = NSHomeDirectory() + "/.local/share/seam/server"

    var url: URL { URL(fileURLWithPath: folder, isDirectory: true) }
}

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Runs the server.")

    @OptionGroup var folder: Folder

    @Option(help: "The address to listen at.")
    var host = "127.0.0.1"

    @Option(help: "The port.")
    var port = 8080

    @Option(help: "The address under which clients reach the server.")
    var url: String?

    @Flag(help: "Listens at an address that others reach, without TLS: put a proxy before it.")
    var allowOthers = false

    func validate() throws {
        guard allowOthers || ["127.0.0.1", "::1", "localhost"].contains(host) else {
            throw ValidationError("Others reach \(host). Say --allow-others if that is wanted.")
        }
    }

    func run() async throws {
        guard let address = URL(string: url ?? "http://\(host):\(port)") else {
            throw ValidationError("'\(url ?? "")' is no address.")
        }
        let server = try await CloudServer(
            folder: folder.url, settings: ServerSettings(folder: folder.url), baseURL: address)
        print("The cloud in \(folder.folder) is at \(address).")
        try await server.application(host: host, port: port).runService()
    }
}

struct AddApp: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lets an app use a container, and prints its API token.")

    @OptionGroup var folder: Folder

    @Option(help: "The container's identifier.")
    var container: String

    @Option(help: "development or production.")
    var environment = "development"

    func run() throws {
        var settings = try ServerSettings(folder: folder.url)
        let token = UUID().uuidString
        settings.apiTokens.append(
            .init(token: token, container: container, environment: environment))
        try settings.write(to: folder.url)
        print(token)
    }
}

struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Signs a user in, and prints the first web-auth token.",
        discussion: "Whoever can read the folder can do so. The token is good for half an hour, and"
            + " each answer of the server brings the next.")

    @OptionGroup var folder: Folder

    @Option(help: "The API token of the app.")
    var apiToken: String

    @Option(help: "The user's name.")
    var user: String

    func run() async throws {
        guard let anywhere = URL(string: "http://127.0.0.1") else { return }
        let server = try await CloudServer(
            folder: folder.url, settings: ServerSettings(folder: folder.url), baseURL: anywhere)
        print(try await server.accounts.makeWebAuthToken(user: user, apiToken: apiToken))
    }
}
