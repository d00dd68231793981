import Foundation

/// A code block in the doc comment of a public declaration.
struct DocumentationExample: CustomStringConvertible {
    /// The path of the file, from the package's root.
    let path: String
    /// The number of the block's first line.
    let line: Int
    let lines: [String]
    /// The name of the declaration, without its labels.
    let declaration: String

    var description: String { "\(path):\(line)" }

    /// Whether the block is a shell command instead of Swift.
    var isCommand: Bool { lines[0].hasPrefix("xcrun ") }

    /// Whether the block has declarations that are not allowed in a function.
    var isAtFileScope: Bool {
        lines[0].hasPrefix("extension ") || lines[0].hasPrefix("struct ")
    }

    /// The code blocks in the sources below a folder.
    static func all(in folder: String) throws -> [DocumentationExample] {
        let root = Manual.root.appendingPathComponent(folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        return try names.filter { $0.hasSuffix(".swift") }.sorted().flatMap { name in
            let file = root.appendingPathComponent(name)
            let text = try String(contentsOf: file, encoding: .utf8)
            return examples(in: text, path: "\(folder)/\(name)")
        }
    }

    private static func examples(in text: String, path: String) -> [DocumentationExample] {
        let lines = text.components(separatedBy: "\n")
        var examples: [DocumentationExample] = []
        var start = 0
        while start < lines.count {
            let comment = lines[start...].prefix { content(of: $0) != nil }
            if let declaration = publicName(in: lines[comment.endIndex...]) {
                examples += blocks(in: comment).map { block in
                    DocumentationExample(
                        path: path, line: block.line, lines: block.lines, declaration: declaration)
                }
            }
            start = comment.endIndex + 1
        }
        return examples
    }

    /// The contents of a line of a doc comment; nil for any other line.
    private static func content(of line: String) -> String? {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("///") else { return nil }
        return String(text.dropFirst(text.hasPrefix("/// ") ? 4 : 3))
    }

    /// The name of a declaration, if it is public. Attributes and conditions may precede it.
    private static func publicName(in lines: ArraySlice<String>) -> String? {
        let declaration = lines.first { line in
            let text = line.drop { $0 == " " }
            return text.contains("public ") || !(text.hasPrefix("@") || text.hasPrefix("#"))
        }
        guard let declaration, declaration.contains(#/\b(public|open)\b/#) else { return nil }
        let keywords = #/\b(?:func|var|let|class|struct|enum|protocol) (?!func|var)(\w+)/#
        return declaration.firstMatch(of: keywords).map { String($0.1) }
    }

    /// Blocks are indented by four spaces and follow an empty line; the text of a list's item does not.
    private static func blocks(
        in comment: ArraySlice<String>
    ) -> [(line: Int, lines: [String])] {
        var blocks: [(line: Int, lines: [String])] = []
        var isInBlock = false
        var previous = ""
        for (index, line) in zip(comment.indices, comment) {
            let text = content(of: line) ?? ""
            if text.hasPrefix("    "), isInBlock || previous.isEmpty {
                if !isInBlock { blocks.append((index + 1, [])) }
                isInBlock = true
                blocks[blocks.count - 1].lines.append(String(text.dropFirst(4)))
            } else if isInBlock, text.isEmpty {
                blocks[blocks.count - 1].lines.append("")
            } else {
                isInBlock = false
            }
            previous = text
        }
        return blocks
    }
}
