import CoreData
import Testing

@Suite struct RowSnapshotTests {
    private let entity: NSEntityDescription
    private let objectID: NSManagedObjectID

    init() throws {
        let stack = try TestStack()
        let store = try #require(stack.coordinator.persistentStores.first as? RecordingStore)
        entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Clock"])
        objectID = store.newObjectID(for: entity, decimalReference: 1)
    }

    private func place(_ name: String) throws -> Int {
        try #require(RowSnapshot.place(of: name, in: entity))
    }

    private func value(_ name: String, of node: NSIncrementalStoreNode) throws -> Any? {
        node.value(for: try #require(entity.propertiesByName[name]))
    }

    @Test("A node has the values that were set at their places")
    func values() throws {
        var values = RowSnapshot(for: entity)
        values.set(.string("a"), at: try place("label"))
        values.set(.integer(70_000), at: try place("position"))
        values.setDestination(objectID, at: try place("dial"))
        values.setDestination(nil, at: try place("folder"))
        let node = NSIncrementalStoreNode(objectID: objectID, values: values, version: 5)
        #expect(node.version == 5)
        #expect(try value("label", of: node) as? String == "a")
        #expect(try value("position", of: node) as? Int == 70_000)
        #expect(try value("dial", of: node) as? NSManagedObjectID == objectID)
        #expect(try value("folder", of: node) is NSNull)
    }

    @Test("Attributes that were not set are nil, relationships unknown")
    func blank() throws {
        let node = NSIncrementalStoreNode(
            objectID: objectID, values: RowSnapshot(for: entity), version: 1)
        for name in ["label", "position", "note", "dial", "tags"] {
            #expect(try value(name, of: node) == nil, "\(name)")
        }
    }

    @Test("A name without a property in the entity has no place")
    func unknownName() {
        #expect(RowSnapshot.place(of: "nonsense", in: entity) == nil)
    }

    @Test("An object gives its values and destinations by their places")
    func reading() throws {
        let stack = try TestStack()
        let clock = stack.insertClock("a")
        let dial = stack.insert("Dial")
        clock.setValue(dial, forKey: "dial")
        try stack.context.save()
        #expect(clock.attributeValue(at: try place("label")).object as? String == "a")
        #expect(clock.attributeValue(at: try place("note")).object == nil)
        #expect(clock.destinationID(at: try place("dial")) == dial.objectID)
        #expect(clock.destinationID(at: try place("folder")) == nil)
    }
}
