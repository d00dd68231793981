import CoreData

/// One pair of a many-to-many relationship.
struct LinkRow: Equatable {
    var source: Int64
    var target: Int64
    /// The order key of the source in the target's set.
    var sourceOrder: String?
    /// The order key of the target in the source's set.
    var targetOrder: String?
}

extension LinkRow {
    /// Creates the row of an object and a member of its relationship, without places.
    ///
    /// - Parameter isSource: Whether the object is the source of its links.
    init(owner: Int64, member: Int64, isSource: Bool) {
        self.init(source: isSource ? owner : member, target: isSource ? member : owner)
    }
}

/// The tables of many-to-many relationships: the pairs, and their order if the relationship is
/// ordered.
///
/// Like an object, a link is a record and has a row in ``ObjectTable``. A relationship that is its
/// own inverse stores each pair twice, so that it can be found from either end: the second row is
/// the mirror of the first.
struct LinkTable {
    let database: StoreDatabase
    private var connection: SQLiteConnection { database.connection }

    /// The statement that creates the table of a relationship.
    static func statement(for link: LinkSchema) -> String {
        let table = link.table.sqlIdentifier
        let ends = """
            source INTEGER NOT NULL, target INTEGER NOT NULL, source_order TEXT, \
            target_order TEXT, UNIQUE (source, target)
            """
        guard link.isReflexive else {
            return "CREATE TABLE \(table) (pk INTEGER PRIMARY KEY, \(ends))"
        }
        return """
            CREATE TABLE \(table) (pk INTEGER NOT NULL, \
            is_mirror INTEGER NOT NULL CHECK (is_mirror IN (0, 1)), \(ends), \
            PRIMARY KEY (pk, is_mirror)) WITHOUT ROWID
            """
    }

    /// The statement that creates the index for finding a target's links.
    static func indexStatement(for link: LinkSchema) -> String {
        "CREATE INDEX \("sm_index \(link.table).target".sqlIdentifier)"
            + " ON \(link.table.sqlIdentifier) (target, source)"
    }

    /// The condition that excludes mirrors.
    private static func isNoMirror(_ link: LinkSchema) -> String {
        link.isReflexive ? "is_mirror = 0" : "TRUE"
    }

    /// The record name of a link. It is derived from the ends, so two devices that link the same
    /// objects create the same record.
    static func recordName(of link: LinkSchema, source: String, target: String) -> String {
        let pair = link.isReflexive && target < source ? [target, source] : [source, target]
        return SHA256.hexadecimal(([link.recordType] + pair).joined(separator: "/"))
    }

    // MARK: - Rows

    /// The row of a link.
    func row(_ pk: Int64, _ link: LinkSchema) throws -> LinkRow? {
        try connection.firstRow(
            """
            SELECT source, target, source_order, target_order FROM \(link.table.sqlIdentifier) \
            WHERE pk = ? AND \(Self.isNoMirror(link))
            """, [.integer(pk)]
        ) {
            LinkRow(
                source: $0.integer(at: 0), target: $0.integer(at: 1),
                sourceOrder: $0.isNull(at: 2) ? nil : $0.text(at: 2),
                targetOrder: $0.isNull(at: 3) ? nil : $0.text(at: 3))
        }
    }

    /// Writes the row of a link, and its mirror if the relationship is its own inverse.
    func set(_ row: LinkRow, _ pk: Int64, _ link: LinkSchema) throws {
        guard link.isReflexive else { return try write(row, pk, link, key: "pk") }
        try write(row, pk, link, key: "pk, is_mirror", isMirror: false)
        guard row.source != row.target else { return }
        let mirror = LinkRow(
            source: row.target, target: row.source, sourceOrder: row.targetOrder,
            targetOrder: row.sourceOrder)
        try write(mirror, pk, link, key: "pk, is_mirror", isMirror: true)
    }

    private func write(
        _ row: LinkRow, _ pk: Int64, _ link: LinkSchema, key: String, isMirror: Bool? = nil
    ) throws {
        let keys = [pk] + (isMirror.map { [$0 ? 1 : 0] } ?? [])
        let parameters = Array(repeating: "?", count: keys.count + 4).joined(separator: ", ")
        try connection.execute(
            """
            INSERT INTO \(link.table.sqlIdentifier) \
            (\(key), source, target, source_order, target_order) VALUES (\(parameters)) \
            ON CONFLICT (\(key)) DO UPDATE SET source = excluded.source, target = excluded.target, \
            source_order = excluded.source_order, target_order = excluded.target_order
            """,
            keys.map(SQLiteValue.integer) + [
                .integer(row.source), .integer(row.target),
                SQLiteValue(row.sourceOrder), SQLiteValue(row.targetOrder),
            ])
    }

