import CoreData
import Seam3
import Testing

/// Core Data writes the hashes of all entities of the model into a store's metadata, and asks the
/// model before it opens a file whether it is the file's model.
@Suite("The version hashes in a store's metadata") struct VersionHashTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// A model with "Note" and, in another configuration, "Draft".
    private static func model(
        draft: [String] = ["text"], others: [String] = []
    ) -> NSManagedObjectModel {
        func entity(_ name: String, _ attributes: [String]) -> NSEntityDescription {
            NSEntityDescription(
                name, attributes.map { NSAttributeDescription($0, .stringAttributeType) })
        }
        let note = entity("Note", ["name"])
        let more = others.map { entity($0, ["name"]) }
        let model = NSManagedObjectModel()
        model.entities = [note, entity("Draft", draft)] + more
        model.setEntities([note] + more, forConfigurationName: "Kept")
        return model
    }

    private func open(
        _ model: NSManagedObjectModel, migrates: Bool = false
    ) throws -> (coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore) {
        SMStore.registerStoreClass()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: SMStore.type, configurationName: "Kept", at: folder.store,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: migrates,
                NSInferMappingModelAutomaticallyOption: migrates,
            ])
        (store as? SMStore)?.syncAutomatically = false
        return (coordinator, store)
    }

    private func metadata() throws -> [String: Any] {
        try SMStore.metadataForPersistentStore(with: folder.store)
    }

    private func close(
        _ opened: (coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore)
    ) throws {
        try opened.coordinator.remove(opened.store)
    }

    @Test("are those of all entities, with the version of the model that created them")
    func allEntities() throws {
        let model = Self.model()
        try close(open(model))
        let metadata = try metadata()
        let hashes = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        #expect(hashes == model.entityVersionHashesByName)
        #expect(Set(hashes.keys) == ["Note", "Draft"])
        #expect(metadata["NSStoreModelVersionHashesVersion"] as? Int == 3)
        #expect(model.isConfiguration(withName: "Kept", compatibleWithStoreMetadata: metadata))
    }

    @Test("of another configuration's entities may change without a migration")
    func otherConfiguration() throws {
        try close(open(Self.model()))
        let changed = Self.model(draft: ["text", "title"])
        try close(open(changed))
        let hashes = try metadata()[NSStoreModelVersionHashesKey] as? [String: Data]
        #expect(hashes == changed.entityVersionHashesByName)
    }

    @Test("distinguish a model that has more or fewer entities than the file from the file's own")
    func entities() throws {
        try close(open(Self.model(others: ["Tag"])))
        #expect(throws: CocoaError.self) { try open(Self.model()) }
        try close(open(Self.model(), migrates: true))
        #expect(throws: CocoaError.self) { try open(Self.model(others: ["Tag"])) }
        try close(open(Self.model(others: ["Tag"]), migrates: true))
    }

    @Test("explain for a file that waits for a mapping model why requests fail")
    func awaitingMapping() throws {
        try close(open(Self.model()))
        let other = Self.model(others: ["Tag"])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: other)
        let store = SMStore(
            persistentStoreCoordinator: coordinator, configurationName: "Kept", at: folder.store,
            options: [NSMigratePersistentStoresAutomaticallyOption: true])
        try store.loadMetadata()
        #expect(store.metadata?[NSStoreModelVersionHashesKey] != nil)
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        request.entity = other.entitiesByName["Note"]
        do {
            _ = try store.execute(request, with: nil)
            Issue.record("The request has an answer.")
        } catch {
            #expect((error as NSError).code == 134100)
            #expect((error as NSError).domain == NSCocoaErrorDomain)
        }
    }

    @Test("are made with the folder of the file, if it does not exist yet")
    func missingFolder() throws {
        let url = folder.url.appendingPathComponent("one/two/Store.sqlite")
        let stack = try StoreStack(at: url, model: Self.model())
        try stack.add("Note", "first")
        #expect(try stack.names("Note") == ["first"])
    }
}
