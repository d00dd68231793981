import CoreData
import Testing

@Suite("A number whose type has changed") struct NumberMigrationTests {
    private func migrated(
        _ value: NSNumber, from old: String, to new: String
    ) throws -> NSNumber? {
        let fixture = try MigrationFixture(
            """
            <entity name='A'><attribute name='key' attributeType='String'/>
            <attribute name='x' optional='YES' attributeType='\(old)'/></entity>
            """,
            """
            <entity name='A'><attribute name='key' attributeType='String'/>
            <attribute name='x' optional='YES' attributeType='\(new)'/></entity>
            """)
        let context = try MigrationFixture.context(fixture.source, at: fixture.sourceURL)
        let object = NSEntityDescription.insertNewObject(forEntityName: "A", into: context)
        object.setValue("a", forKey: "key")
        object.setValue(value, forKey: "x")
        try context.save()
        try fixture.migrate(fixture.inferred())
        return try fixture.migrated("A", by: "key")["a"]?.value(forKey: "x") as? NSNumber
    }

    @Test(
        "Is the same number in the new type",
        arguments: [
            ("Integer 64", "Double"), ("Integer 64", "Float"), ("Integer 16", "Decimal"),
            ("Integer 64", "Integer 16"), ("Double", "Integer 32"), ("Decimal", "Double"),
            ("Decimal", "Integer 64"), ("Float", "Decimal"), ("Boolean", "Integer 16"),
        ])
    func conversion(old: String, new: String) throws {
        let value = old == "Decimal" ? NSDecimalNumber(value: 1) : NSNumber(value: 1)
        let number = try #require(try migrated(value, from: old, to: new))
        #expect(number.doubleValue == 1)
        #expect((number is NSDecimalNumber) == (new == "Decimal"))
    }

    @Test(
        "Is an error that names the attribute if it would be another number",
        arguments: [("Double", "Integer 16", 2.5), ("Integer 32", "Integer 16", 70000)])
    func loss(old: String, new: String, value: Double) throws {
        let error = #expect(throws: CocoaError.self) {
            try migrated(NSNumber(value: value), from: old, to: new)
        }
        #expect(error?.code == .migration)
        #expect(error?.userInfo["attribute"] as? String == "x")
    }
}
