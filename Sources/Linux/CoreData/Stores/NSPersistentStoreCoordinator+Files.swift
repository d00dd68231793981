import FoundationGaps

/// Stores as files.
extension NSPersistentStoreCoordinator {
    /// Deletes a store and its contents.
    ///
    /// As on Apple's systems, the files that SQLite keeps beside the file at the URL are removed,
    /// and the file is replaced by an empty one, which is also created if there was none. A store
    /// class whose data is elsewhere must clean up itself.
    ///
    /// - Throws: `CocoaError.persistentStoreInvalidType` for an unknown type, `CocoaError.persistentStoreOpen` if there is
    ///   a folder or a device at the URL, and errors of the file system. A missing store is not an error, but a missing
    ///   folder is.
    public func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        _ = try StoreRegistry.shared.storeClass(for: storeType)
        try locked {
            if let store = persistentStore(for: url) { try remove(store) }
            guard storeType != NSInMemoryStoreType, !url.isNullDevice else { return }
            let files = StoreFiles(at: url)
            try files.check()
            try files.remove()
            // A new file instead of truncating the old one: processes that have the old one open
            // keep it.
            try Data().write(to: url)
        }
    }

    /// Deletes a store and its contents.
    public func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    /// Replaces one store with a copy of another. Neither may be open.
    ///
    /// - Throws: `CocoaError.persistentStoreInvalidType` for an unknown type, and errors of the
    ///   file system; an error if there is no source store.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        ofType storeType: String
    ) throws {
        guard FileManager.default.fileExists(atPath: sourceURL.path) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSURLErrorKey: sourceURL])
        }
        try StoreFiles(at: sourceURL).check()
        try destroyPersistentStore(at: destinationURL, ofType: storeType)
        guard !destinationURL.isNullDevice else { return }
        try StoreFiles(at: destinationURL).remove()
        let (source, destination) = (StoreFiles(at: sourceURL), StoreFiles(at: destinationURL))
        for (from, to) in zip(source.all, destination.all)
        where FileManager.default.fileExists(atPath: from.path) {
            try FileManager.default.copyItem(at: from, to: to)
        }
    }

    /// Replaces one store with a copy of another. Neither may be open.
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
