import FoundationGaps

// Linux-only.

/// An incremental store that caches what a fetch has read until the objects need it.
///
/// If a fetch contains `relationshipKeyPathsForPrefetching`, a context asks most stores for each
/// row and each relationship, and keeps the results. A store of this kind reads them with the fetch
/// and answers from its cache when a fault fires; the context keeps nothing.
public protocol RowCachingStore: NSIncrementalStore {
    /// The versions of objects' rows: those of the nodes that `newValuesForObject(with:with:)`
    /// would return, whose values a save does not need. Nil for objects that are gone; nil altogether if that
    /// method has to be called instead, because a subclass has overridden it.
    func rowVersions(of objectIDs: [NSManagedObjectID]) throws -> [UInt64?]?

    /// The values of an object, and a version that increases with each save, as in the node that
    /// `newValuesForObject(with:with:)` would return; nil if that method has to be called instead,
    /// because a subclass has overridden it.
    ///
    /// - Throws: As that method.
    func rowSnapshot(
        of objectID: NSManagedObjectID
    ) throws -> (values: RowSnapshot, version: UInt64)?
}

extension RowCachingStore {
    /// Requests the node instead.
    public func rowSnapshot(
        of objectID: NSManagedObjectID
    ) throws -> (values: RowSnapshot, version: UInt64)? { nil }
}
