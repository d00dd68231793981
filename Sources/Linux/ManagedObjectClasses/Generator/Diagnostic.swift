/// A problem in a source or model file, with its place. The format is the compiler's, so Xcode,
/// editors and CI systems can show it.
struct Diagnostic: Error, Equatable, CustomStringConvertible {
    /// Whether the problem ends the build.
    enum Severity: String {
        case error, warning
    }

    var severity = Severity.error
    var file: String
    var line: Int?
    var message: String

    var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return "\(place): \(severity): \(message)"
    }
}

/// All problems together, so that one build reports them all.
struct Diagnostics: Error, CustomStringConvertible {
    var all: [Diagnostic]

    var description: String { all.map(\.description).joined(separator: "\n") }
}
