import CoreData
import SeededRandom
import Testing

@Suite("A broken model file")
struct BrokenModelFileTests {
    /// Entities of which each inherits from the next.
    static let longLine: String = {
        let entities: [String] = (0...65).map { number in
            "<entity name='A\(number)' parentEntity='A\(number + 1)'/>"
        }
        return entities.joined() + "<entity name='A66'/>"
    }()

    func failure(_ body: String) throws -> ManagedObjectModelFileError {
        try #require(throws: ManagedObjectModelFileError.self) { try readModel(body) }
    }

    @Test("The error names the file, the line, the element and the attribute")
    func place() throws {
        let error = try failure(
            """
            <entity name='Country'>
                <attribute name='code' attributeType='Text'/>
            </entity>
            """)
        #expect(error.url.lastPathComponent == "contents")
        #expect(error.line == 4)
        #expect(error.element == "entity Country, attribute code")
        #expect(error.attribute == "attributeType")
        #expect(error.reason.contains("Text"))
        #expect(error.description.contains("contents:4: entity Country, attribute code"))
    }

    @Test("An entity with too many ancestors is refused") func ancestors() throws {
        #expect(try failure(Self.longLine).attribute == "parentEntity")
    }

    @Test("A property that the parent declares, too, is refused") func inheritedProperty() throws {
        let property = "<attribute name='a' attributeType='String'/>"
        let error = try failure(
            "<entity name='A'>\(property)</entity>"
                + "<entity name='B' parentEntity='A'>\(property)</entity>")
        #expect(error.reason.contains("twice"))
    }

    @Test(
        "References to nothing and meaningless values are refused",
        arguments: [
            ("<entity/>", "name"),
            ("<entity name='A'/><entity name='A'/>", "name"),
            ("<entity name='A' parentEntity='B'/>", "parentEntity"),
            ("<entity name='A' parentEntity='A'/>", "parentEntity"),
            (
                "<entity name='A' parentEntity='B'/><entity name='B' parentEntity='A'/>",
                "parentEntity"
            ),
            ("<entity name='A' isAbstract='maybe'/>", "isAbstract"),
            ("<entity name='A'><attribute name='a'/><attribute name='a'/></entity>", "name"),
            (
                "<entity name='A'><attribute name='a' attributeType='Composite' "
                    + "composite='C'/></entity>", "composite"
            ),
            (
                "<entity name='A'><relationship name='r' destinationEntity='B'/></entity>",
                "destinationEntity"
            ),
            ("<entity name='A'><relationship name='r'/></entity>", "destinationEntity"),
            (
                "<entity name='A'><relationship name='r' destinationEntity='A' maxCount='many'/>"
                    + "</entity>", "maxCount"
            ),
            (
                "<entity name='A'><relationship name='r' destinationEntity='A' "
                    + "deletionRule='Burn'/></entity>", "deletionRule"
            ),
            (
                "<entity name='A'><relationship name='r' destinationEntity='A' inverseName='x'/>"
                    + "</entity>", "inverseName"
            ),
            (
                "<entity name='A'><uniquenessConstraints><uniquenessConstraint>"
                    + "<constraint value='x'/></uniquenessConstraint></uniquenessConstraints></entity>",
                "value"
            ),
            (
                "<entity name='A'><fetchIndex name='i'><fetchIndexElement property='x'/>"
                    + "</fetchIndex></entity>", "property"
            ),
            ("<configuration name='c'><memberEntity name='A'/></configuration>", "name"),
        ])
    func refused(body: String, attribute: String) throws {
        #expect(try failure(body).attribute == attribute)
    }

    @Test(
        "Text that is not XML is refused with the line",
        arguments: [
            ("<entity name='A'>", 4), ("<entity name='A'></entty>", 3), ("<entity name=A/>", 3),
            ("\n<entity name='A' name='B'/>", 4), ("<entity name='&nothing;'/>", 3),
            ("<entity name/>", 3), ("<!-- no end", 4),
        ])
    func syntax(body: String, line: Int) throws {
        let error = try failure(body)
        #expect(error.element == nil)
        #expect(error.line == line)
    }

    @Test("Truncated and mutated files give errors, and never a crash")
    func mutated() throws {
        let text =
            "<model><!-- c --><entity name=\"A\"><attribute name='a' attributeType=\"String\" "
            + "defaultValueString=\"x&amp;y\"/><userInfo><entry key='k' value='v'/></userInfo>"
            + "</entity></model>"
        let directory = try TemporaryDirectory()
        let model = directory.url.appendingPathComponent("M.xcdatamodel")
        let seed = SeededGenerator.seed(from: "CORE_DATA_SEED")
        var random = SeededGenerator(seed: seed)
        for round in 0..<600 {
            var bytes = Array(text.utf8)
            if round < bytes.count {
                bytes = Array(bytes.prefix(round))
            } else {
                for _ in 0..<4 {
                    let index = Int.random(in: bytes.indices, using: &random)
                    bytes[index] = UInt8.random(in: .min ... .max, using: &random)
                }
            }
            let file = try directory.write("", to: "M.xcdatamodel/contents")
            try Data(bytes).write(to: file)
            do {
                let read = try NSManagedObjectModel(readingFrom: model)
                #expect(read.entities.count <= 1, "seed \(seed)")
            } catch {
                #expect(error is ManagedObjectModelFileError, "seed \(seed)")
            }
        }
    }

    @Test("A missing model is nil")
    func missing() {
        let url = URL(fileURLWithPath: "/nowhere/Model.xcdatamodeld")
        #expect(NSManagedObjectModel(contentsOf: url) == nil)
    }

    @Test("A folder without a version is refused")
    func empty() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("", to: "M.xcdatamodeld/other")
        #expect(throws: ManagedObjectModelFileError.self) {
            try NSManagedObjectModel(
                readingFrom: directory.url.appendingPathComponent("M.xcdatamodeld"))
        }
    }
}
