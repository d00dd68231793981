import CoreData

/// Firing faults.
@nonobjc extension SMStore {
    /// Drops the cached values that another connection has changed; all of them if it is not of this store. In a
    /// transaction that holds the write lock, the cache matches the file after this call.
    func dropStaleRows(_ database: StoreDatabase) throws {
        let version = try database.connection.dataVersion()
        guard version != lastDataVersion else { return }
        lastDataVersion = version
        if !isReadOnly,
            let changed = announcements.take(upTo: try database.sequence.lastTransaction())
        {
            rowCache.invalidate(changed)
        } else {
            rowCache.invalidateAll()
        }
    }

    /// The row of an object, from the cache or the file; nil if it is gone.
    func row(
        _ pk: Int64, of entity: EntitySchema, in database: StoreDatabase
    ) throws -> ObjectRow? {
        if let row = rowCache.row(pk) { return try stored(row, in: database) }
        guard let row = try database.rows.row(pk, of: entity) else { return nil }
        rowCache.keep(.stored(row))
        return row
    }

    /// A row of the cache as the file has it.
    func stored(_ row: CachedRow, in database: StoreDatabase) throws -> ObjectRow {
        try row.stored(in: database.schema, keyOf: key(of:))
    }

    /// The row of an object, which counts as vended from now on; nil if it is gone.
    func toldRow(
        of objectID: NSManagedObjectID, in database: StoreDatabase
    ) throws -> CachedRow? {
        guard let pk = key(of: objectID) else { return nil }
        if let row = rowCache.toldRow(pk) { return row }
        guard let row = try row(pk, of: entity(of: objectID, in: database), in: database) else {
            return nil
        }
        rowCache.noteVended(pk, version: row.version)
        return .stored(row)
    }

    func node(
        for objectID: NSManagedObjectID, isFault: Bool
    ) throws -> NSIncrementalStoreNode {
        let (values, version) = try snapshot(of: objectID, isFault: isFault)
        return NSIncrementalStoreNode(objectID: objectID, values: values, version: version)
    }

    /// The values for an object, and their version.
    ///
    /// - Parameters:
    ///   - objectID: The object.
    ///   - isFault: Whether the values are for a fault, which gets the row that a fetch has found.
    func snapshot(
        of objectID: NSManagedObjectID, isFault: Bool = true
    ) throws -> (values: RowSnapshot, version: UInt64) {
        try answer {
            if isFault, let row = key(of: objectID).flatMap(rowCache.untoldRow) {
                return try (
                    snapshot(of: objectID, row, in: openedDatabase()),
                    ObjectRow.nodeVersion(row.version)
                )
            }
            let database = try database()
            guard let row = try toldRow(of: objectID, in: database) else {
                throw Self.missingRow(objectID)
            }
            return try (
                snapshot(of: objectID, row, in: database), ObjectRow.nodeVersion(row.version)
            )
        }
    }

    private func snapshot(
        of objectID: NSManagedObjectID, _ row: CachedRow, in database: StoreDatabase
    ) throws -> RowSnapshot {
        if case .decoded(let row) = row, row.entity.description === objectID.entity {
            return row.values
        }
        return try snapshot(of: objectID, stored(row, in: database), in: database)
    }

    private func snapshot(
        of objectID: NSManagedObjectID, _ row: ObjectRow, in database: StoreDatabase
    ) -> RowSnapshot {
        // The row may belong to a subentity of the one that the ID names.
        let entity =
            row.entity.description === objectID.entity
            ? row.entity : database.schema.entity(of: objectID) ?? row.entity
        var values = RowSnapshot(for: entity.description)
        values.setAttributes { attributes in
            for column in entity.plainColumns {
                attributes[column.place] = column.kind.attributeValue(row.values[column.index])
            }
        }
        for attribute in entity.otherAttributes {
            guard let place = attribute.place else { continue }
            values.set(
                database.attributeValue(row.values[attribute.index], of: attribute), at: place)
        }
        for toOne in entity.toOnes {
            guard let place = toOne.place else { continue }
            values.setDestination(destination(toOne, of: row, in: database), at: place)
        }
        if !entity.elements.isEmpty {
            for (place, composite) in composites(entity.elements, of: row, in: database) {
                values.set(.init(keeping: composite), at: place)
            }
        }
        return values
    }

    /// The values of a row by property name: attributes that are not nil, and for each to-one
    /// relationship an ID or `NSNull`.
    func values(of row: ObjectRow, in database: StoreDatabase) -> [String: Any] {
        var values: [String: Any] = [:]
        for attribute in row.entity.attributes {
            if let value = database.value(row.values[attribute.index], of: attribute) {
                Self.set(value, at: attribute.path[...], in: &values)
            }
        }
        for toOne in row.entity.toOnes {
            values[toOne.name] = destination(toOne, of: row, in: database) ?? NSNull()
        }
        return values
    }

    /// The snapshot of a row for a conflict: all attributes and to-one destinations, with `NSNull`
    /// for nil.
    func snapshot(of row: ObjectRow, in database: StoreDatabase) -> [String: Any] {
        var values = values(of: row, in: database)
        for (name, attribute) in row.entity.description.attributesByName
        where !attribute.isTransient && values[name] == nil {
            values[name] = NSNull()
        }
        return values
    }

    /// The destination of a to-one relationship, if it is present.
    private func destination(
        _ toOne: ToOneColumn, of row: ObjectRow, in database: StoreDatabase
    ) -> NSManagedObjectID? {
        guard let destination = row.destination(toOne),
            let entity = database.schema.entity(number: destination.entityNumber)
        else { return nil }
        return destinationID(destination.pk, entity)
    }

    /// The ID of a relationship's destination. Many consecutive rows refer to the same object.
    func destinationID(_ pk: Int64, _ entity: EntitySchema) -> NSManagedObjectID {
        if let lastDestination, key(of: lastDestination) == pk,
            lastDestination.entity === entity.description
        {
            return lastDestination
        }
        let objectID = objectID(pk, entity)
        lastDestination = objectID
        return objectID
    }

    /// The composite values of a row that are not nil, by attribute index.
    private func composites(
        _ elements: [AttributeColumn], of row: ObjectRow, in database: StoreDatabase
    ) -> [PropertyPlace: [String: Any]] {
        var composites: [PropertyPlace: [String: Any]] = [:]
        for attribute in elements {
            guard let place = attribute.place,
                let value = database.value(row.values[attribute.index], of: attribute)
            else { continue }
            Self.set(
                value, at: attribute.path.dropFirst(), in: &composites[place, default: [:]])
        }
        return composites
    }

    /// Sets an element of a composite value, and creates the value if there is none.
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
                return try database.references.members(of: toMany, ownedBy: pk).compactMap {
                    member in
                    database.schema.entity(number: member.entity)
                        .map { self.objectID(member.pk, $0) }
                }
            }
            guard let row = try row(pk, of: entity, in: database) else {
                throw Self.missingRow(objectID)
            }
            return entity.toOne(named: relationship.name)
                .flatMap { destination($0, of: row, in: database) } ?? NSNull()
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
