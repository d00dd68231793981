import CoreData
import Testing

/// A failed expectation describes its values by reflection.
@Suite("Reflection") struct ReflectionTests {
    /// An entity whose relationship leads to an entity that is gone.
    private func entityOfGoneModel() -> NSEntityDescription {
        let plant = NSEntityDescription()
        plant.name = "Plant"
        let garden = NSEntityDescription()
        garden.name = "Garden"
        let relationship = NSRelationshipDescription()
        relationship.name = "garden"
        relationship.destinationEntity = garden
        plant.properties = [relationship]
        return plant
    }

    @Test("describes what refers to an object that is gone")
    func goneObjects() throws {
        let relationship = try #require(entityOfGoneModel().properties.first)
        var text = ""
        dump(relationship, to: &text)
        #expect(text.contains("garden"))
    }
}