    /// Removes the row of a link and its mirror.
    func delete(_ pk: Int64, _ link: LinkSchema) throws {
        try connection.execute(
            "DELETE FROM \(link.table.sqlIdentifier) WHERE pk = ?", [.integer(pk)])
    }

    // MARK: - Finding

    /// The number of the link between two objects, in either direction.
    func key(of link: LinkSchema, source: Int64, target: Int64) throws -> Int64? {
        try connection.firstRow(
            "SELECT pk FROM \(link.table.sqlIdentifier) WHERE source = ? AND target = ?",
            [.integer(source), .integer(target)]
        ) { $0.integer(at: 0) }
    }

    /// The numbers of all links of a relationship, in order.
    func keys(of link: LinkSchema) throws -> [Int64] {
        try connection.rows(
            "SELECT pk FROM \(link.table.sqlIdentifier) WHERE \(Self.isNoMirror(link)) ORDER BY pk"
        ) { $0.integer(at: 0) }
    }

    /// The numbers of the links with an end among some objects.
    ///
    /// - Parameter keys: A query of the objects' numbers.
    func keys(of link: LinkSchema, withEndIn keys: String) throws -> [Int64] {
        try connection.rows(
            """
            SELECT pk FROM \(link.table.sqlIdentifier) WHERE \(Self.isNoMirror(link)) \
            AND (source IN (\(keys)) OR target IN (\(keys)))
            """
        ) { $0.integer(at: 0) }
    }

    /// The numbers of the links with an end that is not among some objects.
    func keys(of link: LinkSchema, withEndNotIn keys: String) throws -> [Int64] {
        try connection.rows(
            """
            SELECT pk FROM \(link.table.sqlIdentifier) WHERE \(Self.isNoMirror(link)) \
            AND (source NOT IN (\(keys)) OR target NOT IN (\(keys)))
            """
        ) { $0.integer(at: 0) }
    }

    /// The links that an object is an end of.
    func links(of pk: Int64, _ link: LinkSchema) throws -> [(pk: Int64, other: Int64)] {
        let (table, isNoMirror) = (link.table.sqlIdentifier, Self.isNoMirror(link))
        return try connection.rows(
            """
            SELECT pk, target FROM \(table) WHERE source = ?1 AND \(isNoMirror) \
            UNION SELECT pk, source FROM \(table) WHERE target = ?1 AND \(isNoMirror)
            """, [.integer(pk)]
        ) { ($0.integer(at: 0), $0.integer(at: 1)) }
    }

    /// The record names of a link's ends that are not present.
    func absentEnds(of pk: Int64, _ link: LinkSchema) throws -> [String] {
        guard let row = try row(pk, link) else { return [] }
        return try [row.source, row.target].compactMap(database.objects.entry)
            .filter(\.isPlaceholder).map(\.recordName)
    }

    /// The members of one side of a many-to-many relationship that are present: their numbers,
    /// their links' numbers and their order keys, in order.
    func members(
        of pk: Int64, _ link: LinkSchema, isSource: Bool
    ) throws -> [(pk: Int64, link: Int64, order: String?)] {
        let (own, other, order) = Self.columns(isSource: isSource)
        return try connection.rows(
            """
            SELECT l.\(other), l.pk, l.\(order) FROM \(link.table.sqlIdentifier) AS l \
            \(ObjectTable.joinPresent("o", on: "l.\(other)")) \
            WHERE l.\(own) = ? ORDER BY l.\(order), o.record_name
            """, [.integer(pk)]
        ) {
            ($0.integer(at: 0), $0.integer(at: 1), $0.isNull(at: 2) ? nil : $0.text(at: 2))
        }
    }

    /// The columns of a link for one side: its own number, the other side's number, and the other
    /// side's order key.
    static func columns(isSource: Bool) -> (own: String, other: String, order: String) {
        isSource ? ("source", "target", "target_order") : ("target", "source", "source_order")
    }
}
