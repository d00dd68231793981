import CoreDataFiles
import Testing

@testable import CoreData

@Suite("Strings of a compiled model") struct ArchivedStringTests {
    @Test(
        "Are read whether they are archived as values or as mutable objects",
        arguments: [true, false])
    func strings(mutable: Bool) throws {
        let model = try readModel(
            """
            <entity name='New' elementID='Old' versionHashModifier='2'>
                <attribute name='b' elementID='a' versionHashModifier='3'
                    attributeType='Transformable' valueTransformerName='Colors'/>
            </entity>
            """)
        var archive = CompiledModelArchive(model)
        archive.mutableStrings = mutable
        let read = NSManagedObjectModel()
        read.adopt(
            try CompiledModelReader.read(archive.data, at: URL(fileURLWithPath: "/Model.mom")))
        let entity = try #require(read.entitiesByName["New"])
        let attribute = try #require(entity.attributesByName["b"])
        #expect(entity.renamingIdentifier == "Old")
        #expect(entity.versionHashModifier == "2")
        #expect(attribute.renamingIdentifier == "a")
        #expect(attribute.versionHashModifier == "3")
        #expect(attribute.valueTransformerName == "Colors")
        #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
    }
}
