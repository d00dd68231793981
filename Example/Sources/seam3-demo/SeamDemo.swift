import ArgumentParser
import Console

/// A world clock that syncs its clocks between the user's devices.
@main
struct SeamDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seam3-demo",
        abstract: "A world clock on simulated devices that share one local cloud.",
        discussion: """
            Without a command it gives a tour. With the other commands you play two devices by \
            hand, each in a terminal of its own:

              seam3-demo import --device phone --create
              seam3-demo watch --device tablet --create
              seam3-demo add Home --zone Europe/Berlin --device phone
            """,
        subcommands: [
            Tour.self, Import.self, List.self, Add.self, Edit.self, Delete.self, Sync.self,
            Watch.self, Status.self,
        ],
        defaultSubcommand: Tour.self)

    static func main() async {
        await Console.run(Self.self)
    }
}
