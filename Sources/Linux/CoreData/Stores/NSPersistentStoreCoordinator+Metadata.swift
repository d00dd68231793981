import FoundationGaps

/// Stores that were not added.
extension NSPersistentStoreCoordinator {
    /// The metadata of a store, without adding it.
    ///
    /// - Throws: `CocoaError.persistentStoreInvalidType` for an unknown type, and what the store
    ///   class throws.
    public class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try StoreRegistry.shared.storeClass(for: storeType).metadataForPersistentStore(with: url)
    }

    /// The metadata of a store, without adding it.
    public class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
    }

    /// Replaces what a store notes about itself, without adding it.
    ///
    /// - Throws: `CocoaError.persistentStoreInvalidType` for an unknown type, and what the store
    ///   class throws.
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try StoreRegistry.shared.storeClass(for: storeType)
            .setMetadata(metadata, forPersistentStoreAt: url)
    }

    /// Replaces what a store notes about itself, without adding it.
    public class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType,
        at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(
            metadata, forPersistentStoreOfType: storeType.rawValue, at: storeURL, options: options)
    }

    /// What a store of any registered type notes about itself, without adding it.
    ///
    /// - Parameters:
    ///   - storeType: The type; nil to ask all registered classes.
    ///   - url: Where the store keeps its data.
    public class func metadataForPersistentStore(
        ofType storeType: String?, at url: URL
    ) throws -> [String: Any] {
        if let storeType {
            return try metadataForPersistentStore(ofType: storeType, at: url, options: nil)
        }
        for storeClass in StoreRegistry.shared.all.values {
            // A class that cannot read the metadata is not the store's class.
            if let metadata = try? storeClass.metadataForPersistentStore(with: url) {
                return metadata
            }
        }
        throw CocoaError(.persistentStoreOpen, userInfo: [NSURLErrorKey: url])
    }

    /// Replaces what a store notes about itself, without adding it. The type must be given.
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: storeType ?? "", at: url, options: nil)
    }
}
