import CoreData

/// Objects, their numbers and their entities.
@nonobjc extension SMStore {
    /// The ID of an object. Its reference object is the number as a decimal string, which survives
    /// the conversion to a URI and back.
    func objectID(_ pk: Int64, _ entity: EntitySchema) -> NSManagedObjectID {
        newObjectID(for: entity.description, decimalReference: pk)
    }

    /// The number of an object; nil for a temporary ID or another store's.
    func key(of objectID: NSManagedObjectID) -> Int64? {
        decimalReference(for: objectID)
    }

    /// The layout of an object's entity.
    func entity(of objectID: NSManagedObjectID, in database: StoreDatabase) throws -> EntitySchema {
        guard let entity = database.schema.entity(of: objectID) else {
            throw SMStoreError.invalidRequest(
                "an object of the entity \(objectID.entity.name ?? "?")")
        }
        return entity
    }

    /// How many numbers are reserved in the file at once.
    private static let keyBlock = 1000

    func takeKey(_ database: StoreDatabase) throws -> Int64 {
        if freeKeys.isEmpty {
            let first = try database.write { try database.sequence.takeKeys(Self.keyBlock) }
            freeKeys = first..<first + Int64(Self.keyBlock)
        }
        return freeKeys.removeFirst()
    }

    /// Forgets the numbers that were reserved in a transaction that has been rolled back: the file
    /// will issue them again.
    func discardKeys() { freeKeys = 0..<0 }
}
