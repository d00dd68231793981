import CoreData

/// Records whose type differs from their former type, or from the type that references to them
/// expect.
extension ServerChangeApplication {
    /// The entry of a received record. If the record is known with another type, the object of that
    /// type was deleted, because records cannot change their type.
    mutating func entry(named recordName: String, entity: Int64) throws -> ObjectEntry? {
        guard let known = try database.objects.entry(named: recordName) else { return nil }
        return try entry(of: known, named: recordName, entity: entity)
    }

    /// The entry of a received record; see ``entry(named:entity:)``.
    ///
    /// - Parameter known: What the store knows about the record.
    mutating func entry(
        of known: ObjectEntry, named recordName: String, entity: Int64
    ) throws -> ObjectEntry? {
        guard known.entity ?? entity != entity else { return known }
        guard known.isPresent else {
            // For an object that was deleted here, only the name matters.
            try database.objects.setDeleted(known.pk, entity: entity)
            return try database.objects.entry(known.pk)
        }
        try applyDeletion(recordName: recordName)
        guard let left = try database.objects.entry(named: recordName) else { return nil }
        guard left.isPlaceholder else {
            // A local edit survives the deletion, as an object with its own record.
            try database.objects.rename(left.pk, to: UUID().uuidString)
            return nil
        }
        // Contexts have the key registered for the old object.
        try database.objects.forget(left.pk)
        let pk = try database.objects.addReferred(recordName, state: .placeholder)
        noteUpdated(try database.references.move(from: left.pk, to: pk))
        return try database.objects.entry(pk)
    }

    /// Makes sure that only references that accept its type refer to an object or a link.
    ///
    /// - Parameters:
    ///   - pk: The object or link.
    ///   - entity: The number of its entity or its kind of link.
    ///   - recordName: The name of its record.
    ///   - isNew: Whether the key was never used, so that nothing refers to it.
    mutating func fitReferences(
        to pk: Int64, entity: Int64, _ recordName: String, isNew: Bool = false
    ) throws {
        let (objects, schema) = (database.objects, database.schema)
        func fits(_ destination: String) -> Bool {
            schema.entity(named: destination)?.familyNumbers.contains(entity) ?? false
        }
        let mistyped = try objects.keyOfMistyped(recordName)
        if try !isNew && !database.references.referrers(of: pk).isEmpty {
            noteUpdated(
                try database.references.move(
                    from: pk,
                    to: objects.keyOfMistyped(recordName)
                        ?? objects.addReferred(recordName, state: .mistyped),
                    where: { !fits($0) }))
        }
        guard let mistyped else { return }
        noteUpdated(try database.references.move(from: mistyped, to: pk, where: fits))
        if try database.references.referrers(of: mistyped).isEmpty {
            try objects.forget(mistyped)
        }
    }

    /// Sends nil for references to records that are known to be deleted, and deletes links to them.
    /// References to records that have merely not arrived stay unchanged.
    mutating func removeDanglingReferences() throws {
        for (pk, recordName) in try database.objects.danglingReferences() {
            for entity in database.schema.entities {
                for toOne in entity.toOnes where toOne.owner == entity.name {
                    let keys = try database.references.keysPointing(
                        toOne, in: entity.table, at: pk)
                    for key in keys {
                        try setDestination(nil, of: key, entity, toOne, sent: recordName)
                    }
                }
            }
            try removeLinks(ofDeletedObject: pk)
            try database.objects.forget(pk)
        }
    }

    /// Sets a to-one relationship of an object, as a decision of this device.
    ///
    /// - Parameters:
    ///   - target: The destination.
    ///   - pk: The object.
    ///   - entity: An entity stored in the object's table.
    ///   - toOne: The relationship.
    ///   - name: The record name that the server has for the relationship, if the change is to be
    ///     sent; otherwise nil.
    mutating func setDestination(
        _ target: Int64?, of pk: Int64, _ entity: EntitySchema, _ toOne: ToOneColumn,
        sent name: String?
    ) throws {
        guard var row = try database.rows.row(pk, of: entity) else { return }
        let version = row.version
        if row.values[toOne.index].integer != target {
            row.values[toOne.index] = SQLiteValue(target)
            row.version = ObjectRow.version(after: row.version)
            _ = try database.rows.update(
                row, columnsAt: [toOne.index], expectedVersion: version)
            noteUpdated([pk])
        }
        guard let name, let mapping = mappings.mapping(of: row.entity),
            mapping.propertyNames.contains(toOne.name)
        else { return }
        let base = PropertyValues([toOne.name: .text(name)])
        try database.outbox.noteUpdate(pk, base, target == nil ? .deletion : .other) {
            target == nil && $0 == toOne.name && $1.isNull
        }
    }

    /// Notes the destinations of an object's to-one relationships as changed.
    mutating func noteDestinations(of row: ObjectRow) {
        for index in row.entity.table.toOneIndexes {
            if let pk = row.values[index].integer { changes.updated.insert(pk) }
        }
    }
}
