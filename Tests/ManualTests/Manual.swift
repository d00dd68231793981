import Foundation

/// The pages of prose in the package's root.
struct Manual {
    /// A fenced block of Swift.
    struct Sample: CustomStringConvertible {
        /// What follows `swift` after the opening fence: `uikit` or `package` for what the tests
        /// can only parse, else nothing.
        let remark: String
        /// The number of the line of the opening fence.
        let line: Int
        let lines: [String]

        var description: String { "the sample in line \(line)" }

        var text: String { lines.joined(separator: "\n") + "\n" }
    }

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    let text: String

    /// Reads a page, by its path from the package's root.
    init(_ path: String = "README.md") throws {
        text = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    private var lines: [String] { text.components(separatedBy: "\n") }

    /// All blocks of Swift, in the page's order.
    var samples: [Sample] {
        var samples: [Sample] = []
        var open: (remark: String, line: Int, lines: [String])?
        var isInOtherBlock = false
        for (index, line) in lines.enumerated() {
            if let block = open {
                if line == "```" {
                    samples.append(
                        Sample(remark: block.remark, line: block.line, lines: block.lines))
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if isInOtherBlock {
                isInOtherBlock = line != "```"
            } else if line.hasPrefix("```swift") {
                let remark = line.dropFirst("```swift".count)
                open = (remark.trimmingCharacters(in: .whitespaces), index + 1, [])
            } else {
                isInOtherBlock = line.hasPrefix("```")
            }
        }
        return samples
    }

    /// The targets of all links that lead to a file of the package.
    var linkedPaths: [String] {
        text.components(separatedBy: "](").dropFirst()
            .compactMap { $0.components(separatedBy: ")").first }
            .filter { !$0.contains("://") && !$0.hasPrefix("#") }
            .compactMap { $0.components(separatedBy: "#").first }
    }
}

/// The lines of a text that are not empty, with every run of white space as one space.
func normalized(_ lines: [String]) -> [String] {
    lines.map { line in
        line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }.filter { !$0.isEmpty }
}
