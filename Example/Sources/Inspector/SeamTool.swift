import ArgumentParser
import Console

/// Looks at store files and local clouds.
@main
struct SeamTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seam3",
        abstract: "Look at the file of a store, or at a local cloud.",
        discussion: """
            Files are opened for reading only, also while an app uses them. The one exception is \
            adopt without --dry-run.
            """,
        subcommands: [
            Status.self, Check.self, Outbox.self, Records.self, Model.self, Adopt.self,
            Schema.self, SQL.self,
        ])

    static func main() async {
        await Console.run(Self.self)
    }
}
