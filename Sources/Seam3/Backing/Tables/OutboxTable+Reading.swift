import CoreData

/// Reading the outbox.
extension OutboxTable {
    private static let source = """
        SELECT c.pk, o.entity, o.record_name, c.kind, c.state, c.revision, c.changes, c.requests,
        c.resend, o.system_fields, c.follows_end, o.was_sent, o.edits, c.refusals
        FROM sm_outbox AS c JOIN \(ObjectTable.name) AS o ON o.pk = c.pk
        """

    private static let selectKey = source + " WHERE c.pk = ?"
    private static let selectUnparked =
        source + """
             WHERE c.pk > ? AND c.state <> 'parked' AND (c.kind = 'delete') = ?
            AND (c.refusals > 0) = ? ORDER BY c.pk LIMIT ?
            """

    private func entry(_ row: SQLiteStatement) -> OutboxEntry? {
        guard var kind = Kind(rawValue: row.text(at: 3)),
            let state = State(rawValue: row.text(at: 4))
        else { return nil }
        let changes = ChangeLayers(stored: row.value(at: 6))
        let resend = Self.names(inList: row.value(at: 8))
        // Without intact values from before it is unknown what an update changed, so it sends all
        // properties.
        if kind == .update, changes?.names.isEmpty != false, resend.isEmpty || changes == nil {
            kind = .insert
        }
        return OutboxEntry(
            pk: row.integer(at: 0), entity: row.integer(at: 1), recordName: row.text(at: 2),
            kind: kind, state: state, revision: row.integer(at: 5),
            refusalCount: row.count(at: 13),
            changes: changes ?? ChangeLayers(), requests: [SentRequest](stored: row.value(at: 7)),
            resend: resend, systemFields: row.isNull(at: 9) ? nil : row.blob(at: 9),
            storedEdits: row.isNull(at: 12) ? nil : row.blob(at: 12),
            wasSent: row.integer(at: 11) != 0, followsEnd: row.integer(at: 10) != 0)
    }

    /// The change of an object, parked or not.
    func entry(of pk: Int64) throws -> OutboxEntry? {
        try connection.firstRow(Self.selectKey, [.integer(pk)], entry) ?? nil
    }

    /// The changes that are not parked, sorted by the objects' numbers.
    ///
    /// - Parameters:
    ///   - deletions: Whether to return deletions, or insertions and updates.
    ///   - refused: Whether to return changes that the server has refused before, or the others.
    ///   - pk: The last object of the previous batch.
    ///   - limit: The maximum number of changes.
    func unparked(
        deletions: Bool, refused: Bool, after pk: Int64, limit: Int
    ) throws -> [OutboxEntry] {
        try connection.rows(
            Self.selectUnparked,
            [
                .integer(pk), .integer(deletions ? 1 : 0), .integer(refused ? 1 : 0),
                .integer(Int64(limit)),
            ], entry
        ).compactMap { $0 }
    }

    /// The deletions of an entity's objects.
    func deletions(ofEntity number: Int64) throws -> [OutboxEntry] {
        try connection.rows(
            Self.source + " WHERE o.entity = ? AND c.kind = 'delete'", [.integer(number)], entry
        ).compactMap { $0 }
    }

    /// The changes of an entity's objects that say more than that an object is new, parked ones included.
    func changes(ofEntity number: Int64) throws -> [OutboxEntry] {
        try connection.rows(
            Self.source
                + " WHERE o.entity = ? AND NOT (c.kind = 'insert' AND c.changes IS NULL AND c.requests IS NULL)",
            [.integer(number)], entry
        ).compactMap { $0 }
    }

    /// The objects of an entity with a change, parked or not.
    func keys(ofEntity number: Int64) throws -> [Int64] {
        try connection.rows(
            """
            SELECT c.pk FROM sm_outbox AS c JOIN \(ObjectTable.name) AS o ON o.pk = c.pk
            WHERE o.entity = ?
            """, [.integer(number)]
        ) { $0.integer(at: 0) }
    }

    /// The objects whose waiting updates have changes.
    func keysOfUpdates() throws -> [Int64] {
        try connection.rows(
            "SELECT pk FROM sm_outbox WHERE kind = 'update' AND changes IS NOT NULL"
        ) { $0.integer(at: 0) }
    }

