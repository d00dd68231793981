import Foundation

/// Generates the file of one target, according to a command's arguments:
///
///     --module NAME --output FILE [--define FLAG]… [--model PATH]… [SOURCE]…
///     --compile MODEL --output FILE
public struct GeneratorCommand {
    private var module = ""
    private var compiledModel: String?
    private var output = ""
    private var flags: Set<String> = []
    private var models: [String] = []
    private var sources: [String] = []

    /// Parses the arguments after the command's name.
    ///
    /// - Throws: An error with a description, for an unknown option or one without a value.
    public init(arguments: some Sequence<String>) throws {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            guard argument.hasPrefix("--") else {
                sources.append(argument)
                continue
            }
            guard let value = rest.next() else { throw Self.failure("'\(argument)' needs a value") }
            switch argument {
            case "--module": module = value
            case "--output": output = value
            case "--compile": compiledModel = value
            case "--define": flags.insert(value)
            case "--model": models.append(value)
            default: throw Self.failure("there is no option '\(argument)'")
            }
        }
    }

    /// Reads the sources and models and writes the file, unless it already exists with the same
    /// contents: leaving a file untouched avoids compiling the target again.
    ///
    /// - Throws: An error with a description in the compiler's format, one line for each problem.
    public func run() throws {
        if let compiledModel {
            return try CompiledModel(source: compiledModel).write(to: output)
        }
        let generator = TargetGenerator(
            module: module, sources: try sources.map { ($0, try Self.contents(of: $0)) },
            models: try models.map { try ModelFile(path: $0) }, flags: flags)
        let generated = try generator.generate()
        for warning in generated.warnings {
            FileHandle.standardError.write(Data("\(warning)\n".utf8))
        }
        let text = Array(generated.text.utf8)
        if FileManager.default.contents(atPath: output).map(Array.init) == text { return }
        try Data(text).write(to: URL(fileURLWithPath: output), options: .atomic)
    }

    private static func contents(of path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Diagnostic(file: path, line: nil, message: "the file cannot be read")
        }
        return Array(data)
    }

    private static func failure(_ message: String) -> Diagnostic {
        Diagnostic(file: "ManagedObjectClasses", line: nil, message: message)
    }
}
