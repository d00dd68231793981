import ArgumentParser
import CloudServer
import Foundation

@main
struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seam3-server",
        abstract: "A CloudKit server of one's own, on a LocalCloud.",
        subcommands: [
            Serve.self, AddApp.self, AddUser.self, AddKey.self, Administrator.self,
        ],
        defaultSubcommand: Serve.self)
}

/// The folder with the cloud and the settings.
struct Folder: ParsableArguments {
    @Option(help: "The folder with the cloud and the settings.", completion: .directory)
    var folder =
        (ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? NSHomeDirectory() + "/.local/share")
        + "/seam/server"

    var url: URL { URL(fileURLWithPath: folder, isDirectory: true) }

    /// The settings. A new folder gets some, with the app of the example.
    func settings() throws -> ServerSettings {
        if let settings = try ServerSettings.read(from: url) { return settings }
        var settings = ServerSettings()
        settings.apiTokens = [
            .init(token: "world-clock", container: "iCloud.org.example.WorldClock")
        ]
        try settings.write(to: url)
        return settings
    }

    /// Changes the settings.
    func change(_ body: (inout ServerSettings) throws -> Void) throws {
        var settings = try settings()
        try body(&settings)
        try settings.write(to: url)
        print("The server reads this when it starts.")
    }
}

/// An environment of a container.
struct Place: ParsableArguments {
    enum Environment: String, ExpressibleByArgument, CaseIterable {
        case development, production
    }

    @Option(help: "The container's identifier.")
    var container: String

    @Option(help: "The container's environment.")
    var environment = Environment.development
}
