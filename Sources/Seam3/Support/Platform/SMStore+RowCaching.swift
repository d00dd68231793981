import CoreData

#if !canImport(ObjectiveC)
/// The rows that a fetch has read, prefetched relationships included, stay in the store's row cache
/// until faults fire.
extension SMStore: RowCachingStore {
    /// The versions of objects' rows. Called by Core Data to detect conflicts.
    ///
    /// - Parameter objectIDs: The objects.
    /// - Returns: The version of each object, or nil if it is gone; nil altogether for a subclass, which may give the
    ///   rows in its own way.
    public func rowVersions(of objectIDs: [NSManagedObjectID]) throws -> [UInt64?]? {
        guard Swift.type(of: self) == SMStore.self else { return nil }
        return try answer {
            let database = try database()
            return try objectIDs.map { objectID in
                try toldRow(of: objectID, in: database).map { ObjectRow.nodeVersion($0.version) }
            }
        }
    }

    /// The values of an object. Called by Core Data when a fault fires.
    ///
    /// - Parameter objectID: The object.
    /// - Returns: The values and their version; nil for a subclass, which may give them in its own way, and if the
    ///   values could not be read.
    /// - Throws: 133000 of the domain `NSCocoaErrorDomain` if the object is gone.
    public func rowSnapshot(
        of objectID: NSManagedObjectID
    ) throws -> (values: RowSnapshot, version: UInt64)? {
        // The method of all stores also knows the context that asks.
        guard Swift.type(of: self) == SMStore.self, unreadObjects.isEmpty else { return nil }
        do {
            return try snapshot(of: objectID)
        } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
            throw error
        } catch {
            return nil
        }
    }
}

extension SMStore: HistoryKeepingStore {
    /// Whether a token is a point in the store's history. Called by Core Data if the coordinator has several
    /// stores.
    ///
    /// - Parameter token: A token, also one that is too old.
    public func hasIssued(_ token: NSPersistentHistoryToken) -> Bool {
        (token as? HistoryToken)?.storeIdentifier == identifier
    }
}
#endif
