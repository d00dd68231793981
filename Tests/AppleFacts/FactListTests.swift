import CoreData
import Testing

@Suite("The list of facts") struct FactListTests {
    @Test("names each fact once")
    func names() {
        #expect(Set(Fact.all.map(\.id)).count == Fact.all.count)
    }

    @Test("has a test for each fact that one can settle, and no test has another")
    func tests() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        var tested: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasSuffix("Facts.swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            for part in text.components(separatedBy: "\"").dropFirst()
            where ["CD-", "CK-", "FG-", "SM-"].contains(String(part.prefix(3))) {
                tested.insert(part)
            }
        }
        let settled = Fact.all.filter { fact in
            switch fact.judge {
            case .test, .objectiveC: return true
            case .server, .device, .xcode, .suite: return false
            }
        }
        #expect(tested == Set(settled.map(\.id)))
    }

    @Test("says what needs more than a Mac", arguments: Fact.all)
    func others(fact: Fact) {
        note(fact)
    }

    /// The package's folder.
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(
            atPath: root.appendingPathComponent(folder).path
        ).filter { !$0.contains(".build/") }
    }

    @Test("has the assumption of each line that a README calls unverified")
    func manuals() throws {
        let known = Set(Fact.all.map(\.id))
        var count = 0
        for path in try Self.files(in: "Sources") where path.hasSuffix("README.md") {
            let url = Self.root.appendingPathComponent("Sources/\(path)")
            let text = try String(contentsOf: url, encoding: .utf8)
            let sections = text.components(separatedBy: "\n## ")
            for section in sections where section.hasPrefix("Unverified\n") {
                for line in section.components(separatedBy: "\n- ").dropFirst() {
                    count += 1
                    let words = line.components(separatedBy: CharacterSet(charactersIn: " ()\n"))
                    #expect(words.contains { known.contains($0) }, "\(path): \(line)")
                }
            }
        }
        #expect(count > 90)
    }

    /// The cells of the lines of the manual's table.
    private static func table() throws -> [[String]] {
        let article = "Sources/Seam3/Seam3.docc/Articles/WhatOnlyAMacCanTell.md"
        let text = try String(contentsOf: root.appendingPathComponent(article), encoding: .utf8)
        return text.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.components(separatedBy: "|").dropFirst().dropLast().map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }.filter { $0.first?.contains("-") == true }
    }

    @Test("has a line of the manual's table for each fact, most of which are right either way")
    func article() throws {
        let rows = try Self.table()
        #expect(rows.compactMap(\.first).sorted() == Fact.all.map(\.id).sorted())
        for row in rows {
            #expect(row.count == 5, "\(row)")
            #expect(row[4].hasPrefix("yes") || row[4].hasPrefix("no: `"), "\(row)")
        }
        let imitated = (17...70).map { "CD-\($0)" }
        let right = rows.filter { $0[4].hasPrefix("yes") && !imitated.contains($0[0]) }
        #expect(right.count >= 30)
    }

    @Test("is named in the sources where the store is not right either way")
    func assumptions() throws {
        var named: Set<String> = []
        for path in try Self.files(in: "Sources") where path.hasSuffix(".swift") {
            let url = Self.root.appendingPathComponent("Sources/\(path)")
            let text = try String(contentsOf: url, encoding: .utf8)
            let separators = CharacterSet(charactersIn: " ,.()\n")
            named.formUnion(text.components(separatedBy: separators).filter { $0.contains("-") })
        }
        for row in try Self.table() where row[4].hasPrefix("no") {
            #expect(named.contains(row[0]), "\(row[0])")
        }
    }

    @Test("has a line of the manual's table that names places and tests that exist")
    func places() throws {
        var texts: [String] = []
        for folder in ["Sources", "Tests"] {
            for path in try Self.files(in: folder) where path.hasSuffix(".swift") {
                let url = Self.root.appendingPathComponent("\(folder)/\(path)")
                texts.append(
                    "\(url.lastPathComponent)\n\(try String(contentsOf: url, encoding: .utf8))")
            }
        }
        for row in try Self.table() {
            let names = row[4].components(separatedBy: "`").enumerated()
                .filter { $0.offset % 2 == 1 }.map(\.element)
            for name in names {
                let last = name.components(separatedBy: "(")[0].components(separatedBy: ".").last
                #expect(
                    texts.contains { $0.contains(last ?? name) }, "\(row[0]): \(name)")
            }
        }
    }

    @Test("names suites that run on a Mac")
    func suites() throws {
        let files = Set(
            try Self.files(in: "Tests").filter { !$0.contains("/Linux/") }
                .map { $0.components(separatedBy: "/").last ?? "" })
        for fact in Fact.all {
            if case .suite(let name) = fact.judge {
                #expect(files.contains("\(name).swift"), "\(fact.id)")
            }
        }
    }
}
