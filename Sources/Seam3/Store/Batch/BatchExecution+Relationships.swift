import CoreData

/// Batch updates of to-one relationships. Their inverses change with them, so this goes row by row, as
/// in a save.
extension BatchExecution {
    /// A relationship that an update sets.
    struct NewDestination {
        let relationship: String
        /// The object that it is to lead to; nil for none.
        let object: (pk: Int64, entity: EntitySchema)?
    }

    /// The destination that a request gives a relationship.
    ///
    /// - Parameters:
    ///   - value: An ID or an object, nil or `NSNull`, or an expression of one of these.
    ///   - toOne: The relationship.
    ///   - entity: The request's entity.
    /// - Throws: 1570 if the relationship is required and the value is nil; ``SMStoreError`` if the value
    ///   is no object of the destination entity in this store.
    func destination(
        _ value: Any, of toOne: ToOneColumn, _ entity: EntitySchema
    ) throws -> NewDestination {
        var value: Any? = value
        if let expression = value as? NSExpression {
            guard expression.expressionType == .constantValue else {
                throw SMStoreError.invalidRequest(
                    "NSBatchUpdateRequest for \(entity.name).\(toOne.name) with \(expression)")
            }
            value = expression.constantValue
        }
        let objectID = (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID
        if let objectID {
            return NewDestination(
                relationship: toOne.name, object: try present(objectID, toOne, entity))
        }
        guard value == nil || value is NSNull else {
            throw SMStoreError.unacceptableValue(
                entity: entity.name, property: toOne.name,
                value: value.map { "\(type(of: $0))" } ?? "nil")
        }
        guard toOne.relationship.isOptional else {
            throw CocoaError.missingProperty(toOne.name, of: entity.name)
        }
        return NewDestination(relationship: toOne.name, object: nil)
    }

    private func present(
        _ objectID: NSManagedObjectID, _ toOne: ToOneColumn, _ entity: EntitySchema
    ) throws -> (pk: Int64, entity: EntitySchema) {
        guard objectID.persistentStore === store, let pk = store.key(of: objectID),
            try database.objects.entry(pk)?.isPresent == true
        else {
            throw SMStoreError.missingRelatedObject(entity: entity.name, property: toOne.name)
        }
        guard let destination = toOne.relationship.destinationEntity,
            objectID.entity.isKindOf(entity: destination)
        else {
            throw SMStoreError.unacceptableValue(
                entity: entity.name, property: toOne.name, value: objectID.entity.name ?? "?")
        }
        return (pk, try store.entity(of: objectID, in: database))
    }

    /// Sets relationships of all selected objects, and the inverses.
    func set(_ destinations: [NewDestination], of selection: BatchSelection) throws {
        guard !destinations.isEmpty else { return }
        var writer = SaveWriter(store: store, database: database, mappings: mappings, cause)
        for (pk, number) in try selection.keys() {
            guard let entity = schema.entity(number: number) else { continue }
            try writer.set(destinations, of: pk, entity)
        }
        try writer.placeNewcomers()
        try writer.settleOneToOnes()
        try checkPartners(writer.corrected)
    }

    /// Fails if another object has lost a required destination to the updated ones.
    private func checkPartners(_ corrected: [Int64]) throws {
        for pk in Set(corrected) {
            guard let entry = try database.objects.entry(pk),
                let entity = schema.entity(number: entry.entity),
                let row = try database.rows.row(pk, of: entity)
            else { continue }
            let lost = entity.toOnes.first {
                !$0.relationship.isOptional && row.values[$0.index].isNull
            }
            if let lost { throw CocoaError.missingProperty(lost.name, of: entity.name) }
        }
    }
}

extension SaveWriter {
    /// Sets relationships of one object.
    fileprivate mutating func set(
        _ destinations: [BatchExecution.NewDestination], of pk: Int64, _ entity: EntitySchema
    ) throws {
        guard let old = try database.rows.row(pk, of: entity) else { return }
        var row = old
        var columns: [Int] = []
        var base = PropertyValues()
        for destination in destinations {
            guard let toOne = entity.toOne(named: destination.relationship) else { continue }
            let former = old.values[toOne.index].integer
            guard destination.object?.pk != former else { continue }
            row.values[toOne.index] = SQLiteValue(destination.object?.pk)
            row.setDestination(destination.object?.entity, of: toOne)
            columns.append(toOne.index)
            base[toOne.name] = SQLiteValue(
                try former.flatMap(database.objects.recordNameForReference))
            if let order = toOne.orderIndex, destination.object != nil {
                // It is appended to the members of its new owner.
                base[toOne.orderName] = old.values[order]
                row.values[order] = .null
                columns.append(order)
            }
            note(toOne, of: row, old: former, destination.object)
        }
        guard !columns.isEmpty else { return }
        row.version = ObjectRow.version(after: old.version)
        _ = try database.rows.update(row, columnsAt: columns, expectedVersion: old.version)
        guard let mapping = mappings.mapping(of: entity) else { return }
        base.values = base.values.filter { mapping.propertyNames.contains($0.key) }
        if !base.values.isEmpty { try database.outbox.noteUpdate(pk, base, cause) }
    }
}
