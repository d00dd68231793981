import CoreData
import Testing

/// The shared sources cannot be compiled with Apple's frameworks here, so these tests check the
/// rules that keep them compilable.
@Suite("The shared sources") struct SharedSourceTests {
    private struct Line: CustomStringConvertible {
        let file: String
        let number: Int
        let text: String

        var description: String { "\(file):\(number): \(text)" }
    }

    private static func lines(of targets: [String]) throws -> [Line] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var lines: [Line] = []
        for target in targets {
            let folder = root.appendingPathComponent("Sources/\(target)")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            for path in paths.sorted() where path.hasSuffix(".swift") {
                let text = try String(
                    contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
                for (index, line) in text.components(separatedBy: "\n").enumerated() {
                    lines.append(Line(file: "\(target)/\(path)", number: index + 1, text: line))
                }
            }
        }
        #expect(lines.count > 1000)
        return lines
    }

    private func trimmed(_ line: Line) -> String {
        line.text.trimmingCharacters(in: .whitespaces)
    }

    @Test("import CoreData and CloudKit, never Foundation, which both bring along")
    func imports() throws {
        let allowed: Set = [
            "import CoreData", "import CloudKit", "import CoreLocation", "import SeamSQLite",
            "import PrivateFiles",
        ]
        let wrong = try Self.lines(of: ["Seam3", "NestedCloudKitCodable"]).filter { line in
            trimmed(line).hasPrefix("import ") && !allowed.contains(trimmed(line))
                && !line.file.contains("Support/Platform/")
        }
        #expect(wrong.isEmpty)
    }

    @Test("have conditions only for the platform, the pod and Objective-C")
    func conditions() throws {
        let allowed: Set = ["#if SWIFT_PACKAGE", "#if canImport(ObjectiveC)"]
        let wrong = try Self.lines(of: [
            "Seam3", "SeamSQLite", "ModelMatching", "NumberTables", "PrivateFiles",
            "NestedCloudKitCodable",
        ]).filter {
            line in
            (trimmed(line).hasPrefix("#if") || trimmed(line).hasPrefix("#elseif"))
                && !allowed.contains(trimmed(line)) && !line.file.contains("Support/Platform/")
        }
        #expect(wrong.isEmpty)
    }

    @Test("use no access level and no type that the pod or iOS 15 lacks")
    func newerSwift() throws {
        let words = [
            "package func ", "package var ", "package let ", "Mutex<", "Regex<", "@Observable",
        ]
        let wrong = try Self.lines(of: [
            "Seam3", "SeamSQLite", "ModelMatching", "NumberTables", "PrivateFiles",
            "NestedCloudKitCodable",
        ]).filter {
            line in
            words.contains { line.text.contains($0) }
        }
        #expect(wrong.isEmpty)
    }

    @Test("name nothing that only the Linux modules have")
    func linuxNames() throws {
        let wrong = try Self.lines(of: [
            "Seam3", "SeamSQLite", "ModelMatching", "NumberTables", "PrivateFiles",
            "NestedCloudKitCodable",
        ]).filter {
            line in
            let code = trimmed(line)
            return !code.hasPrefix("//")
                && (code.contains("LocalCloud") || code.contains("._")
                    || code.contains("os(Linux)"))
        }
        #expect(wrong.isEmpty)
    }

    @Test("use no SQL and no C call newer than SQLite 3.36, which iOS 15 ships")
    func newerSQLite() throws {
        let words = [
            "->>", "IS DISTINCT FROM", "IS NOT DISTINCT FROM", "RIGHT JOIN", "FULL JOIN",
            "FULL OUTER", "unixepoch(", " STRICT", "string_agg(", "octet_length(", "timediff(",
            "jsonb", "iif(", "sqlite3_error_offset", "sqlite3_db_name", "sqlite3_is_interrupted",
            "sqlite3_value_encoding", "sqlite3_get_clientdata", "sqlite3_setlk_timeout",
        ]
        let wrong = try Self.lines(of: [
            "Seam3", "SeamSQLite", "ModelMatching", "NumberTables", "PrivateFiles",
            "NestedCloudKitCodable",
        ]).filter {
            line in
            !trimmed(line).hasPrefix("//") && words.contains { line.text.contains($0) }
        }
        #expect(wrong.isEmpty)
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("expose only what is public of a store to Objective-C")
    func objectiveC() throws {
        var isInStore = false
        var isHidden = false
        let member = #/^    (?:@\w+ )*(?:static |class |nonisolated |lazy )*(?:func|var|let) /#
        let wrong = try Self.lines(of: ["Seam3"]).filter { line in
            if line.text.hasPrefix("}") { isInStore = false }
            if line.text.contains("extension SMStore") || line.text.hasPrefix("open class SMStore:")
            {
                isInStore = true
                isHidden = line.text.hasPrefix("@nonobjc")
            }
            return isInStore && !isHidden && line.text.firstMatch(of: member) != nil
                && !line.text.contains("@nonobjc")
        }
        #expect(wrong.isEmpty)
    }

    @Test("convert no number from a file to one of 32 bits, as Int is on watches")
    func narrowIntegers() throws {
        let wrong = try Self.lines(of: ["Seam3", "SeamSQLite"]).filter { line in
            let words = ["Int(row.integer", "Int($0.integer", "Int(row.version", "Int(vended"]
            return words.contains { line.text.contains($0) }
        }
        #expect(wrong.isEmpty)
    }
}
