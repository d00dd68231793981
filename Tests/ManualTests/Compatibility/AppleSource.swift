import Foundation

/// A source file as compiled on Apple's systems.
struct AppleSource {
    /// The conditions that are true on Linux only.
    static let linuxConditions = [
        "#if os(Linux)", "#if !canImport(ObjectiveC)", "#if canImport(FoundationXML)",
    ]

    /// Its lines, without those that are compiled on Linux only.
    let lines: [Substring]

    init(_ file: URL) throws {
        let all = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        // Whether each condition around a line is true on Apple's systems.
        var conditions: [Bool] = []
        lines = all.filter { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("#if") {
                conditions.append(!Self.linuxConditions.contains(line))
            } else if line.hasPrefix("#else"), let last = conditions.popLast() {
                conditions.append(!last || line != "#else")
            } else if line.hasPrefix("#endif") {
                // In a literal, one may be alone.
                _ = conditions.popLast()
            } else {
                return conditions.allSatisfy { $0 }
            }
            return false
        }
    }

    /// The lines without string literals and comments.
    var code: [String] {
        let literal = /"(\\.|[^"\\])*"/
        let comment = /\/\/.*/
        return lines.map { String($0).replacing(literal, with: "").replacing(comment, with: "") }
    }

    /// The identifiers in the code.
    var words: Set<String> {
        let word = /[A-Za-z_][A-Za-z0-9_]*/
        return Set(code.flatMap { $0.matches(of: word).map { String($0.output) } })
    }
}
