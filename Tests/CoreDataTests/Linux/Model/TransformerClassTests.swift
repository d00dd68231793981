import CoreData
import Testing

/// Not registered; a model refers to it by its class name.
final class UnregisteredColorTransformer: NSSecureUnarchiveFromDataTransformer {}

@Suite("A value transformer that a model names") struct TransformerClassTests {
    @Test(
        "Is found by its class's name, with its module and without",
        arguments: ["UnregisteredColorTransformer", "CoreDataTests.UnregisteredColorTransformer"])
    func className(name: String) throws {
        let attribute = NSAttributeDescription()
        attribute.valueTransformerName = name
        let transformer = ValueTransformer(forName: NSValueTransformerName(name))
        #expect(transformer is UnregisteredColorTransformer)
        // The created transformer is kept.
        #expect(transformer === ValueTransformer(forName: NSValueTransformerName(name)))
    }

    @Test("Is nil where there is no such class")
    func unknown() {
        let attribute = NSAttributeDescription()
        attribute.valueTransformerName = "NoSuchTransformer"
        #expect(ValueTransformer(forName: NSValueTransformerName("NoSuchTransformer")) == nil)
    }

    @Test("Is the secure one under its class's name as well")
    func secure() {
        let name = NSValueTransformerName("NSSecureUnarchiveFromDataTransformer")
        #expect(ValueTransformer(forName: name) is NSSecureUnarchiveFromDataTransformer)
    }
}
