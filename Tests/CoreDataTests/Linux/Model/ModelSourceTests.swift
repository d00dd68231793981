import CoreData
import Testing

@Suite("The models of tests that run everywhere") struct ModelSourceTests {
    @Test(
        "are those that this package reads from the same source",
        arguments: [
            Library.source, MigrationFixture.first, MigrationFixture.second,
            "<entity name='A'><attribute name='b' elementID='a'/></entity>",
        ])
    func agreement(source: String) throws {
        let (made, read) = (try makeModel(source), try readModel(source))
        #expect(made.entityVersionHashesByName == read.entityVersionHashesByName)
        for entity in made.entities {
            let other = try #require(read.entitiesByName[entity.name ?? ""])
            #expect(entity.renamingIdentifier == other.renamingIdentifier)
            #expect(entity.superentity?.name == other.superentity?.name)
            for (name, property) in entity.propertiesByName {
                let twin = try #require(other.propertiesByName[name])
                #expect(property.renamingIdentifier == twin.renamingIdentifier)
                let (one, two) = (
                    property as? NSAttributeDescription, twin as? NSAttributeDescription
                )
                #expect(one?.defaultValue as? NSObject == two?.defaultValue as? NSObject)
                let (end, otherEnd) = (
                    property as? NSRelationshipDescription, twin as? NSRelationshipDescription
                )
                #expect(end?.inverseRelationship?.name == otherEnd?.inverseRelationship?.name)
            }
        }
    }
}
