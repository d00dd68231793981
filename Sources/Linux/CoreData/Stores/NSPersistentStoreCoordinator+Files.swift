import FoundationGaps

/// Stores as files.
extension NSPersistentStoreCoordinator {
    /// Removes a store and everything in it.
    ///
    /// What SQLite keeps beside the file at the URL is removed, and the file is an empty one
    /// afterward, as on Apple's systems. A store class whose data lies elsewhere has to clean up
    /// itself.
    ///
    /// - Throws: `CocoaError.persistentStoreInvalidType` for an unknown type, and what the file
    ///   system throws. A store that does not exist is no error.
    public func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        _ = try StoreRegistry.shared.storeClass(for: storeType)
        try locked {
            if let store = persistentStore(for: url) { try remove(store) }
            guard storeType != NSInMemoryStoreType, !url.isNullDevice else { return }
            let isThere = FileManager.default.fileExists(atPath: url.path)
            try StoreFiles(at: url).remove()
            // A new file, and not the old one made empty: who still has that one open keeps it.
            if isThere { try Data().write(to: url) }
        }
    }

    /// Removes a store and everything in it.
    public func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    /// Puts a copy of one store in the place of another. Neither may be open.
    ///
    /// - Throws: `CocoaError.persistentStoreInvalidType` for an unknown type, and what the file
    ///   system throws; an error if there is nothing at the source.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        ofType storeType: String
    ) throws {
        guard FileManager.default.fileExists(atPath: sourceURL.path) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSURLErrorKey: sourceURL])
        }
        try destroyPersistentStore(at: destinationURL, ofType: storeType)
        guard !destinationURL.isNullDevice else { return }
        try StoreFiles(at: destinationURL).remove()
        let (source, destination) = (StoreFiles(at: sourceURL), StoreFiles(at: destinationURL))
        for (from, to) in zip(source.all, destination.all)
        where FileManager.default.fileExists(atPath: from.path) {
            try FileManager.default.copyItem(at: from, to: to)
        }
    }

    /// Puts a copy of one store in the place of another. Neither may be open.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type sourceType: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions,
            withPersistentStoreFrom: sourceURL, sourceOptions: sourceOptions,
            ofType: sourceType.rawValue)
    }
}
