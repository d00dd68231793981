import CoreData

/// One-to-one relationships of which a file sets only one end.
extension ObjectAdoption {
    private struct End: Hashable {
        let owner: Int64
        let destination: Int64
    }

    /// Makes the ends of all one-to-one relationships agree.
    ///
    /// Pairs whose ends agree stay. The others are processed by the names of the relationships and
    /// then in the order of their owners: if neither object has a partner yet, the pair is
    /// completed; otherwise the owner loses its destination.
    func completeOneToOnes() throws {
        var done: Set<String> = []
        for entity in database.schema.entities {
            for toOne in entity.toOnes where toOne.owner == entity.name {
                guard let other = database.schema.inverse(of: toOne) else { continue }
                let name = "\(toOne.owner).\(toOne.name)"
                let otherName = "\(other.owner).\(other.name)"
                guard done.isDisjoint(with: [name, otherName]) else { continue }
                done.formUnion([name, otherName])
                guard let otherEntity = database.schema.entity(named: other.owner) else { continue }
                let columns = [(toOne, entity), (other, otherEntity)]
                try complete(name <= otherName ? columns : columns.reversed())
            }
        }
    }

    private func complete(_ columns: [(column: ToOneColumn, entity: EntitySchema)]) throws {
        let (first, second) = (columns[0], columns[1])
        let ends = try columns.map { try self.ends(of: $0.column, in: $0.entity) }
        // Object → partner, for each of the two relationships.
        var partners: [[Int64: Int64]] = [[:], [:]]
        let back = Set(ends[1])
        for end in ends[0] where back.contains(End(owner: end.destination, destination: end.owner))
        {
            partners[0][end.owner] = end.destination
            partners[1][end.destination] = end.owner
        }
        let isReflexive =
            first.column.owner == second.column.owner
            && first.column.name == second.column.name
        for side in isReflexive ? [0] : [0, 1] {
            let (own, other) = (columns[side], columns[1 - side])
            for end in ends[side] where partners[side][end.owner] != end.destination {
                let isFree =
                    partners[side][end.owner] == nil
                    && partners[1 - side][end.destination] == nil
                guard isFree else {
                    try set(own, of: end.owner, to: nil, "its destination has another partner")
                    continue
                }
                partners[side][end.owner] = end.destination
                partners[1 - side][end.destination] = end.owner
                if isReflexive {
                    partners[0][end.destination] = end.owner
                    partners[1][end.owner] = end.destination
                }
                try set(
                    other, of: end.destination, to: end.owner, "the other end was not set")
            }
        }
    }

    private func ends(of column: ToOneColumn, in entity: EntitySchema) throws -> [End] {
        let name = column.column.sqlIdentifier
        return try database.connection.rows(
            "SELECT pk, \(name) FROM \(entity.table.name.sqlIdentifier)"
                + " WHERE \(name) IS NOT NULL ORDER BY pk"
        ) { End(owner: $0.integer(at: 0), destination: $0.integer(at: 1)) }
    }

    private func set(
        _ end: (column: ToOneColumn, entity: EntitySchema), of pk: Int64, to destination: Int64?,
        _ reason: String
    ) throws {
        let entry = try database.objects.entry(pk)
        let entity = database.schema.entity(number: entry?.entity) ?? end.entity
        let former = try database.rows.row(pk, of: entity)?.values[end.column.index].integer
        let base = SQLiteValue(try former.flatMap(database.objects.recordNameForReference))
        try database.connection.execute(
            "UPDATE \(end.entity.table.name.sqlIdentifier)"
                + " SET \(end.column.column.sqlIdentifier) = ? WHERE pk = ?",
            [SQLiteValue(destination), .integer(pk)])
        if destination == nil {
            report.noteRemoved(entity.name, end.column.name, count: 1, because: reason)
        } else {
            report.noteTaken(entity.name, end.column.name)
            report.noteChanged(entity.name, end.column.name, because: reason)
        }
        guard isKnown(pk), mappings.mapping(of: entity) != nil else { return }
        try database.outbox.noteUpdate(pk, PropertyValues([end.column.name: base]))
    }
}
