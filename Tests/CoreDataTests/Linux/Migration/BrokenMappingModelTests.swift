import CoreDataFiles
import SeededRandom
import Testing

@testable import CoreData

@Suite("A damaged source of a mapping model") struct BrokenMappingModelTests {
    typealias Entity = MappingModelSource.EntityMapping

    let fixture: MigrationFixture
    private let url: URL

    init() throws {
        fixture = try MigrationFixture()
        url = fixture.directory.url.appendingPathComponent("Broken.xcmappingmodel")
    }

    private func mappings(_ xml: String) throws -> [NSEntityMapping]? {
        _ = try fixture.directory.write(xml, to: "Broken.xcmappingmodel/xcmapping.xml")
        return try MappingModelDocument(url: url).mappings(
            from: fixture.source, to: fixture.destination)
    }

    private func expectFailure(_ xml: String, _ reason: String) {
        let error = #expect(throws: ManagedObjectModelFileError.self) { try mappings(xml) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("xcmappingmodel") == true)
    }

    private static let tag = ["sourcename": "Tag"]

    @Test(
        "is refused with the object and the attribute",
        arguments: [
            (["sourcefilterpredicatestring": "name =="], "sourcefilterpredicatestring"),
            (["sourceexpressiondata": "?"], "it is not in Base64"),
            (["sourceexpressiondata": "AAAA"], "sourceexpressiondata"),
            (["userinfodata": "AAAA"], "XDDEVENTITYMAPPING z100, userinfodata"),
            (["name": "&nothing;"], "'&nothing;' is unknown"),
        ])
    func attributes(attributes: [String: String], reason: String) {
        let source = MappingModelSource([Entity(Self.tag.merging(attributes) { $1 })])
        expectFailure(source.xml, reason)
    }

    @Test("is refused if a property's mapping is meaningless")
    func properties() {
        let work = Entity(["sourcename": "Work", "destinationname": "Work"])
        for (attributes, reason) in [
            (["sourcekeypath": "a..b"], "sourcekeypath"),
            (["valueexpressiondata": "AAAA"], "valueexpressiondata"),
            (["valueexpressiondata": MappingModelSource.binary("text")], "no expression"),
        ] {
            expectFailure(
                MappingModelSource([work.relationship("makers", attributes)]).xml, reason)
        }
        expectFailure(MappingModelSource([work.attribute("")]).xml, "a value is required")
    }

    @Test("is refused if it maps what its models do not have")
    func unknownNames() {
        let copies = (fixture.source, fixture.destination)
        let work = Entity(["sourcename": "Work", "destinationname": "Work"])
        let path = MappingModelSource.binary(.path("color", of: .variable("source")))
        for mapping in [
            work.attribute("color"), work.relationship("color"),
            work.attribute("title", ["valueexpressiondata": path]),
        ] {
            expectFailure(
                MappingModelSource([mapping], copies: copies).xml,
                "entity mapping WorkToWork: its models have no 'color'")
        }
    }

    @Test("is refused if it is not a mapping model, or refers to nothing")
    func structure() throws {
        expectFailure("<database>", "is not closed")
        expectFailure("<model/>", "the root element is not 'database'")
        expectFailure("<database></database>", "it has 0 mapping models")
        let object = "<object type='XDDEVMAPPINGMODEL' id='z1'>"
        expectFailure(
            "<database>\(object)<relationship name='entitymappings' idrefs='z9'/></object>"
                + "</database>", "there is no object 'z9'")
        expectFailure(
            "<database>\(object)</object>\(object)</object></database>", "two objects")
        expectFailure(
            "<database>\(object)<attribute name='sourcemodeldata'>AAAA</attribute></object>"
                + "</database>", "sourcemodeldata")
        try FileManager.default.removeItem(at: url)
        #expect(throws: ManagedObjectModelFileError.self) {
            try MappingModelDocument(url: url).mappings()
        }
        #expect(NSMappingModel(contentsOf: url) == nil)
    }

    @Test("gives an error or a mapping model, and never a crash")
    func random() throws {
        let seed = SeededGenerator.seed(from: "CORE_DATA_SEED")
        var random = SeededGenerator(seed: seed)
        let copies = (fixture.source, fixture.destination)
        let whole = Array(MappingModelSource(SourceMappingModelTests.all, copies: copies).xml.utf8)
        for round in 0..<60 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let start = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
                case 1:
                    bytes.removeSubrange(
                        start..<min(bytes.count, start + Int.random(in: 1...40, using: &random)))
                default: bytes.append(contentsOf: bytes[start...].prefix(30))
                }
            }
            try expectNoCrash(bytes, "seed \(seed), round \(round)")
        }
    }

    @Test("gives an error or a model if the copy of a model is damaged, and never a crash")
    func randomCopies() throws {
        let seed = SeededGenerator.seed(from: "CORE_DATA_SEED")
        var random = SeededGenerator(seed: seed)
        let whole = EditedModelArchive(fixture.destination).data
        for round in 0..<500 {
            var data = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: data.indices, using: &random)
                data[place] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                let model = try EditedModelReader.read(KeyedArchive(data))
                _ = model?.entityVersionHashesByName
            } catch {
                #expect(!"\(error)".isEmpty, "seed \(seed), round \(round)")
            }
        }
    }

    private func expectNoCrash(_ bytes: [UInt8], _ round: String) throws {
        let file = url.appendingPathComponent("xcmapping.xml")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        for read in [
            { try MappingModelDocument(url: url).mappings() },
            {
                try MappingModelDocument(url: url).mappings(
                    from: fixture.source, to: fixture.destination) ?? []
            },
        ] {
            do {
                for mapping in try read() { #expect(mapping.name != nil, "\(round)") }
            } catch {
                #expect(error is ManagedObjectModelFileError, "\(round): \(error)")
            }
        }
    }
}
