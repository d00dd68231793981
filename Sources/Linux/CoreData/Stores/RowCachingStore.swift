import FoundationGaps

// Linux-only.

/// An incremental store that caches what a fetch has read until the objects need it.
///
/// If a fetch contains `relationshipKeyPathsForPrefetching`, a context asks most stores for each
/// row and each relationship, and keeps the results. A store of this kind reads them with the fetch
/// and answers from its cache when a fault fires; the context keeps nothing.
public protocol RowCachingStore: NSIncrementalStore {
    /// The versions of objects' rows: those of the nodes that `newValuesForObject(with:with:)`
    /// would return, whose values a save does not need. Nil for objects that are gone.
    func rowVersions(of objectIDs: [NSManagedObjectID]) throws -> [UInt64?]
}
