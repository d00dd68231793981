import Foundation
import Testing

@Suite("The simulator's mutations") struct MutationTests {
    /// A patch of the simulator.
    private struct Patch {
        let name: String
        let lines: [String]

        init(_ file: URL) throws {
            name = file.deletingPathExtension().lastPathComponent
            lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        }

        /// The hunks, each with the path of its file and the lines before the change.
        var hunks: [(path: String, before: [String])] {
            var hunks: [(path: String, before: [String])] = []
            var path = ""
            for line in lines {
                if line.hasPrefix("+++ b/") {
                    path = String(line.dropFirst(6))
                } else if line.hasPrefix("@@ ") {
                    hunks.append((path, []))
                } else if let kind = line.first, " -".contains(kind), !line.hasPrefix("--- ") {
                    if !hunks.isEmpty {
                        hunks[hunks.count - 1].before.append(String(line.dropFirst()))
                    }
                }
            }
            return hunks
        }
    }

    private static func patches() throws -> [Patch] {
        let folder = Manual.root.appendingPathComponent("Tests/Simulator/mutations")
        return try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "patch" }.map(Patch.init)
    }

    @Test("apply to the sources") func apply() throws {
        let patches = try Self.patches()
        #expect(patches.count > 30)
        for patch in patches {
            let hunks = patch.hunks
            #expect(!hunks.isEmpty, "\(patch.name)")
            for hunk in hunks {
                let source = try String(
                    contentsOf: Manual.root.appendingPathComponent(hunk.path), encoding: .utf8)
                let before = hunk.before.joined(separator: "\n")
                #expect(source.contains(before), "\(patch.name): \(hunk.path) lacks\n\(before)")
            }
        }
    }

    @Test("have a description, and the name for which the code asks") func head() throws {
        for patch in try Self.patches() {
            #expect(patch.lines.contains { $0.hasPrefix("Breaks: ") }, "\(patch.name)")
            let question = "isMutated(\"\(patch.name)\")"
            #expect(
                patch.lines.contains { $0.hasPrefix("+") && $0.contains(question) },
                "\(patch.name)")
        }
    }

    @Test("are listed in the simulator's README, with the same descriptions") func list() throws {
        let rows = try Manual("Tests/Simulator/README.md").tableRows
        for patch in try Self.patches() {
            let line = try #require(patch.lines.first { $0.hasPrefix("Breaks: ") })
            let row = rows.first { $0.first == "`\(patch.name)`" }
            #expect(row?.dropFirst().first == String(line.dropFirst(8)), "\(patch.name)")
        }
    }
}
