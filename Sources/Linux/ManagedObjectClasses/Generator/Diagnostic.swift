/// What is wrong with a source or model file, and where; the compiler's form lets Xcode, editors
/// and CI systems point at it.
struct Diagnostic: Error, Equatable, CustomStringConvertible {
    var file: String
    var line: Int?
    var message: String

    var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return "\(place): error: \(message)"
    }
}

/// Everything that is wrong; shown together, so that one build tells it all.
struct Diagnostics: Error, CustomStringConvertible {
    var all: [Diagnostic]

    var description: String { all.map(\.description).joined(separator: "\n") }
}
