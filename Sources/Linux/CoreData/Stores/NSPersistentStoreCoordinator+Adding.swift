import FoundationGaps

/// Adding and removing stores.
extension NSPersistentStoreCoordinator {
    /// Adds a store of a type that a class is registered for.
    ///
    /// - Parameters:
    ///   - storeType: The type.
    ///   - configuration: Limits the store to the entities of a configuration; nil for all.
    ///   - storeURL: Where the store keeps its data; nil for one that keeps none.
    ///   - options: Options under the `NS…Option` keys, and the store's own.
    ///
    /// A store that was written with another model may migrate itself in `loadMetadata()`. One
    /// that does not is migrated here, if `NSMigratePersistentStoresAutomaticallyOption` is set.
    ///
    /// - Throws: What the store throws when it reads its metadata;
    ///   `CocoaError.persistentStoreInvalidType` for an unknown type,
    ///   `.persistentStoreTypeMismatch` if the store is of another type,
    ///   `.persistentStoreIncompatibleVersionHash` (134100) if it was written with another model,
    ///   and what a migration throws: `.migrationMissingSourceModel` (134130),
    ///   `.migrationMissingMappingModel` (134140) or `.migration` (134110).
    @discardableResult
    public func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        let url = storeURL ?? URL(fileURLWithPath: "/dev/null")
        let storeClass = try StoreRegistry.shared.storeClass(for: storeType, at: url)
        try checkAddition(of: url, configuration)
        let store = try locked {
            let location = MigrationStack.StoreLocation(
                url: url, type: storeType, options: options)
            let isReadOnly = options?[NSReadOnlyPersistentStoreOption] as? NSNumber
            // A migration opens the store that it replaces as read-only.
            if storeURL != nil, isReadOnly?.boolValue != true {
                try StoreReplacement(of: url).recover()
            }
            let store = try openMigrated(storeClass, location, configuration)
            try (store as? NSAtomicStore)?.load()
            append(store)
            return store
        }
        store.didAdd(to: self)
        post(.NSPersistentStoreCoordinatorStoresDidChange, [NSAddedPersistentStoresKey: [store]])
        return store
    }

    private func checkAddition(of url: URL, _ configuration: String?) throws {
        if let configuration,
            managedObjectModel.entities(forConfigurationName: configuration) == nil
        {
            raise(
                .invalidArgument,
                "Unable to find a configuration named '\(configuration)' in the specified "
                    + "managed object model.")
        }
        guard url.isNullDevice || persistentStore(for: url) == nil else {
            throw CocoaError(
                .persistentStoreOpen,
                userInfo: [
                    NSLocalizedDescriptionKey: "Can't add the same store twice",
                    NSURLErrorKey: url,
                ])
        }
    }

    /// Opens a store, and migrates it first if it was written with another model. The store's class has been asked
    /// before, with all options: one that migrates itself then leaves nothing to the stages.
    private func openMigrated(
        _ storeClass: NSPersistentStore.Type, _ location: MigrationStack.StoreLocation,
        _ configuration: String?
    ) throws -> NSPersistentStore {
        let options = location.options
        var store = try open(storeClass, location, configuration)
        if isCompatible(store, options: options) { return store }
        if let manager = options?[NSPersistentStoreStagedMigrationManagerOptionKey]
            as? NSStagedMigrationManager
        {
            store.detach()
            try StagedMigrationRun(
                manager: manager, url: location.url, storeType: location.type,
                configuration: configuration, options: options ?? [:]
            ).run(to: managedObjectModel)
            store = try open(storeClass, location, configuration)
            if isCompatible(store, options: options) { return store }
        }
        let metadata = store.metadata ?? [:]
        let migrates = options?[NSMigratePersistentStoresAutomaticallyOption] as? NSNumber
        guard migrates?.boolValue == true else { throw incompatibility(of: store, metadata) }
        store.detach()
        try migrateStore(at: location, configuration: configuration, metadata: metadata)
        let migrated = try open(storeClass, location, configuration)
        guard isCompatible(migrated, options: options) else {
            throw incompatibility(of: migrated, metadata)
        }
        return migrated
    }

    /// Adds a store of a type that a class is registered for.
    @discardableResult
    public func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: storeURL,
            options: options)
    }

    /// Adds a store as described.
    ///
    /// - Parameters:
    ///   - storeDescription: Which store, and whether the call waits for it.
    ///   - block: Called once with the description and the error.
    public func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let addition = Addition(description: storeDescription, completion: block)
        if storeDescription.shouldAddStoreAsynchronously {
            DispatchQueue.global().async { addition.run(on: self) }
        } else {
            addition.run(on: self)
        }
    }

    /// A described store that is to be added.
    ///
    /// Unchecked because it is passed to one queue, once, as in Apple's API.
    private struct Addition: @unchecked Sendable {
        let description: NSPersistentStoreDescription
        let completion: (NSPersistentStoreDescription, (any Error)?) -> Void

        func run(on coordinator: NSPersistentStoreCoordinator) {
            do {
                try coordinator.addPersistentStore(
                    ofType: description.type, configurationName: description.configuration,
                    at: description.url, options: description.options)
                completion(description, nil)
            } catch {
                completion(description, error)
            }
        }
    }

    /// Creates a store and loads its metadata.
    private func open(
        _ storeClass: NSPersistentStore.Type, _ location: MigrationStack.StoreLocation,
        _ configuration: String?
    ) throws -> NSPersistentStore {
        let store = storeClass.init(
            _storeArguments: _StoreArguments(
                coordinator: self, configurationName: configuration, url: location.url,
                options: location.options))
        store.registeredType = location.type
        try store.loadMetadata()
        try completeMetadata(of: store, at: location.url)
        try checkType(of: store, location.type)
        return store
    }

    // MARK: - Checks

    /// Adds entries that a new store left to the framework: its type, its UUID and the version
    /// hashes, which are needed to notice a later change of the model.
    private func completeMetadata(of store: NSPersistentStore, at url: URL) throws {
        var metadata = store.metadata ?? [:]
        let isNew = metadata[NSStoreUUIDKey] == nil
        if metadata[NSStoreTypeKey] == nil { metadata[NSStoreTypeKey] = store.type }
        if isNew {
            let identifier = (store as? NSIncrementalStore).map {
                type(of: $0).identifierForNewStore(at: url)
            }
            metadata[NSStoreUUIDKey] = identifier ?? UUID().uuidString
            metadata[NSStoreModelVersionHashesKey] = versionHashes(of: store)
            metadata[NSStoreModelVersionIdentifiersKey] = Array(
                managedObjectModel.versionIdentifiers)
        }
        store.metadata = metadata
        store.noteIdentifier()
    }

    private func versionHashes(of store: NSPersistentStore) -> [String: Data] {
        let entities =
            managedObjectModel.entities(forConfigurationName: store.configurationName) ?? []
        return Dictionary(
            entities.compactMap { entity in entity.name.map { ($0, entity.versionHash) } },
            uniquingKeysWith: { $1 })
    }

    private func checkType(of store: NSPersistentStore, _ type: String) throws {
        guard let stored = store.metadata?[NSStoreTypeKey] as? String, stored != type,
            stored != store.type
        else { return }
        throw CocoaError(
            .persistentStoreTypeMismatch,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The store is of type \(stored) and cannot be opened as \(type)."
            ])
    }

    private func isCompatible(
        _ store: NSPersistentStore, options: [AnyHashable: Any]?
    ) -> Bool {
        let ignores = options?[NSIgnorePersistentStoreVersioningOption] as? NSNumber
        guard ignores?.boolValue != true, let metadata = store.metadata,
            metadata[NSStoreModelVersionHashesKey] != nil
        else { return true }
        return managedObjectModel.isConfiguration(
            withName: store.configurationName, compatibleWithStoreMetadata: metadata)
    }

    private func incompatibility(
        of store: NSPersistentStore, _ metadata: [String: Any]
    ) -> CocoaError {
        CocoaError(
            .persistentStoreIncompatibleVersionHash,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The managed object model version used to open the persistent store is "
                    + "incompatible with the one that was used to create the persistent store.",
                "reason":
                    "The model used to open the store is incompatible with the one used to "
                    + "create the store",
                "metadata": metadata,
            ])
    }

    // MARK: - Removing

    /// Removes a store from the coordinator; its data is not deleted.
    ///
    /// - Throws: An error if the store is not one of the coordinator's.
    public func remove(_ store: NSPersistentStore) throws {
        guard persistentStores.contains(where: { $0 === store }) else {
            throw CocoaError(
                .persistentStoreOperation,
                userInfo: [
                    NSLocalizedDescriptionKey: "The store is not one of this coordinator's.",
                    NSAffectedStoresErrorKey: [store],
                ])
        }
        close(store)
    }

    /// Closes a store and removes it, unless it has been removed already.
    func close(_ store: NSPersistentStore) {
        post(.NSPersistentStoreCoordinatorWillRemoveStore, nil, about: store)
        locked {
            store.willRemove(from: self)
            drop(store)
            store.detach()
        }
        post(
            .NSPersistentStoreCoordinatorStoresDidChange, [NSRemovedPersistentStoresKey: [store]])
    }

    func post(
        _ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]?, about object: Any? = nil
    ) {
        NotificationCenter.default.post(name: name, object: object ?? self, userInfo: userInfo)
    }
}
