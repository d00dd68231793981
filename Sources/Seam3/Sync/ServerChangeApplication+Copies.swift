import CoreData

/// Local versions that are kept as new objects.
extension ServerChangeApplication {
    /// Creates a new object from an object's local version, with all of its relationships.
    mutating func keepAsNewObject(_ row: ObjectRow) throws {
        let pk = try keys.take(from: database.sequence)
        var copy = ObjectRow(pk: pk, entity: row.entity)
        copy.values = row.values
        for toOne in row.entity.toOnes
        where toOne.relationship.inverseRelationship?.isToMany == false {
            // The destination of a one-to-one relationship can belong to only one of the two.
            copy.values[toOne.index] = .null
        }
        for toOne in row.entity.toOnes { try placeLast(&copy, toOne) }
        try database.objects.insert(
            pk, entity: row.entity.number, recordName: UUID().uuidString)
        try database.rows.insert(copy)
        try database.outbox.noteInsertion(pk)
        try copyLinks(of: row, to: pk)
        changes.inserted[pk] = row.entity.number
        noteDestinations(of: copy)
    }

    /// Places a new object last in an ordered relationship if it has no place, because the
    /// original's record may have arrived without one.
    private func placeLast(_ row: inout ObjectRow, _ toOne: ToOneColumn) throws {
        guard let orderColumn = toOne.orderColumn, let orderIndex = toOne.orderIndex,
            row.values[orderIndex].text.map(OrderKey.isOwn) != true,
            let owner = row.values[toOne.index].integer
        else { return }
        let last = try database.references.orderedMembers(
            table: row.entity.table.name, column: toOne.column, orderColumn: orderColumn,
            of: owner
        ).values.max()
        row.values[orderIndex] = .text(OrderKey.between(last, nil))
    }
}
