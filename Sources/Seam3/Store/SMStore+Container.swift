import CoreData

/// Finding the store of a container.
extension SMStore {
    /// The store of a container, after the container has loaded its stores.
    ///
    ///     let store = try SMStore.store(in: container)
    ///     try await store.sync()
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - url: The store's file, if the container has several stores of this class.
    /// - Returns: The store.
    /// - Throws: ``SMStoreError/noStore(_:)`` if there is none, with the reason: nothing is loaded, loading failed, or the
    ///   description has another type.
    @nonobjc public static func store(
        in container: NSPersistentContainer, at url: URL? = nil
    ) throws -> SMStore {
        let coordinator = container.persistentStoreCoordinator
        guard coordinator.persistentStores.isEmpty else {
            return try store(in: coordinator, at: url)
        }
        let descriptions = container.persistentStoreDescriptions
        if let other = descriptions.first, !descriptions.contains(where: { $0.type == type }) {
            throw SMStoreError.noStore(
                "the description \(name(of: other.url)) has the type \(other.type). Set its type to SMStore.type before"
                    + " loadPersistentStores is called")
        }
        throw SMStoreError.noStore(
            "the container has not loaded a store. Call loadPersistentStores first, and check the error that it passes"
                + " to its completion handler")
    }

    /// The store of a coordinator.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator.
    ///   - url: The store's file, if the coordinator has several stores of this class.
    /// - Returns: The store.
    /// - Throws: ``SMStoreError/noStore(_:)`` if there is none, with the reason.
    @nonobjc public static func store(
        in coordinator: NSPersistentStoreCoordinator, at url: URL? = nil
    ) throws -> SMStore {
        let opened = coordinator.persistentStores
        let all = opened.compactMap { $0 as? SMStore }
        let found =
            url.map { url in all.filter { $0.url?.standardizedFileURL == url.standardizedFileURL } }
            ?? all
        switch found.count {
        case 1: return found[0]
        case 0: break
        default:
            throw SMStoreError.noStore(
                "there are \(found.count): \(found.map { name(of: $0.url) }.joined(separator: ", ")). Pass the URL of one"
            )
        }
        if opened.isEmpty {
            throw SMStoreError.noStore(
                "the coordinator has no store. Add one of the type SMStore.type first")
        }
        let others = opened.map(description).joined(separator: ", ")
        guard let url, !all.isEmpty else {
            throw SMStoreError.noStore(
                "the coordinator has only \(others). Set the description's type to SMStore.type before"
                    + " loadPersistentStores is called")
        }
        throw SMStoreError.noStore("the coordinator has no store at \(url.path), but \(others)")
    }

    private static func description(of store: NSPersistentStore) -> String {
        // The URL of a store in memory is /dev/null.
        store.type == NSInMemoryStoreType
            ? "a store in memory (\(store.type))"
            : "\(name(of: store.url)) of the type \(store.type)"
    }

    private static func name(of url: URL?) -> String { url?.lastPathComponent ?? "without a file" }
}
