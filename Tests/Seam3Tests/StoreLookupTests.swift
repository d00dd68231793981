import CoreData
import Seam3
import Testing

@Suite("Asking a container for its SMStore") struct StoreLookupTests {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func container(
        _ type: String? = SMStore.type, at names: String..., loads: Bool = true
    ) throws -> NSPersistentContainer {
        SMStore.registerStoreClass()
        let container = NSPersistentContainer(name: "Shop", managedObjectModel: ShopModel.make())
        container.persistentStoreDescriptions = names.map { name in
            let description = NSPersistentStoreDescription(
                url: folder.url.appendingPathComponent(name))
            if let type { description.type = type }
            return description
        }
        if loads { container.loadPersistentStores { _, _ in } }
        return container
    }

    /// The text of the error for a container.
    private func failure(_ container: NSPersistentContainer, at url: URL? = nil) -> String {
        let error = #expect(throws: SMStoreError.noStore("")) {
            try SMStore.store(in: container, at: url)
        }
        return error?.localizedDescription ?? ""
    }

    @Test("returns the store that was loaded, also beside a store of another type")
    func found() throws {
        let container = try container(at: "Store.sqlite")
        #expect(try SMStore.store(in: container).url?.lastPathComponent == "Store.sqlite")
        try container.persistentStoreCoordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        #expect(try SMStore.store(in: container).url?.lastPathComponent == "Store.sqlite")
        #expect(try SMStore.store(in: container.persistentStoreCoordinator).type == SMStore.type)
    }

    @Test("says that nothing is loaded")
    func notLoaded() throws {
        let text = failure(try container(at: "Store.sqlite", loads: false))
        #expect(
            text.hasPrefix("There is no SMStore: the container has not loaded a store."), "\(text)")
        #expect(text.contains("loadPersistentStores"), "\(text)")
    }

    @Test(
        "names the type of a description that lacks SMStore's, before it is loaded and after",
        arguments: [false, true])
    func otherType(loads: Bool) throws {
        let text = failure(try container(NSInMemoryStoreType, at: "Store.sqlite", loads: loads))
        #expect(text.contains(NSInMemoryStoreType), "\(text)")
        #expect(text.contains("SMStore.type before loadPersistentStores"), "\(text)")
    }

    @Test("says that the only store is in memory")
    func inMemory() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShopModel.make())
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let error = #expect(throws: SMStoreError.self) { try SMStore.store(in: coordinator) }
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("the coordinator has only a store in memory (InMemory)."), "\(text)")
    }

    @Test("requires a URL if there are several, and finds the one at that URL")
    func several() throws {
        let container = try container(at: "First.sqlite", "Second.sqlite")
        let text = failure(container)
        #expect(text.contains("First.sqlite, Second.sqlite"), "\(text)")
        let url = folder.url.appendingPathComponent("Second.sqlite")
        #expect(try SMStore.store(in: container, at: url).url == url)
        let other = failure(container, at: folder.url.appendingPathComponent("Third.sqlite"))
        #expect(other.contains("Third.sqlite"), "\(other)")
    }

    @Test("says that a coordinator is empty")
    func emptyCoordinator() {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ShopModel.make())
        let error = #expect(throws: SMStoreError.self) { try SMStore.store(in: coordinator) }
        #expect(error?.description.contains("the coordinator has no store") == true)
    }
}
