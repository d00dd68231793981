import CoreData

#if !canImport(ObjectiveC)
/// What a fetch has read, relationships to be read ahead included, stays in the store's cache of rows
/// until faults fire.
extension SMStore: RowCachingStore {
    /// The versions of objects' rows. Called by Core Data when it looks for conflicts.
    ///
    /// - Parameter objectIDs: The objects.
    /// - Returns: For each the version, or nil if it is gone.
    public func rowVersions(of objectIDs: [NSManagedObjectID]) throws -> [UInt64?] {
        try answer {
            let database = try database()
            return try objectIDs.map { objectID in
                try toldRow(of: objectID, in: database).map { UInt64($0.version) }
            }
        }
    }

    /// The values of an object. Called by Core Data when a fault fires.
    ///
    /// - Parameter objectID: The object.
    /// - Returns: The values and their version; nil for a subclass, which may give them in its own way.
    /// - Throws: 133000 of the domain `NSCocoaErrorDomain` if the object is gone.
    public func rowSnapshot(
        of objectID: NSManagedObjectID
    ) throws -> (values: RowSnapshot, version: UInt64)? {
        Swift.type(of: self) == SMStore.self ? try snapshot(of: objectID) : nil
    }
}
#endif
