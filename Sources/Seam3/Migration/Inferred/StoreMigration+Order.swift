import CoreData

/// Relationships that are ordered from now on.
extension StoreMigration {
    /// Gives members that have no place a place behind the others, unless the server may have the members: it may
    /// have places, too.
    func placeMembers() throws {
        for entity in schema.entities {
            for toOne in entity.toOnes where toOne.owner == entity.name {
                if let orderColumn = toOne.orderColumn {
                    try placeMembers(of: toOne.column, orderColumn, table: entity.table.name)
                }
            }
        }
        for link in schema.links {
            if link.source.isOrdered || link.target?.isOrdered == true {
                try placeMembers(of: link)
            }
        }
    }

    private func placeMembers(of column: String, _ orderColumn: String, table: String) throws {
        let members = try connection.rows(
            """
            SELECT t.\(column.sqlIdentifier), t.pk FROM \(table.sqlIdentifier) AS t \
            JOIN \(ObjectTable.name) AS o ON o.pk = t.pk AND o.was_sent = 0 \
            WHERE t.\(column.sqlIdentifier) IS NOT NULL AND t.\(orderColumn.sqlIdentifier) IS NULL \
            ORDER BY t.pk
            """
        ) { (owner: $0.integer(at: 0), pk: $0.integer(at: 1)) }
        let references = database.references
        for (owner, members) in Dictionary(grouping: members, by: \.owner) {
            var last = try references.orderedMembers(
                table: table, column: column, orderColumn: orderColumn, of: owner
            ).values.max()
            for member in members {
                let key = OrderKey.between(last, nil)
                try references.setOrder(key, of: member.pk, table: table, orderColumn: orderColumn)
                last = key
            }
        }
    }

    private func placeMembers(of link: LinkSchema) throws {
        /// An object with its members. The two ends of a relationship that is its own inverse have the same.
        struct Owner: Hashable {
            let pk: Int64
            let isSource: Bool
        }
        var lasts: [Owner: String] = [:]
        func place(behindMembersOf pk: Int64, isSource: Bool) throws -> String {
            let owner = Owner(pk: pk, isSource: isSource || link.isReflexive)
            let last =
                try lasts[owner]
                ?? database.links.members(of: pk, link, isSource: owner.isSource)
                .compactMap(\.order).max()
            let key = OrderKey.between(last, nil)
            lasts[owner] = key
            return key
        }
        let unsent = try connection.rows(
            """
            SELECT DISTINCT l.pk FROM \(link.table.sqlIdentifier) AS l \
            JOIN \(ObjectTable.name) AS o ON o.pk = l.pk AND o.was_sent = 0 \
            WHERE l.source_order IS NULL OR l.target_order IS NULL ORDER BY l.pk
            """
        ) { $0.integer(at: 0) }
        for pk in unsent {
            guard var row = try database.links.row(pk, link) else { continue }
            let former = row
            if link.isOrdered(seenFromSource: true), row.targetOrder == nil {
                row.targetOrder = try place(behindMembersOf: row.source, isSource: true)
            }
            if link.isOrdered(seenFromSource: false), row.sourceOrder == nil {
                row.sourceOrder = try place(behindMembersOf: row.target, isSource: false)
            }
            if row != former { try database.links.set(row, pk, link) }
        }
    }
}
