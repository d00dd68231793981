import CoreData
import Testing

@Suite struct ObjectIDTests {
    @Test("A new object has a temporary ID until it is saved")
    func temporary() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        let temporary = clock.objectID
        #expect(temporary.isTemporaryID)
        #expect(temporary.persistentStore == nil)
        let last = temporary.uriRepresentation().lastPathComponent
        #expect(last.first == "t")
        #expect(UUID(uuidString: String(last.dropFirst())) != nil)
        try stack.context.save()
        #expect(!clock.objectID.isTemporaryID)
        #expect(clock.objectID != temporary)
        #expect(clock.objectID.persistentStore === stack.coordinator.persistentStores.first)
    }

    @Test("A permanent ID prints as store, entity and reference")
    func uri() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        try stack.context.save()
        let uuid = try #require(stack.coordinator.persistentStores.first?.identifier)
        #expect(
            clock.objectID.uriRepresentation().absoluteString
                == "x-coredata://\(uuid)/Clock/p1")
    }

    @Test("The ID of a subentity's object names the subentity")
    func subentity() throws {
        let stack = try TestStack()
        let alarm = stack.insert("AlarmClock")
        try stack.context.save()
        #expect(alarm.objectID.entity.name == "AlarmClock")
        let fetched = try stack.newContext().fetch(NSFetchRequest<Clock>(entityName: "Clock"))
        #expect(fetched.map(\.objectID) == [alarm.objectID])
    }

    @Test("IDs of one row are equal and hash alike")
    func equality() throws {
        let stack = try TestStack()
        let store = try #require(stack.coordinator.persistentStores.first as? RecordingStore)
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Clock"])
        let other = try #require(stack.coordinator.managedObjectModel.entitiesByName["Tag"])
        let first = store.newObjectID(for: entity, referenceObject: "7")
        let second = store.newObjectID(for: entity, referenceObject: "7")
        #expect(first == second)
        #expect(first.hash == second.hash)
        #expect(Set([first, second]).count == 1)
        #expect(first != store.newObjectID(for: entity, referenceObject: "8"))
        #expect(first != store.newObjectID(for: other, referenceObject: "7"))
        #expect(store.referenceObject(for: first) as? String == "7")
    }

    @Test(
        "Strings that spell the same number are IDs of different objects, and survive a round trip",
        arguments: ["7", "07", "+7", "-7", "-0", "0", " 7", "9223372036854775808"])
    func numericTexts(_ text: String) throws {
        let stack = try TestStack()
        let store = try #require(stack.coordinator.persistentStores.first as? RecordingStore)
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Clock"])
        let objectID = store.newObjectID(for: entity, referenceObject: text)
        #expect(store.referenceObject(for: objectID) as? String == text)
        #expect((objectID == store.newObjectID(for: entity, referenceObject: "7")) == (text == "7"))
    }

    @Test("A number comes back from its URI as a string")
    func numberReference() throws {
        let stack = try TestStack()
        let store = try #require(stack.coordinator.persistentStores.first as? RecordingStore)
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Clock"])
        let objectID = store.newObjectID(for: entity, referenceObject: 42)
        #expect(objectID.uriRepresentation().lastPathComponent == "p42")
        let back = try #require(
            stack.coordinator.managedObjectID(
                forURIRepresentation: objectID.uriRepresentation()))
        #expect(store.referenceObject(for: back) as? String == "42")
    }

    @Test("Spaces are escaped in a URI, slashes are not, and nothing is decoded again")
    func escapes() throws {
        let stack = try TestStack()
        let store = try #require(stack.coordinator.persistentStores.first as? RecordingStore)
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Clock"])
        let objectID = store.newObjectID(for: entity, referenceObject: "key with/slash")
        let url = objectID.uriRepresentation()
        #expect(url.absoluteString.hasSuffix("/Clock/pkey%20with/slash"))
        let back = try #require(stack.coordinator.managedObjectID(forURIRepresentation: url))
        #expect(store.referenceObject(for: back) as? String == "key%20with/slash")
    }

    @Test(
        "A URI without a meaning here gives no ID",
        arguments: [
            "x-coredata://00000000-0000-0000-0000-000000000000/Clock/p1", "http://a/Clock/p1",
            "x-coredata:///Clock/t1",
        ])
    func foreignURI(_ text: String) throws {
        let stack = try TestStack()
        let url = try #require(URL(string: text))
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: url) == nil)
    }

    @Test("An entity that the model does not have gives no ID")
    func unknownEntity() throws {
        let stack = try TestStack()
        let uuid = try #require(stack.coordinator.persistentStores.first?.identifier)
        let url = try #require(URL(string: "x-coredata://\(uuid)/Nothing/p1"))
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: url) == nil)
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @Test("The text of a URI gives an ID, too")
    func text() throws {
        let stack = try TestStack()
        let uuid = try #require(stack.coordinator.persistentStores.first?.identifier)
        #expect(stack.coordinator.managedObjectID(for: "x-coredata://\(uuid)/Clock/p1") != nil)
    }

    @Test("An ID survives a relaunch as its URI")
    func relaunch() throws {
        let stack = try TestStack()
        let clock = stack.insertClock("noon")
        try stack.context.save()
        let url = clock.objectID.uriRepresentation()
        let again = try TestStack(url: stack.url)
        let objectID = try #require(again.coordinator.managedObjectID(forURIRepresentation: url))
        #expect((try again.context.existingObject(with: objectID) as? Clock)?.label == "noon")
    }

    @Test("Permanent IDs can be obtained before the save")
    func obtainPermanentIDs() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        try stack.context.obtainPermanentIDs(for: [clock])
        let objectID = clock.objectID
        #expect(!objectID.isTemporaryID)
        #expect(stack.context.object(with: objectID) === clock)
        #expect(clock.isInserted)
        try stack.context.save()
        #expect(clock.objectID == objectID)
        #expect(stack.database.calls.filter { $0.hasPrefix("permanentIDs") }.count == 1)
    }

    @Test("The store learns a new object's ID only after the save")
    func registrationOfPermanentIDs() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        try stack.context.obtainPermanentIDs(for: [clock])
        #expect(!stack.database.calls.contains { $0.hasPrefix("register") })
        try stack.context.save()
        #expect(stack.database.calls.last == "register 1")
    }
}
