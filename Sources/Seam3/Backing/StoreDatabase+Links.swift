import CoreData

/// The members of many-to-many relationships, and the order of ordered ones.
///
/// A link has a row in `sm_object` like any record. A relationship that is its own inverse keeps
/// each pair twice, so that either end finds the other: the second row has the first one's number
/// with a minus sign.
extension StoreDatabase {
    /// A row of a link table.
    struct LinkRow: Equatable {
        var source: Int64
        var target: Int64
        /// The key of the source in the target's set.
        var sourceOrder: String?
        /// The key of the target in the source's set.
        var targetOrder: String?
    }

    /// The record name of a link: both devices that link the same two objects make the same record.
    static func recordName(of link: LinkSchema, source: String, target: String) -> String {
        let pair = link.isReflexive && target < source ? [target, source] : [source, target]
        return SHA256.hexadecimal(([link.recordType] + pair).joined(separator: "/"))
    }

    /// The row of a link.
    func linkRow(_ pk: Int64, _ link: LinkSchema) throws -> LinkRow? {
        try connection.firstRow(
            """
            SELECT source, target, source_order, target_order FROM \(link.table.sqlIdentifier) \
            WHERE pk = ?
            """, [.integer(pk)]
        ) {
            LinkRow(
                source: $0.integer(at: 0), target: $0.integer(at: 1),
                sourceOrder: $0.isNull(at: 2) ? nil : $0.text(at: 2),
                targetOrder: $0.isNull(at: 3) ? nil : $0.text(at: 3))
        }
    }

    /// Writes the row of a link, and its mirror if the relationship is its own inverse.
    func setLinkRow(_ row: LinkRow, _ pk: Int64, _ link: LinkSchema) throws {
        try write(row, pk, link)
        if link.isReflexive, row.source != row.target {
            try write(
                LinkRow(
                    source: row.target, target: row.source, sourceOrder: row.targetOrder,
                    targetOrder: row.sourceOrder), -pk, link)
        }
    }

    private func write(_ row: LinkRow, _ pk: Int64, _ link: LinkSchema) throws {
        try connection.execute(
            """
            INSERT INTO \(link.table.sqlIdentifier) \
            (pk, source, target, source_order, target_order) VALUES (?, ?, ?, ?, ?) \
            ON CONFLICT (pk) DO UPDATE SET source = excluded.source, target = excluded.target, \
            source_order = excluded.source_order, target_order = excluded.target_order
            """,
            [
                .integer(pk), .integer(row.source), .integer(row.target),
                SQLiteValue(row.sourceOrder), SQLiteValue(row.targetOrder),
            ])
    }

    /// Removes the row of a link and its mirror.
    func deleteLinkRow(_ pk: Int64, _ link: LinkSchema) throws {
        try connection.execute(
            "DELETE FROM \(link.table.sqlIdentifier) WHERE pk IN (?, ?)",
            [.integer(pk), .integer(-pk)])
    }

    /// The links that an object is an end of.
    func links(of pk: Int64, _ link: LinkSchema) throws -> [(pk: Int64, other: Int64)] {
        try connection.rows(
            """
            SELECT pk, target FROM \(link.table.sqlIdentifier) WHERE source = ?1 AND pk > 0 \
            UNION SELECT pk, source FROM \(link.table.sqlIdentifier) WHERE target = ?1 AND pk > 0
            """, [.integer(pk)]
        ) { ($0.integer(at: 0), $0.integer(at: 1)) }
    }

    /// The record names of a link's ends that are not here.
    func absentEnds(of pk: Int64, _ link: LinkSchema) throws -> [String] {
        guard let row = try linkRow(pk, link) else { return [] }
        return try [row.source, row.target].compactMap(object).filter(\.isPlaceholder)
            .map(\.recordName)
    }

    /// The members of one side of a many-to-many relationship that are here: their numbers, their
    /// links' and their order keys, in order.
    func linkedMembers(
        of pk: Int64, _ link: LinkSchema, isSource: Bool
    ) throws -> [(pk: Int64, linkPK: Int64, order: String?)] {
        let (own, other, order) = Self.columns(isSource: isSource)
        return try connection.rows(
            """
            SELECT l.\(other), l.pk, l.\(order) FROM \(link.table.sqlIdentifier) AS l \
            JOIN sm_object AS o ON o.pk = l.\(other) AND o.entity > 0 \
            WHERE l.\(own) = ? ORDER BY l.\(order), l.\(other)
            """, [.integer(pk)]
        ) {
            (
                $0.integer(at: 0), abs($0.integer(at: 1)),
                $0.isNull(at: 2) ? nil : $0.text(at: 2)
            )
        }
    }

