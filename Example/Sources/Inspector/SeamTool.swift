import ArgumentParser
import Console

/// Inspects store files and local clouds.
@main
struct SeamTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seam3",
        abstract: "Inspect a store's file or a local cloud.",
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
