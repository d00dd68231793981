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
            where part.hasPrefix("CD-") || part.hasPrefix("CK-") || part.hasPrefix("SM-") {
                tested.insert(part)
            }
        }
        let settled = Fact.all.filter { fact in
            switch fact.judge {
            case .test, .objectiveC: return true
            case .server, .device: return false
            }
        }
        #expect(tested == Set(settled.map(\.id)))
    }

    @Test("says what needs more than a Mac", arguments: Fact.all)
    func others(fact: Fact) {
        note(fact)
    }
}