    private static func columns(isSource: Bool) -> (own: String, other: String, order: String) {
        isSource ? ("source", "target", "target_order") : ("target", "source", "source_order")
    }

    // MARK: - Local changes

    /// Links two objects, unless they are linked, and queues the link's record.
    func addLink(
        _ link: LinkSchema, source: Int64, target: Int64, sourceOrder: String? = nil,
        targetOrder: String? = nil, isSynced: Bool, revision: Int64
    ) throws {
        guard let sourceName = try recordName(of: source),
            let targetName = try recordName(of: target)
        else { return }
        // The end with the smaller record name is the source of a relationship without direction.
        let isSwapped = link.isReflexive && targetName < sourceName
        let row = LinkRow(
            source: isSwapped ? target : source, target: isSwapped ? source : target,
            sourceOrder: isSwapped ? targetOrder : sourceOrder,
            targetOrder: isSwapped ? sourceOrder : targetOrder)
        let name = Self.recordName(of: link, source: sourceName, target: targetName)
        guard let entry = try object(recordName: name) else {
            let pk = try takeKeys(1)
            try insertObject(pk, entityNumber: link.number, recordName: name)
            try setLinkRow(row, pk, link)
            if isSynced { try noteInsertion(pk, revision: revision) }
            return
        }
        guard entry.isDeleted else { return }
        // It was removed here and is back before the server has acknowledged the removal.
        try setEntity(link.number, of: entry.pk)
        try setLinkRow(row, entry.pk, link)
        if let pending = try pendingChange(of: entry.pk), pending.attempts == 0 {
            try removeChange(of: entry.pk)
        } else if isSynced {
            try setSystemFields(nil, changeTag: nil, of: entry.pk)
            try replaceChangeByInsertion(of: entry.pk, revision: revision)
        }
    }

    /// Removes a link, and queues the deletion of its record.
    func removeLink(_ pk: Int64, _ link: LinkSchema, isSynced: Bool, revision: Int64) throws {
        guard isSynced else { return try forgetLink(pk, link) }
        try deleteLinkRow(pk, link)
        try noteDeletion(pk, entityNumber: link.number, revision: revision)
    }

    /// Removes a link of which the server needs to hear nothing.
    func forgetLink(_ pk: Int64, _ link: LinkSchema) throws {
        try removeChange(of: pk)
        try deleteLinkRow(pk, link)
        try forgetObject(pk)
    }

    /// Removes all links of an object that the server has deleted, and queues the deletion of those
    /// whose records it still has: the device that deleted the object did not know them.
    ///
    /// - Parameter isSynced: Whether the records of a kind of link travel.
    /// - Returns: The other ends.
    func removeLinks(
        ofDeletedObject pk: Int64, revision: @autoclosure () throws -> Int64,
        isSynced: (LinkSchema) -> Bool
    ) throws -> [Int64] {
        var others: [Int64] = []
        for link in schema.links {
            for (linkPK, other) in try links(of: pk, link) {
                try removeLink(linkPK, link, isSynced: isSynced(link), revision: revision())
                try connection.execute(
                    "UPDATE sm_change SET changed = ? WHERE pk = ? AND kind = 3",
                    [.blob(PendingChange.followingDeletion.encoded), .integer(linkPK)])
                others.append(other)
            }
        }
        return others
    }

    // MARK: - Order

    /// The members of an ordered one-to-many relationship with their order keys.
    func orderedMembers(
        table: String, column: String, orderColumn: String, of pk: Int64
    ) throws -> [Int64: String] {
        let pairs = try connection.rows(
            """
            SELECT pk, \(orderColumn.sqlIdentifier) FROM \(table.sqlIdentifier) \
            WHERE \(column.sqlIdentifier) = ? AND \(orderColumn.sqlIdentifier) IS NOT NULL
            """, [.integer(pk)]
        ) { ($0.integer(at: 0), $0.text(at: 1)) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Sets the order key of a member of an ordered one-to-many relationship.
    func setOrder(_ key: String, of pk: Int64, table: String, orderColumn: String) throws {
        try connection.execute(
            "UPDATE \(table.sqlIdentifier) SET \(orderColumn.sqlIdentifier) = ? WHERE pk = ?",
            [.text(key), .integer(pk)])
    }
}
