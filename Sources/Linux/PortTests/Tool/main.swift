import Foundation
import SourcePorting

// The command that the plugin runs.
do {
    try PortCommand(arguments: CommandLine.arguments.dropFirst()).run { line in
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
} catch {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(1)
}
