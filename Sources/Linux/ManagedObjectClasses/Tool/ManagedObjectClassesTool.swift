import Foundation
import ManagedObjectClassGenerator

/// The command that the plugin runs before a target is compiled.
@main
enum ManagedObjectClassesTool {
    static func main() {
        do {
            try GeneratorCommand(arguments: CommandLine.arguments.dropFirst()).run()
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
