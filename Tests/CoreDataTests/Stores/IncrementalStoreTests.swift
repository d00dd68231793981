import CoreData
import Testing

@Suite struct IncrementalStoreTests {
    func clockID(_ stack: TestStack) throws -> NSManagedObjectID {
        let store = try #require(stack.coordinator.persistentStores.first as? RecordingStore)
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Clock"])
        return store.newObjectID(for: entity, referenceObject: "1")
    }

    @Test("A node keeps attributes and to-ones, and drops everything else")
    func node() throws {
        let stack = try TestStack()
        let objectID = try clockID(stack)
        let properties = objectID.entity.propertiesByName
        let node = NSIncrementalStoreNode(
            objectID: objectID,
            withValues: [
                "label": "a", "position": 3, "folder": NSNull(), "dial": objectID, "nonsense": 1,
            ], version: 5)
        #expect(node.version == 5)
        #expect(node.objectID == objectID)
        #expect(node.value(for: try #require(properties["label"])) as? String == "a")
        #expect(node.value(for: try #require(properties["position"])) as? Int == 3)
        #expect(node.value(for: try #require(properties["note"])) == nil)
        #expect(node.value(for: try #require(properties["folder"])) is NSNull)
        #expect(
            node.value(for: try #require(properties["dial"])) as? NSManagedObjectID == objectID)
        #expect(node.value(for: try #require(properties["tags"])) == nil)
    }

    @Test("An update of a node replaces all values")
    func nodeUpdate() throws {
        let objectID = try clockID(try TestStack())
        let label = try #require(objectID.entity.propertiesByName["label"])
        let node = NSIncrementalStoreNode(
            objectID: objectID, withValues: ["label": "a"], version: 1)
        node.update(withValues: ["note": "b"], version: 2)
        #expect(node.value(for: label) == nil)
        #expect(node.version == 2)
    }

    @Test("The identifier of a new store is a UUID by default")
    func identifier() {
        let identifier = NSIncrementalStore.identifierForNewStore(
            at: URL(fileURLWithPath: "/a"))
        #expect((identifier as? String).flatMap(UUID.init(uuidString:)) != nil)
    }

    @Test("Before a save the rows of changed and deleted objects are asked for, then it executes")
    func conflictDetection() throws {
        let stack = try TestStack()
        let (changed, deleted) = (stack.insertClock("1"), stack.insertClock("2"))
        try stack.context.save()
        changed.label = "x"
        stack.context.delete(deleted)
        stack.database.clearCalls()
        try stack.context.save()
        #expect(
            stack.database.calls == [
                "values Clock", "values Clock", "save 0 1 1 0", "unregister 1",
            ])
    }

    @Test("The objects of a save have permanent IDs and the sets are empty afterward")
    func saveRequest() throws {
        let stack = try TestStack()
        _ = stack.insertClock()
        try stack.context.save()
        let request = stack.database.with { $0.requests.last } as? NSSaveChangesRequest
        #expect(request?.insertedObjects?.isEmpty == true)
        #expect(request?.requestType == .saveRequestType)
    }

    @Test("A failed save leaves the changes and the permanent IDs")
    func failedSave() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        stack.database.with { $0.saveFailures = [CocoaError(.fileWriteOutOfSpace)] }
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .fileWriteOutOfSpace)
        #expect(stack.context.insertedObjects == [clock])
        #expect(!clock.objectID.isTemporaryID)
        try stack.context.save()
        #expect(stack.database.row(clock.objectID) != nil)
    }

    @Test("A reference object of another store is refused")
    func foreignID() async {
        await #expect(processExitsWith: .failure) {
            let (first, second) = (try TestStack(), try TestStack())
            let clock = first.insertClock()
            try first.context.save()
            let store = second.coordinator.persistentStores.first as? RecordingStore
            _ = store?.referenceObject(for: clock.objectID)
        }
    }

    @Test("The bare class executes nothing")
    func bare() throws {
        let store = NSIncrementalStore(
            persistentStoreCoordinator: nil, configurationName: nil,
            at: URL(fileURLWithPath: "/a"))
        let request = NSSaveChangesRequest(
            inserted: nil, updated: nil, deleted: nil, locked: nil)
        let error = #expect(throws: CocoaError.self) { try store.execute(request, with: nil) }
        #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }

    @Test("Setting the metadata of a store adds the versions of the model")
    func versionsInMetadata() throws {
        let stack = try TestStack()
        let model = stack.coordinator.managedObjectModel
        let store = try #require(stack.coordinator.persistentStores.first)
        store.metadata = [NSStoreUUIDKey: "u", NSStoreTypeKey: store.type]
        #expect(
            store.metadata?[NSStoreModelVersionHashesKey] as? [String: Data]
                == model.entityVersionHashesByName)
        #expect(store.metadata?["NSStoreModelVersionHashesVersion"] as? Int == 3)
        let old: [String: Any] = [
            NSStoreUUIDKey: "u", NSStoreTypeKey: store.type,
            NSStoreModelVersionHashesKey: ["Clock": Data([1])],
        ]
        store.metadata = old
        #expect(
            store.metadata?[NSStoreModelVersionHashesKey] as? [String: Data]
                == ["Clock": Data([1])])
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: store.metadata))
    }
}
