import CoreData
import Testing

/// Integers that are too large or too small for the type of their attribute.
@Suite struct IntegerRangeTests {
    @Test(
        "An integer outside its attribute's type cannot be saved",
        arguments: [
            (NSAttributeType.integer16AttributeType, 32_767, nil),
            (.integer16AttributeType, 32_768, 1610), (.integer16AttributeType, 100_000, 1610),
            (.integer16AttributeType, -32_768, nil), (.integer16AttributeType, -32_769, 1620),
            (.integer32AttributeType, 2_147_483_647, nil),
            (.integer32AttributeType, 2_147_483_648, 1610),
            (.integer32AttributeType, -2_147_483_649, 1620),
            (.integer64AttributeType, Int.max, nil),
        ] as [(NSAttributeType, Int, Int?)])
    func range(type: NSAttributeType, number: Int, code: Int?) throws {
        let entity = NSEntityDescription()
        entity.name = "Counter"
        entity.properties = [TestModel.attribute("count", type)]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        try Library(model: model).perform { context in
            let counter = Library.insert("Counter", ["count": number], in: context)
            var found: Int?
            do { try context.save() } catch { found = (error as? CocoaError)?.code.rawValue }
            #expect(found == code)
            guard code == nil else { return }
            counter.setValue(nil, forKey: "count")
            #expect(throws: Never.self) { try context.save() }
        }
    }
}
