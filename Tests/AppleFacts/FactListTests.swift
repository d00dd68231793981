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
            atPath: root.appendingPathComponent(folder).path)
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