    /// The updates and deletions of some entities' objects, parked ones included, with the values that
    /// they replace.
    func replacedValues(
        ofEntities numbers: [Int64]
    ) throws -> [(pk: Int64, entity: Int64, base: PropertyValues)] {
        try connection.rows(
            """
            SELECT c.pk, o.entity, c.changes FROM sm_outbox AS c JOIN \(ObjectTable.name) AS o
            ON o.pk = c.pk WHERE c.kind <> 'insert' AND c.changes IS NOT NULL
            AND o.entity IN (\(numbers.sqlList))
            """
        ) {
            (
                $0.integer(at: 0), $0.integer(at: 1),
                ChangeLayers(stored: $0.value(at: 2))?.base ?? PropertyValues()
            )
        }
    }

    /// The number of changes, parked ones included.
    func count() throws -> Int {
        try count("SELECT count(*) FROM sm_outbox")
    }

    /// The number of changes that are not parked.
    func unparkedCount() throws -> Int {
        try count("SELECT count(*) FROM sm_outbox WHERE state <> 'parked'")
    }

    private func count(_ sql: String) throws -> Int {
        try Int(clamping: connection.firstRow(sql) { $0.integer(at: 0) } ?? 0)
    }

    /// The number of parked changes, and the error of one of them; nil if there are none.
    func parked() throws -> (count: Int, error: String)? {
        try connection.firstRow(
            "SELECT count(*), max(error) FROM sm_outbox WHERE state = 'parked'"
        ) { row in
            row.integer(at: 0) == 0 ? nil : (Int(clamping: row.integer(at: 0)), row.text(at: 1))
        }
            ?? nil
    }

    /// When the first parked change is sent again; nil if there are none.
    func nextTry() throws -> Date? {
        try connection.firstRow("SELECT min(next_try) FROM sm_outbox WHERE state = 'parked'") {
            $0.value(at: 0).real.map { Date(timeIntervalSinceReferenceDate: $0) }
        } ?? nil
    }

    /// The number of changes of each entity or kind of link, by kind, and how many of them are
    /// parked.
    func counts() throws -> [(entity: Int64, kind: Kind, count: Int, parked: Int)] {
        try connection.rows(
            """
            SELECT o.entity, c.kind, count(*), sum(c.state = 'parked')
            FROM sm_outbox AS c JOIN \(ObjectTable.name) AS o ON o.pk = c.pk
            GROUP BY o.entity, c.kind
            """
        ) { row in
            Kind(rawValue: row.text(at: 1)).map {
                (
                    row.integer(at: 0), $0, Int(clamping: row.integer(at: 2)),
                    Int(clamping: row.integer(at: 3))
                )
            }
        }.compactMap { $0 }
    }

    /// The records that the objects of waiting updates referred to when the server last knew them.
    /// Parked updates do not count.
    ///
    /// - Parameter failed: The records of further updates that do not count.
    func recordNamesInBases(except failed: Set<String>) throws -> Set<String> {
        var names: Set<String> = []
        try connection.forEachRow(
            """
            SELECT c.changes, o.entity, o.record_name FROM sm_outbox AS c JOIN \(ObjectTable.name) AS o
            ON o.pk = c.pk WHERE c.kind = 'update' AND c.state <> 'parked'
            """
        ) { row in
            guard !failed.contains(row.text(at: 2)),
                let entity = database.schema.entity(number: row.integer(at: 1))
            else { return }
            let base = ChangeLayers(stored: row.value(at: 0))?.base ?? PropertyValues()
            for toOne in entity.toOnes {
                if let name = base[toOne.name].text { names.insert(name) }
            }
        }
        return names
    }

    /// The records of parked updates.
    func parkedUpdateNames() throws -> [String] {
        try connection.rows(
            """
            SELECT o.record_name FROM sm_outbox AS c JOIN \(ObjectTable.name) AS o ON o.pk = c.pk
            WHERE c.kind = 'update' AND c.state = 'parked' AND c.changes IS NOT NULL ORDER BY 1
            """
        ) { $0.text(at: 0) }
    }

    /// Calls a closure with the values that waiting changes have replaced.
    func forEachFormerValues(_ body: (PropertyValues) throws -> Void) throws {
        try connection.forEachRow("SELECT changes FROM sm_outbox WHERE changes IS NOT NULL") {
            try ChangeLayers(stored: $0.value(at: 0))?.forEachValues(body)
        }
    }
}
