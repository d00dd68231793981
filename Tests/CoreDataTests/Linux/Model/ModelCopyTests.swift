import CoreData
import Testing

@Suite struct ModelCopyTests {
    func makeModel() throws -> NSManagedObjectModel {
        try readModel(
            """
            <entity name='Person' coreSpotlightDisplayNameExpression='name'>
                <attribute name='name' attributeType='String' spotlightIndexingEnabled='YES'
                    storedInTruthFile='YES'/>
            </entity>
            <entity name='Employee' parentEntity='Person'>
                <attribute name='number' attributeType='Integer 64'/>
                <relationship name='boss' optional='YES' maxCount='1' destinationEntity='Employee'/>
                <fetchedProperty name='peers'>
                    <fetchRequest name='fetchedPropertyFetchRequest' entity='Employee'
                        predicateString='boss == $FETCH_SOURCE.boss'/>
                </fetchedProperty>
                <fetchIndex name='index' partialIndexPredicate='number &gt; 0'>
                    <fetchIndexElement property='name' type='Binary' order='ascending'/>
                    <fetchIndexElement property='number' type='RTree' order='descending'/>
                    <fetchIndexElement expression='number + 1' expressionType='Integer 64'
                        type='Binary' order='ascending'/>
                </fetchIndex>
                <uniquenessConstraints><uniquenessConstraint>
                    <constraint value='number'/>
                </uniquenessConstraint></uniquenessConstraints>
            </entity>
            <configuration name='Staff'><memberEntity name='Employee'/></configuration>
            """)
    }

    @Test("A copied model has the same version hashes, configurations and classes")
    func same() throws {
        let model = try makeModel()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(copy !== model)
        #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
        #expect(copy.versionChecksum == model.versionChecksum)
        #expect(copy.entities(forConfigurationName: "Staff")?.map(\.name) == ["Employee"])
        #expect(copy.entitiesByName["Employee"]?.superentity === copy.entitiesByName["Person"])
    }

    @Test("The indexes of a copy refer to its own properties, inherited ones too")
    func indexes() throws {
        let model = try makeModel()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        let entity = try #require(copy.entitiesByName["Employee"])
        let index = try #require(entity.indexes.first)
        #expect(index.entity === entity)
        #expect(index.elements.count == 3)
        #expect(index.elements[0].property === copy.entitiesByName["Person"]?.properties.first)
        #expect(index.elements[1].property === entity.attributesByName["number"])
        #expect(index.elements[1].collationType == .rTree)
        #expect(index.elements.map(\.isAscending) == [true, false, true])
        #expect(index.elements.allSatisfy { $0.indexDescription === index })
        let expression = index.elements[2].property as? NSExpressionDescription
        #expect(expression?.expressionResultType == .integer64AttributeType)
        #expect(expression?.expression?.description == "number + 1")
        let predicate = try #require(index.partialIndexPredicate)
        #expect(predicate.evaluate(with: ["number": 1]))
        #expect(!predicate.evaluate(with: ["number": 0]))
    }

    @Test("A model in use has copies that can be changed, and stays unchanged")
    func frozen() throws {
        let model = try makeModel()
        _ = NSPersistentStoreCoordinator(managedObjectModel: model)
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        let name = NSAttributeDescription()
        name.name = "nickname"
        name.attributeType = .stringAttributeType
        copy.entitiesByName["Person"]?.properties.append(name)
        #expect(copy.entitiesByName["Employee"]?.attributesByName["nickname"] != nil)
        #expect(model.entitiesByName["Employee"]?.attributesByName["nickname"] == nil)
    }

    @Test("A copied entity has copies of its properties and belongs to no model")
    func entity() throws {
        let model = try makeModel()
        let original = try #require(model.entitiesByName["Employee"])
        let copy = try #require(original.copy() as? NSEntityDescription)
        #expect(copy.superentity == nil)
        #expect(copy.uniquenessConstraints as? [[String]] == [["number"]])
        #expect(Set(copy.propertiesByName.keys) == ["number", "boss", "peers"])
        #expect(copy.propertiesByName["number"] !== original.propertiesByName["number"])
        let peers = copy.propertiesByName["peers"] as? NSFetchedPropertyDescription
        #expect(peers?.fetchRequest?.entityName == "Employee")
        #expect(copy.indexes.first?.elements[1].property === copy.propertiesByName["number"])
    }

    @Test("Spotlight's settings are read and copied")
    func spotlight() throws {
        let model = try makeModel()
        for model in [model, try #require(model.copy() as? NSManagedObjectModel)] {
            let person = try #require(model.entitiesByName["Person"])
            #expect(person.coreSpotlightDisplayNameExpression.keyPath == "name")
            let name = person.attributesByName["name"]
            #expect(name?.isIndexedBySpotlight == true)
            #expect(name?.isStoredInExternalRecord == true)
            let employee = model.entitiesByName["Employee"]
            #expect(employee?.coreSpotlightDisplayNameExpression.expressionType == .constantValue)
        }
    }
}
