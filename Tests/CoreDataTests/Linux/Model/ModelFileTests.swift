import CoreData
import Testing

@Suite("Reading a model file")
struct ModelFileTests {
    func entity(_ attributesAndMore: String) throws -> (NSManagedObjectModel, NSEntityDescription) {
        let model = try readModel("<entity name=\"E\">\(attributesAndMore)</entity>")
        return try (model, #require(model.entitiesByName["E"]))
    }

    @Test(
        "Every type of attribute is known",
        arguments: [
            ("Integer 16", NSAttributeType.integer16AttributeType),
            ("Integer 32", .integer32AttributeType),
            ("Integer 64", .integer64AttributeType),
            ("Decimal", .decimalAttributeType),
            ("Double", .doubleAttributeType),
            ("Float", .floatAttributeType),
            ("String", .stringAttributeType),
            ("Boolean", .booleanAttributeType),
            ("Date", .dateAttributeType),
            ("Binary", .binaryDataAttributeType),
            ("UUID", .UUIDAttributeType),
            ("URI", .URIAttributeType),
            ("Transformable", .transformableAttributeType),
        ])
    func types(text: String, type: NSAttributeType) throws {
        let (_, entity) = try entity("<attribute name='a' attributeType='\(text)'/>")
        #expect(entity.attributesByName["a"]?.attributeType == type)
    }

    @Test("Settings that are not written have the file format's defaults")
    func absent() throws {
        let (_, entity) = try entity(
            """
            <attribute name='a' transient='YES'/>
            <relationship name='r' destinationEntity='E'/>
            <relationship name='m' toMany='YES' destinationEntity='E'/>
            """)
        let attribute = try #require(entity.attributesByName["a"])
        #expect(!attribute.isOptional)
        #expect(attribute.attributeType == .undefinedAttributeType)
        #expect(attribute.defaultValue == nil)
        #expect(attribute.userInfo?.isEmpty == true)
        let relationship = try #require(entity.relationshipsByName["r"])
        #expect(!relationship.isToMany)
        #expect(relationship.minCount == 0)
        #expect(relationship.deleteRule == .nullifyDeleteRule)
        #expect(relationship.inverseRelationship == nil)
        #expect(entity.relationshipsByName["m"]?.maxCount == 0)
        #expect(entity.managedObjectClassName == "NSManagedObject")
    }

    @Test("The settings of an attribute are read")
    func attributeSettings() throws {
        let (_, entity) = try entity(
            """
            <attribute name='a' optional='YES' transient='YES' attributeType='Binary'
                allowsExternalBinaryDataStorage='YES' preserveAfterDeletion='YES'
                allowsCloudEncryption='YES' versionHashModifier='v' elementID='old'>
                <userInfo><entry key='k' value='&lt;v&#33;'/></userInfo>
            </attribute>
            <attribute name='t' attributeType='Transformable' valueTransformerName='T'
                customClassName='Color'/>
            """)
        let attribute = try #require(entity.attributesByName["a"])
        #expect(attribute.isOptional)
        #expect(attribute.isTransient)
        #expect(attribute.allowsExternalBinaryDataStorage)
        #expect(attribute.preservesValueInHistoryOnDeletion)
        #expect(attribute.allowsCloudEncryption)
        #expect(attribute.versionHashModifier == "v")
        #expect(attribute.renamingIdentifier == "old")
        #expect(attribute.userInfo?["k"] as? String == "<v!")
        let transformable = try #require(entity.attributesByName["t"])
        #expect(transformable.valueTransformerName == "T")
        #expect(transformable.attributeValueClassName == "Color")
    }

    @Test(
        "Default values have the attribute's type",
        arguments: [
            ("Integer 16", "-3", NSNumber(value: -3)),
            ("Integer 32", "NO", NSNumber(value: 0)),
            ("Integer 64", "9007199254740993", NSNumber(value: 9_007_199_254_740_993)),
            ("Double", "2.5", NSNumber(value: 2.5)),
            ("Float", "0.5", NSNumber(value: Float(0.5))),
            ("Boolean", "YES", NSNumber(value: true)),
            ("Boolean", "0", NSNumber(value: false)),
            ("Decimal", "12.34", NSDecimalNumber(string: "12.34")),
        ])
    func numericDefaults(type: String, text: String, expected: NSNumber) throws {
        let (_, entity) = try entity(
            "<attribute name='a' attributeType='\(type)' defaultValueString='\(text)'/>")
        #expect(entity.attributesByName["a"]?.defaultValue as? NSNumber == expected)
    }

    @Test("An empty string is a default, and dates count from 2001")
    func otherDefaults() throws {
        let (_, entity) = try entity(
            """
            <attribute name='s' attributeType='String' defaultValueString=''/>
            <attribute name='d' attributeType='Date' defaultDateTimeInterval='86400'/>
            <attribute name='u' attributeType='UUID'
                defaultValueString='C2D9AB0C-6E5F-4F6E-8A3E-2F0C1B2A3D4E'/>
            <attribute name='l' attributeType='URI' defaultValueString='https://example.com'/>
            """)
        let attributes = entity.attributesByName
        #expect(attributes["s"]?.defaultValue as? String == "")
        #expect(
            attributes["d"]?.defaultValue as? Date == Date(timeIntervalSinceReferenceDate: 86400))
        #expect(
            attributes["u"]?.defaultValue as? UUID
                == UUID(uuidString: "C2D9AB0C-6E5F-4F6E-8A3E-2F0C1B2A3D4E"))
        #expect(attributes["l"]?.defaultValue as? URL == URL(string: "https://example.com"))
    }

    @Test("Relationships are linked with their destinations and inverses")
    func relationships() throws {
        let model = try readModel(
            """
            <entity name='A'>
                <relationship name='bs' optional='YES' toMany='YES' ordered='YES' minCount='1'
                    maxCount='9' deletionRule='Cascade' destinationEntity='B' inverseName='a'
                    inverseEntity='B'/>
            </entity>
            <entity name='B'>
                <relationship name='a' maxCount='1' deletionRule='Deny' destinationEntity='A'
                    inverseName='bs' inverseEntity='A'/>
                <relationship name='n' maxCount='1' deletionRule='No Action'
                    destinationEntity='B'/>
            </entity>
            """)
        let bs = try #require(model.entitiesByName["A"]?.relationshipsByName["bs"])
        let a = try #require(model.entitiesByName["B"]?.relationshipsByName["a"])
        #expect(bs.destinationEntity?.name == "B")
        #expect(bs.inverseRelationship === a)
        #expect(a.inverseRelationship === bs)
        #expect(bs.isOrdered && bs.isToMany && bs.isOptional)
        #expect((bs.minCount, bs.maxCount) == (1, 9))
        #expect(bs.deleteRule == .cascadeDeleteRule)
        #expect(a.deleteRule == .denyDeleteRule)
        let n = model.entitiesByName["B"]?.relationshipsByName["n"]
        #expect(n?.deleteRule == .noActionDeleteRule)
    }

    @Test("Inheritance is read in any order of the file, and over several steps")
    func inheritance() throws {
        let model = try readModel(
            """
            <entity name='C' parentEntity='B'/>
            <entity name='B' parentEntity='A'><attribute name='b' attributeType='String'/></entity>
            <entity name='A' isAbstract='YES'><attribute name='a' attributeType='String'/></entity>
            """)
        let c = try #require(model.entitiesByName["C"])
        #expect(c.attributesByName.keys.sorted() == ["a", "b"])
        #expect(c.superentity?.superentity?.isAbstract == true)
        #expect(model.entities.count == 3)
    }

    @Test(
        "The class of an entity is read with and without a module",
        arguments: [
            ("", "NSManagedObject"), (".Clock", NSStringFromClass(Clock.self)),
            (".Unknown", "Unknown"), ("Clock", "Clock"),
            ("App.Clock", "App.Clock"),
        ])
    func className(text: String, expected: String) throws {
        let model = try readModel("<entity name='E' representedClassName='\(text)'/>")
        #expect(model.entitiesByName["E"]?.managedObjectClassName == expected)
    }

    @Test("Constraints, indexes and configurations are read")
    func constraints() throws {
        let (model, entity) = try entity(
            """
            <attribute name='a' attributeType='String'/><attribute name='b' attributeType='Date'/>
            <fetchIndex name='byDate'>
                <fetchIndexElement property='b' type='Binary' order='descending'/>
                <fetchIndexElement property='a' type='Binary' order='ascending'/>
            </fetchIndex>
            <uniquenessConstraints>
                <uniquenessConstraint><constraint value='a'/></uniquenessConstraint>
                <uniquenessConstraint>
                    <constraint value='a'/><constraint value='b'/>
                </uniquenessConstraint>
            </uniquenessConstraints>
            </entity><entity name='F'/>
            <configuration name='Half'><memberEntity name='F'/></configuration><entity name='G'>
            """)
        #expect(entity.uniquenessConstraints as? [[String]] == [["a"], ["a", "b"]])
        let index = try #require(entity.indexes.first)
        #expect(index.name == "byDate")
        #expect(index.entity === entity)
        #expect(index.elements.map(\.propertyName) == ["b", "a"])
        #expect(index.elements.map(\.isAscending) == [false, true])
        #expect(model.entities(forConfigurationName: "Half")?.map(\.name) == ["F"])
    }

    @Test("A composite attribute has the elements of its type")
    func composite() throws {
        let model = try readModel(
            """
            <entity name='E'>
                <attribute name='place' attributeType='Composite' composite='Coordinate'/>
            </entity>
            <composite name='Coordinate'>
                <attribute name='latitude' attributeType='Double'/>
                <attribute name='longitude' attributeType='Double'/>
            </composite>
            """)
        let place = model.entitiesByName["E"]?.attributesByName["place"]
        let composite = try #require(place as? NSCompositeAttributeDescription)
        #expect(composite.elements.map(\.name) == ["latitude", "longitude"])
    }

    @Test("The current version of a versioned model is read")
    func versions() throws {
        let directory = try TemporaryDirectory()
        for name in ["One", "Two", "Three"] {
            _ = try directory.writeModel(
                "M.xcdatamodeld/\(name).xcdatamodel", body: "<entity name='\(name)'/>")
        }
        _ = try directory.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
            "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
            <key>_XCCurrentVersionName</key><string>Two.xcdatamodel</string>
            </dict></plist>
            """, to: "M.xcdatamodeld/.xccurrentversion")
        let url = directory.url.appendingPathComponent("M.xcdatamodeld")
        #expect(NSManagedObjectModel(contentsOf: url)?.entities.map(\.name) == ["Two"])
    }

    @Test("Without an entry for the current version, the one named like the model is read")
    func versionWithoutNote() throws {
        let directory = try TemporaryDirectory()
        for name in ["A", "M"] {
            _ = try directory.writeModel(
                "M.xcdatamodeld/\(name).xcdatamodel", body: "<entity name='\(name)'/>")
        }
        let url = directory.url.appendingPathComponent("M.xcdatamodeld")
        #expect(try NSManagedObjectModel(readingFrom: url).entities.map(\.name) == ["M"])
    }
}
