import CoreData

#if SWIFT_PACKAGE
import SeamSQLite
#endif

/// Firing faults.
extension SMStore {
    /// The row of an object, from the cache or the file.
    func row(
        _ pk: Int64, of entity: EntitySchema, in database: StoreDatabase
    ) throws -> ObjectRow? {
        if let row = rowCache.row(pk) { return row }
        guard let row = try database.row(pk, of: entity) else { return nil }
        rowCache.keep([row])
        return row
    }

    func node(for objectID: NSManagedObjectID) throws -> NSIncrementalStoreNode {
        try answer {
            guard let pk = key(of: objectID) else { throw Self.missingRow(objectID) }
            if let row = rowCache.untoldRow(pk) {
                return node(for: objectID, row, in: try openedDatabase())
            }
            let database = try database()
            guard let row = try row(pk, of: entity(of: objectID, in: database), in: database)
            else { throw Self.missingRow(objectID) }
            rowCache.noteVended(pk, version: row.version)
            return node(for: objectID, row, in: database)
        }
    }

    private func node(
        for objectID: NSManagedObjectID, _ row: ObjectRow, in database: StoreDatabase
    ) -> NSIncrementalStoreNode {
        NSIncrementalStoreNode(
            objectID: objectID, withValues: values(of: row, in: database),
            version: UInt64(row.version))
    }

    /// The values of a row by their properties' names: attributes that are not nil, and for each
    /// to-one relationship an ID or `NSNull`.
    func values(of row: ObjectRow, in database: StoreDatabase) -> [String: Any] {
        let places = row.entity.places
        var values = places.blank
        let missing = fill(&values.values, from: row, in: database)
        for name in missing { values[name] = nil }
        for attribute in places.elements {
            if let value = database.value(row.values[attribute.index], of: attribute) {
                Self.set(value, at: attribute.path[...], in: &values)
            }
        }
        return values
    }

    /// Writes the values of a row over those of ``ValuePlaces/blank``.
    ///
    /// - Returns: The attributes that are nil.
    private func fill(
        _ values: inout Dictionary<String, Any>.Values, from row: ObjectRow,
        in database: StoreDatabase
    ) -> [String] {
        let entity = row.entity
        var missing: [String] = []
        for (attribute, place) in zip(entity.attributes, entity.places.attributes) {
            guard let place else { continue }
            if let value = database.value(row.values[attribute.index], of: attribute) {
                values[place] = value
            } else {
                missing.append(attribute.name)
            }
        }
        for (toOne, place) in zip(entity.toOnes, entity.places.toOnes) {
            if let destination = row.destination(toOne),
                let destinationEntity = database.schema.entity(number: destination.entityNumber)
            {
                values[place] = objectID(destination.pk, destinationEntity)
            }
        }
        return missing
    }

    /// Sets an element of a composite value, which is made if there is none.
    private static func set(
        _ value: Any, at path: ArraySlice<String>, in values: inout [String: Any]
    ) {
        guard let key = path.first else { return }
        guard path.count > 1 else {
            values[key] = value
            return
        }
        var inner = values[key] as? [String: Any] ?? [:]
        set(value, at: path.dropFirst(), in: &inner)
        values[key] = inner
    }

    func destinations(
        of relationship: NSRelationshipDescription, of objectID: NSManagedObjectID
    ) throws -> Any {
        try answer {
            guard let pk = key(of: objectID) else { throw Self.missingRow(objectID) }
            if relationship.isToMany,
                let members = rowCache.takeMembers(ofRelationship: relationship.name, of: pk)
            {
                let schema = try openedDatabase().schema
                return members.compactMap { member in
                    schema.entity(number: member.entityNumber).map {
                        self.objectID(member.pk, $0)
                    }
                }
            }
            let database = try database()
            let entity = try entity(of: objectID, in: database)
            if let toMany = entity.toMany(named: relationship.name) {
                return try database.members(of: toMany, ownedBy: pk).compactMap { member in
                    database.schema.entity(number: member.entityNumber)
                        .map { self.objectID(member.pk, $0) }
                }
            }
            guard let row = try row(pk, of: entity, in: database) else {
                throw Self.missingRow(objectID)
            }
            return values(of: row, in: database)[relationship.name] ?? NSNull()
        }
    }

    /// Core Data's error for an object whose row is gone.
    static func missingRow(_ objectID: NSManagedObjectID) -> any Error {
        CocoaError(
            .managedObjectReferentialIntegrity,
            userInfo: [
                NSAffectedObjectsErrorKey: [objectID],
                NSLocalizedDescriptionKey:
                    "The object \(objectID.uriRepresentation()) is no longer in the store.",
            ])
    }
}
