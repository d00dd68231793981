import ArgumentParser
import CloudServer
import Crypto
import Foundation

struct AddApp: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let an app use a container, and print its API token.")

    @OptionGroup var folder: Folder
    @OptionGroup var place: Place

    @Option(help: "Where a user is sent after signing in, with the web-auth token in the query.")
    var callback: String?

    @Option(
        name: .customLong("origin"),
        help: "An origin of the app's pages, such as https://app.example.org.")
    var origins: [String] = []

    func validate() throws {
        for address in origins + (callback.map { [$0] } ?? []) {
            let url = URL(string: address)
            guard let host = url?.host, url?.scheme == "https" || Loopback.isName(host) else {
                throw ValidationError("\"\(address)\" is not an address with https.")
            }
        }
    }

    func run() throws {
        let app = ServerSettings.App(
            container: place.container, environment: place.environment.rawValue,
            callback: callback, origins: origins.isEmpty ? nil : origins)
        try folder.change { $0.apiTokens.append(app) }
        print(app.token)
    }
}

struct AddUser: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let a user sign in, and print the code for it, or a new code.")

    @OptionGroup var folder: Folder

    @Argument(help: "The user's name.")
    var name: String

    func run() throws {
        let (user, code) = ServerSettings.User.make(name)
        try folder.change { settings in
            settings.users.removeAll { $0.name == name }
            settings.users.append(user)
        }
        print(code)
    }
}

struct AddKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let a server use the public database of a container with a key.",
        discussion: """
            Make the key with: openssl ecparam -name prime256v1 -genkey -noout -out private.pem; \
            openssl ec -in private.pem -pubout -out public.pem
            """)

    @OptionGroup var folder: Folder
    @OptionGroup var place: Place

    @Argument(help: "The file with the public key, as PEM.", completion: .file())
    var publicKey: String

    func run() throws {
        let pem = try String(contentsOfFile: publicKey, encoding: .utf8)
        do {
            _ = try P256.Signing.PublicKey(pemRepresentation: pem)
        } catch {
            throw ValidationError("\(publicKey) holds no public key of P-256.")
        }
        let key = ServerSettings.Key(
            id: ServerSettings.randomText(), container: place.container,
            environment: place.environment.rawValue, publicKey: pem)
        try folder.change { $0.keys.append(key) }
        print(key.id)
    }
}

struct Administrator: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "administrator-token",
        abstract: "Print the token that opens the console from other machines.")

    @OptionGroup var folder: Folder

    @Flag(help: "Make a new token: the old one, and who signed in with it, is good no longer.")
    var new = false

    func run() throws {
        if new {
            try folder.change { $0.administratorToken = ServerSettings.randomText() }
        }
        print(try folder.settings().administratorToken)
    }
}
