import CoreData
import Testing

extension ObjectIDTests {
    @Test("An ID made of a number is the one made of its decimal form")
    func decimalReference() throws {
        let stack = try TestStack()
        let store = try #require(stack.coordinator.persistentStores.first as? RecordingStore)
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Clock"])
        let objectID = store.newObjectID(for: entity, decimalReference: -12)
        #expect(objectID == store.newObjectID(for: entity, referenceObject: "-12"))
        #expect(objectID.uriRepresentation().lastPathComponent == "p-12")
        #expect(store.decimalReference(for: objectID) == -12)
    }

    @Test("Only IDs of the store whose reference is the decimal form of a number have one")
    func noDecimalReference() throws {
        let stack = try TestStack()
        let other = try TestStack()
        let store = try #require(stack.coordinator.persistentStores.first as? RecordingStore)
        let foreign = try #require(other.coordinator.persistentStores.first as? RecordingStore)
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Clock"])
        let objectIDs = [
            store.newObjectID(for: entity, referenceObject: "a"),
            store.newObjectID(for: entity, referenceObject: 7),
            foreign.newObjectID(for: entity, referenceObject: "7"),
            stack.insertClock("a").objectID,
        ]
        for objectID in objectIDs { #expect(store.decimalReference(for: objectID) == nil) }
    }
}
