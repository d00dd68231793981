import CoreData
import Testing

@Suite struct InferredMappingTests {
    @Test("Every entity is copied, transformed, added or removed")
    func types() throws {
        let mappings = try MigrationFixture().inferred().entityMappings ?? []
        let types = Dictionary(
            uniqueKeysWithValues: mappings.map { ($0.name ?? "", $0.mappingType) })
        #expect(
            types == [
                "IEM_Transform_Maker": .transformEntityMappingType,
                "IEM_Add_Item": .addEntityMappingType,
                "IEM_Transform_Work": .transformEntityMappingType,
                "IEM_Add_Room": .addEntityMappingType,
                "IEM_Remove_Tag": .removeEntityMappingType,
            ])
    }

    @Test("Mapping models with the same contents are equal")
    func equality() throws {
        let fixture = try MigrationFixture()
        let (first, second) = (try fixture.inferred(), try fixture.inferred())
        #expect(first == second && first !== second)
        #expect(Set([first, second]).count == 1)
        let mapping = try #require(
            second.entityMappings.first { $0.attributeMappings?.isEmpty == false })
        let property = try #require(mapping.attributeMappings?.first)
        let expression = property.valueExpression
        property.valueExpression = NSExpression(forConstantValue: "other")
        #expect(first != second)
        property.valueExpression = expression
        #expect(first == second)
        mapping.userInfo = ["key": 1]
        #expect(first != second)
        mapping.userInfo = [:]
        second.entityMappings.removeLast()
        #expect(first != second)
    }

    @Test("Equal models are copied entity by entity")
    func copies() throws {
        let fixture = try MigrationFixture(MigrationFixture.first, MigrationFixture.first)
        let model = try fixture.inferred()
        #expect(model.entityMappings.allSatisfy { $0.mappingType == .copyEntityMappingType })
        let artist = try #require(model.entityMappingsByName["IEM_Copy_Artist"])
        #expect(artist.attributeMappings?.count == 3)
        #expect(artist.relationshipMappings?.count == 1)
        #expect(artist.sourceEntityVersionHash == artist.destinationEntityVersionHash)
    }

    @Test("A renamed entity and a renamed property are found by their renaming identifiers")
    func renaming() throws {
        let maker = try #require(
            try MigrationFixture().inferred().entityMappingsByName["IEM_Transform_Maker"])
        #expect(maker.sourceEntityName == "Artist")
        #expect(maker.destinationEntityName == "Maker")
        let name = maker.attributeMappings?.first { $0.name == "fullName" }
        #expect(name?.valueExpression?.description == #"FUNCTION($source, "valueForKey:", "name")"#)
        let country = maker.attributeMappings?.first { $0.name == "country" }
        #expect(country != nil && country?.valueExpression == nil)
    }

    @Test("A property that was renamed twice is found by the identifier that both versions have")
    func secondRenaming() throws {
        let fixture = try MigrationFixture(
            "<entity name='Mark' elementID='Bookmark'><attribute name='b' elementID='a'/></entity>",
            "<entity name='Favorite' elementID='Bookmark'><attribute name='c' elementID='a'/></entity>"
        )
        let mapping = try #require(
            try fixture.inferred().entityMappingsByName["IEM_Transform_Favorite"])
        #expect(mapping.sourceEntityName == "Mark")
        #expect(
            mapping.attributeMappings?.first?.valueExpression?.description
                == #"FUNCTION($source, "valueForKey:", "b")"#)
    }

    static let numberTypes = [
        "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "Boolean",
    ]

    @Test(
        "A number becomes a number of any other type", arguments: Self.numberTypes, Self.numberTypes
    )
    func numberBecomesNumber(old: String, new: String) throws {
        let fixture = try MigrationFixture(
            "<entity name='A'><attribute name='x' attributeType='\(old)'/></entity>",
            "<entity name='A'><attribute name='x' attributeType='\(new)'/></entity>")
        let mapping = try #require(try fixture.inferred().entityMappings?.first)
        #expect(mapping.attributeMappings?.first?.valueExpression != nil)
    }

    /// A to-one relationship in two versions, with a changed destination entity.
    static let destinations = [
        // The relationship and its destination are renamed.
        (
            "<entity name='B'/>", "B",
            "<entity name='C' elementID='B'/>", "C"
        ),
        // The destination has a new parent entity, which is the relationship's new destination.
        (
            "<entity name='B'/>", "B",
            "<entity name='P'/><entity name='B' parentEntity='P'/>", "P"
        ),
        // Both at once.
        (
            "<entity name='B'/>", "B",
            "<entity name='P' isAbstract='YES'/><entity name='C' elementID='B' parentEntity='P'/>",
            "P"
        ),
        // The parent of the destination is gone.
        (
            "<entity name='P'/><entity name='B' parentEntity='P'/>", "B", "<entity name='B'/>",
            "B"
        ),
    ]

    @Test(
        "A renamed to-one is migrated even if its destination has another name or parent",
        arguments: destinations)
    func renamedToOne(old: String, formerly: String, new: String, now: String) throws {
        func version(_ entities: String, _ relationship: String, _ destination: String) -> String {
            entities + "<entity name='A'><relationship \(relationship) maxCount='1' optional='YES' "
                + "destinationEntity='\(destination)'/></entity>"
        }
        let fixture = try MigrationFixture(
            version(old, "name='r'", formerly), version(new, "name='s' elementID='r'", now))
        let mapping = try fixture.inferred().entityMappings.first { $0.sourceEntityName == "A" }
        let value = mapping?.relationshipMappings?.first?.valueExpression
        #expect(value?.description.contains("\"r\"") == true)
    }

    static let refusals: [(String, String, String, String?)] = [
        (
            "<entity name='A'><attribute name='x' attributeType='String'/></entity>",
            "<entity name='A'><attribute name='x' attributeType='Date'/></entity>", "A", "x"
        ),
        (
            "<entity name='A'><attribute name='x' attributeType='Integer 64'/></entity>",
            "<entity name='A'><attribute name='x' attributeType='Date'/></entity>", "A", "x"
        ),
        (
            "<entity name='A'><relationship name='r' toMany='YES' destinationEntity='A'/></entity>",
            "<entity name='A'><relationship name='r' maxCount='1' destinationEntity='A'/></entity>",
            "A", "r"
        ),
        (
            """
            <entity name='A'><relationship name='r' maxCount='1' destinationEntity='A'/></entity>
            <entity name='B'/>
            """,
            """
            <entity name='A'><relationship name='r' maxCount='1' destinationEntity='B'/></entity>
            <entity name='B'/>
            """, "A", "r"
        ),
        (
            "<entity name='A'/>",
            "<entity name='A'/><entity name='B' elementID='A'/>", "B", nil
        ),
        (
            "<entity name='A'><attribute name='x' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='x' attributeType='String'/>
            <attribute name='y' elementID='x' attributeType='String'/></entity>
            """, "A", "y"
        ),
        (
            "<entity name='A'/><entity name='B'/>",
            "<entity name='P'/><entity name='A' parentEntity='P'/><entity name='B' parentEntity='P'/>",
            "P", nil
        ),
    ]

    @Test("A mapping that cannot be inferred is 134190 with the reason", arguments: refusals)
    func refusal(first: String, second: String, entity: String, property: String?) throws {
        let fixture = try MigrationFixture(first, second)
        let error = #expect(throws: CocoaError.self) { try fixture.inferred() }
        #expect(error?.code == .inferredMappingModel)
        #expect((error.map { $0 as NSError })?.code == 134_190)
        #expect(error?.userInfo["reason"] is String)
        let named = error?.userInfo["entity"] as? String
        #expect(named == entity || (entity == "P" && ["A", "B"].contains(named)))
        #expect(error?.userInfo["property"] as? String == property)
    }
}
