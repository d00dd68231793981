import ArgumentParser
import Foundation

/// Runs commands and prints every failure as a sentence.
public enum Console {
    /// A failure whose text is shown to the user unchanged; the exit code is 1.
    public struct Failure: Error, CustomStringConvertible {
        /// The text for the user.
        public let description: String

        /// Creates a failure with a text.
        public init(_ description: String) {
            self.description = description
        }
    }

    /// Parses the arguments of the process, and runs the command that they name.
    public static func run(_ root: (some AsyncParsableCommand).Type) async {
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            let word = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
            try checkCommand(word, of: root)
            var command = try root.parseAsRoot(arguments)
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch let error where isFailure(error, of: root) {
                throw Failure(sentence(error))
            }
        } catch {
            root.exit(withError: error)
        }
    }

    /// Refuses a word that is not a command, and lists the commands.
    private static func checkCommand(
        _ word: String?, of root: (some AsyncParsableCommand).Type
    ) throws {
        guard let word, !word.hasPrefix("-"), word != "help" else { return }
        let commands = root.configuration.subcommands.map {
            (
                name: $0.configuration.commandName ?? "\($0)".lowercased(),
                text: $0.configuration.abstract
            )
        }
        guard !commands.contains(where: { $0.name == word }) else { return }
        let question = NearestName.question(word, among: commands.map(\.name))
        let list = TextTable.list(commands).split(separator: "\n").map { "  " + $0 }
        throw ValidationError(
            "There is no command \"\(word)\".\(question)\n\nThe commands are:\n"
                + list.joined(separator: "\n"))
    }

    /// Whether an error is a failure of the command, as opposed to output of the parser, such as
    /// help.
    private static func isFailure(
        _ error: any Error, of root: (some AsyncParsableCommand).Type
    ) -> Bool {
        !(error is ExitCode) && root.exitCode(for: error) == .failure
    }

    /// An error as a sentence.
    public static func sentence(_ error: any Error) -> String {
        let isCocoa = error is any CustomNSError || type(of: error) is NSError.Type
        var text =
            (error as? any LocalizedError)?.errorDescription
            ?? (isCocoa ? error.localizedDescription : "\(error)")
        if !text.hasSuffix("."), !text.hasSuffix("?") { text += "." }
        guard let path = (error as? CocoaError)?.filePath, !text.contains(path) else { return text }
        return "\(text) The file is \(path)."
    }
}
