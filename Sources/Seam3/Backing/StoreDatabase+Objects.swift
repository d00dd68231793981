import CoreData

/// A row of `sm_object`: what the store knows of a record, whatever its table holds.
struct ObjectEntry {
    let pk: Int64
    /// The number of the entity; 0 for a placeholder, negative for a deleted object.
    let entity: Int64
    let recordName: String
    let changeTag: String?
    let systemFields: Data?

    var isPlaceholder: Bool { entity == 0 }
    var isDeleted: Bool { entity < 0 }
}

extension StoreDatabase {
    private static let objectColumns = "pk, entity, record_name, change_tag, system_fields"

    private func objectEntry(_ row: SQLiteStatement) -> ObjectEntry {
        ObjectEntry(
            pk: row.integer(at: 0), entity: row.integer(at: 1), recordName: row.text(at: 2),
            changeTag: row.isNull(at: 3) ? nil : row.text(at: 3),
            systemFields: row.isNull(at: 4) ? nil : row.blob(at: 4))
    }

    /// What is known of the record with a name.
    func object(recordName: String) throws -> ObjectEntry? {
        try connection.firstRow(
            "SELECT \(Self.objectColumns) FROM sm_object WHERE record_name = ?",
            [.text(recordName)], objectEntry)
    }

    /// What is known of the object with a number.
    func object(_ pk: Int64) throws -> ObjectEntry? {
        try connection.firstRow(
            "SELECT \(Self.objectColumns) FROM sm_object WHERE pk = ?", [.integer(pk)],
            objectEntry)
    }

    /// The record name of an object, nil if there is no such object or it was deleted here.
    func recordName(of pk: Int64) throws -> String? {
        try connection.firstRow(
            "SELECT record_name FROM sm_object WHERE pk = ? AND entity >= 0", [.integer(pk)]
        ) { $0.text(at: 0) }
    }

    /// The record name that a reference carries, nil if there is no such object.
    ///
    /// It may be that of an object which was deleted here: until the server has heard of it, another
    /// device's version of an object can lead there, and the object may come back.
    func recordNameForReference(to pk: Int64) throws -> String? {
        try connection.firstRow(
            "SELECT record_name FROM sm_object WHERE pk = ?", [.integer(pk)]
        ) { $0.text(at: 0) }
    }

    /// Adds an object, a link or (with entity 0) a placeholder.
    ///
    /// An object whose deletion is undone after it was saved comes with its old number. It keeps its
    /// record name; its record is sent as a new one, whether the deletion has reached the server
    /// or not.
    func insertObject(_ pk: Int64, entityNumber: Int64, recordName: String) throws {
        try connection.execute(
            """
            INSERT INTO sm_object (pk, entity, record_name) VALUES (?, ?, ?)
            ON CONFLICT (pk) DO UPDATE SET entity = excluded.entity, change_tag = NULL,
            system_fields = NULL
            """,
            [.integer(pk), .integer(entityNumber), .text(recordName)])
    }

    /// Makes an entry stand for an object of an entity, for a placeholder or for a deleted object.
    func setEntity(_ entityNumber: Int64, of pk: Int64) throws {
        try connection.execute(
            "UPDATE sm_object SET entity = ? WHERE pk = ?",
            [.integer(entityNumber), .integer(pk)])
    }

    /// Keeps what the server said of a record, or forgets it.
    func setSystemFields(_ fields: Data?, changeTag: String?, of pk: Int64) throws {
        try connection.execute(
            "UPDATE sm_object SET system_fields = ?, change_tag = ? WHERE pk = ?",
            [SQLiteValue(fields), SQLiteValue(changeTag), .integer(pk)])
    }

    /// Notes that a full refetch has seen a record.
    func noteSeen(recordName: String, sweep: Int64) throws {
        try connection.execute(
            "UPDATE sm_object SET sweep = ? WHERE record_name = ?",
            [.integer(sweep), .text(recordName)])
    }

    /// The records that the server knew once and that a full refetch has not seen.
    func unseenRecordNames(sweep: Int64) throws -> [String] {
        try connection.rows(
            """
            SELECT record_name FROM sm_object
            WHERE sweep <> ? AND entity <> 0
            AND (change_tag IS NOT NULL OR system_fields IS NOT NULL)
            """, [.integer(sweep)]
        ) { $0.text(at: 0) }
    }

    /// Whether some record is a placeholder, or deleted here and not yet on the server.
    func hasAbsentObjects() throws -> Bool {
        try connection.firstRow("SELECT EXISTS (SELECT 1 FROM sm_object WHERE entity <= 0)") {
            $0.integer(at: 0) != 0
        } ?? false
    }

    /// The number for a record that something refers to: the object's, or that of a placeholder
    /// made for it.
    func keyForReference(recordName: String) throws -> Int64 {
        if let entry = try object(recordName: recordName) { return entry.pk }
        let pk = try takeKeys(1)
        try insertObject(pk, entityNumber: 0, recordName: recordName)
        return pk
    }

    /// Removes an object whose row is gone, or leaves a placeholder if something refers to it.
    func removeObject(_ pk: Int64) throws {
        if try isReferenced(pk) {
            try setEntity(0, of: pk)
            try setSystemFields(nil, changeTag: nil, of: pk)
        } else {
            try forgetObject(pk)
        }
    }

    /// Removes the entry of a record to which nothing can refer.
    func forgetObject(_ pk: Int64) throws {
        try connection.execute("DELETE FROM sm_object WHERE pk = ?", [.integer(pk)])
    }

    private func isReferenced(_ pk: Int64) throws -> Bool {
        try !referrers(of: pk).isEmpty
    }

    /// The members of a to-many relationship: number and entity number, in order if it has one. Two
    /// devices may give two members the same place; their record names then decide on both.
    func members(
        of relationship: ToManyRelationship, ownedBy pk: Int64
    ) throws -> [(pk: Int64, entityNumber: Int64)] {
        try connection.rows(
            membersStatement(of: relationship, condition: "= ?"), [.integer(pk)]
        ) { ($0.integer(at: 0), $0.integer(at: 1)) }
    }

    /// The statement that selects the members of a to-many relationship with their entities' numbers
    /// and their owners, in the relationship's order.
    ///
    /// - Parameter condition: What the owner has to meet.
    func membersStatement(of relationship: ToManyRelationship, condition: String) -> String {
        switch relationship.storage {
        case .foreignKey(let table, let column, let orderColumn):
            let order = orderColumn.map {
                "t.\($0.sqlIdentifier), (SELECT record_name FROM sm_object WHERE pk = t.pk)"
            }
            return """
                SELECT t.pk, t.entity, t.\(column.sqlIdentifier) FROM \(table.sqlIdentifier) AS t \
                WHERE t.\(column.sqlIdentifier) \(condition) ORDER BY \(order ?? "t.pk")
                """
        case .link(let link, let isSource):
            let (own, other, order) =
                isSource
                ? ("source", "target", "target_order") : ("target", "source", "source_order")
            return """
                SELECT l.\(other), o.entity, l.\(own) FROM \(link.table.sqlIdentifier) AS l \
                JOIN sm_object AS o ON o.pk = l.\(other) AND o.entity > 0 \
                WHERE l.\(own) \(condition) \
                ORDER BY \(relationship.isOrdered ? "l.\(order), o.record_name" : "l.\(other)")
                """
        }
    }
}
