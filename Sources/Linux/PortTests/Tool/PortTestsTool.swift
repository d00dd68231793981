import Foundation
import SourcePorting

/// The command that the plugin runs.
@main
enum PortTestsTool {
    static func main() {
        do {
            let command = try PortCommand(arguments: CommandLine.arguments.dropFirst())
            try command.run { line in
                FileHandle.standardOutput.write(Data("\(line)\n".utf8))
            }
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }
}
