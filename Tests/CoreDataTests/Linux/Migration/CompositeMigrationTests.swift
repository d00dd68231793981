import CoreData
import Testing

@Suite("A composite attribute in an inferred migration") struct CompositeMigrationTests {
    private static func model(_ elements: String) throws -> NSManagedObjectModel {
        try readModel(
            """
            <entity name='A'><attribute name='key' attributeType='String'/>
            <attribute name='x' optional='YES' attributeType='Composite' composite='C'/></entity>
            <composite name='C'>\(elements)</composite>
            """)
    }

    private static let former = """
        <attribute name='a' optional='YES' attributeType='String'/>
        <attribute name='n' optional='YES' attributeType='Integer 64'/>
        """

    /// What an object has after its migration to a model with other elements.
    private func migrated(_ value: [String: Any], to elements: String) throws -> NSDictionary? {
        let fixture = try MigrationFixture(Self.model(Self.former), Self.model(elements))
        let context = try MigrationFixture.context(fixture.source, at: fixture.sourceURL)
        let object = NSEntityDescription.insertNewObject(forEntityName: "A", into: context)
        object.setValuesForKeys(["key": "k", "x": value])
        try context.save()
        try fixture.migrate(fixture.inferred())
        return try fixture.migrated("A", by: "key")["k"]?.value(forKey: "x") as? NSDictionary
    }

    @Test("Keeps the values of elements that are renamed, and loses those that are removed")
    func renaming() throws {
        let value = try migrated(
            ["a": "v", "n": 1],
            to: "<attribute name='b' elementID='a' optional='YES' attributeType='String'/>")
        #expect(value == ["b": "v"])
    }

    @Test("Keeps an element whose renaming identifier matches nothing")
    func laterIdentifier() throws {
        let value = try migrated(
            ["a": "v"],
            to: "<attribute name='a' elementID='c' optional='YES' attributeType='String'/>")
        #expect(value == ["a": "v"])
    }

    @Test("Converts numbers, and refuses one that does not fit", arguments: [1, 70_000])
    func number(_ number: Int) throws {
        let element =
            "<attribute name='m' elementID='n' optional='YES' attributeType='Integer 16'/>"
        guard number > 1 else {
            #expect(try migrated(["n": number], to: element) == ["m": number])
            return
        }
        let error = #expect(throws: CocoaError.self) { try migrated(["n": number], to: element) }
        #expect(error?.code == .migration)
        #expect(error?.userInfo["attribute"] as? String == "x.m")
    }

    @Test("Is not inferred if an element changes its type otherwise")
    func otherType() throws {
        let fixture = try MigrationFixture(
            Self.model(Self.former),
            Self.model("<attribute name='a' optional='YES' attributeType='Date'/>"))
        let error = #expect(throws: CocoaError.self) { try fixture.inferred() }
        #expect(error?.code == .inferredMappingModel)
        #expect(error?.userInfo["property"] as? String == "x")
    }
}
