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
}
#endif
