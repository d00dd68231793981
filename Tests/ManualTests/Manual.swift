import Foundation

/// A page of the manual: the package's README or an article of its documentation.
struct Manual: CustomStringConvertible {
    /// A fenced block of Swift.
    struct Sample: CustomStringConvertible {
        /// How a sample can be checked here.
        enum Kind: Hashable {
            /// It is compiled word for word in this target.
            case compiled
            /// It needs an Apple system, and is only parsed.
            case apple
            /// It is a package manifest, and is only parsed.
            case manifest
        }

        /// The imports of samples for Apple's systems.
        private static let appleImports: Set = [
            "import AppKit", "import BackgroundTasks", "import SwiftUI", "import UIKit",
            "import WatchKit", "import WidgetKit",
        ]

        let page: String
        /// The number of the line of the opening fence.
        let line: Int
        let lines: [String]

        /// Derived from the sample's first lines: one for Apple's systems imports a module that
        /// only they have.
        var kind: Kind {
            let first = lines.first { !$0.isEmpty } ?? ""
            if first.hasPrefix("// swift-tools-version") { return .manifest }
            let imports = lines.drop { $0.isEmpty }.prefix { $0.hasPrefix("import ") }
            return imports.contains(where: Self.appleImports.contains) ? .apple : .compiled
        }

        var description: String { "\(page), line \(line)" }

        var text: String { lines.joined(separator: "\n") + "\n" }
    }

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let catalog = "Sources/Seam3/Seam3.docc"

    /// The paths of all pages whose samples are checked.
    static var paths: [String] {
        let folder = root.appendingPathComponent(catalog)
        let articles = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        let modules = ["Linux/CloudKit", "Linux/LocalCloud", "NestedCloudKitCodable"]
        return ["README.md"] + modules.map { "Sources/\($0)/README.md" }
            + articles.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalog)/\($0)" }
    }

    /// The path from the package's root.
    let path: String
    let text: String

    /// Reads a page at a path from the package's root.
    init(_ path: String = "README.md") throws {
        self.path = path
        text = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    var description: String { path }

    private var lines: [String] { text.components(separatedBy: "\n") }

    /// All Swift blocks, in the page's order.
    var samples: [Sample] {
        var samples: [Sample] = []
        var open: (line: Int, lines: [String])?
        var isInOtherBlock = false
        for (index, line) in lines.enumerated() {
            if let block = open {
                if line == "```" {
                    samples.append(Sample(page: path, line: block.line, lines: block.lines))
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if isInOtherBlock {
                isInOtherBlock = line != "```"
            } else if line == "```swift" {
                open = (index + 1, [])
            } else {
                isInOtherBlock = line.hasPrefix("```")
            }
        }
        return samples
    }

    /// The targets of all links to files of the package, in the text and in definitions of links.
    var linkedPaths: [String] {
        let inText = text.components(separatedBy: "](").dropFirst()
            .compactMap { $0.components(separatedBy: ")").first }
        let defined = text.matches(of: #/(?m)^\[\w+\]: (\S+)$/#).map { String($0.1) }
        return (inText + defined)
            .filter { !$0.contains("://") && !$0.hasPrefix("#") && !$0.hasPrefix("doc:") }
            .compactMap { $0.components(separatedBy: "#").first }
    }

    /// The rows of all tables, cell by cell, without the separator lines.
    var tableRows: [[String]] {
        lines.filter { $0.hasPrefix("|") && !$0.hasPrefix("|-") }.map { line in
            line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}

/// The nonempty lines of a text, with each run of white space replaced by one space.
func normalized(_ lines: [String]) -> [String] {
    lines.map { line in
        line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }.filter { !$0.isEmpty }
}
