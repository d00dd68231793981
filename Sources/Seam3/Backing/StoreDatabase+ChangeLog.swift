import CoreData

/// The outbox. All of it happens inside the caller's transaction, whose changes share one revision.
extension StoreDatabase {
    /// Notes that an object was inserted here, perhaps again before its deletion was sent.
    func noteInsertion(_ pk: Int64, revision: Int64) throws {
        try replaceChangeByInsertion(of: pk, revision: revision)
    }

    /// Notes that properties of an object were changed here.
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - base: The changed properties with the values they had before.
    ///   - isTakenBack: Whether a property has the value again that it had before the first change
    ///     that waits. If nothing has been sent meanwhile, nothing has happened then.
    func noteUpdate(
        _ pk: Int64, base: FieldValues, revision: Int64,
        isTakenBack: (_ name: String, _ old: SQLiteValue) -> Bool = { _, _ in false }
    ) throws {
        try connection.execute(
            """
            INSERT INTO sm_change (pk, kind, revision, changed) VALUES (?, ?, ?, ?)
            ON CONFLICT (pk) DO NOTHING
            """,
            [
                .integer(pk), .integer(PendingChange.Kind.update.rawValue), .integer(revision),
                .blob(base.encoded),
            ])
        if connection.changeCount > 0 { return }
        let known = try connection.firstRow(
            "SELECT kind, changed, attempts FROM sm_change WHERE pk = ?", [.integer(pk)]
        ) { (kind: $0.integer(at: 0), changed: $0.blob(at: 1), attempts: $0.integer(at: 2)) }
        guard let known else { return }
        var merged = FieldValues(encoded: known.changed)
        merged.add(base)
        if known.kind == PendingChange.Kind.update.rawValue, known.attempts == 0 {
            for name in base.values.keys where isTakenBack(name, merged[name]) {
                merged.values[name] = nil
            }
            if merged.values.isEmpty { return try removeChange(of: pk) }
        }
        // An insert that waits sends all its properties, so its changed ones need no list.
        let isInsert = known.kind == PendingChange.Kind.insert.rawValue
        try connection.execute(
            """
            UPDATE sm_change SET revision = ?, changed = ?, parked = 0, error = NULL WHERE pk = ?
            """,
            [
                .integer(revision), isInsert ? .null : .blob(merged.encoded), .integer(pk),
            ])
    }

    /// Notes that an object was deleted here, after its row is gone.
    ///
    /// What the server has never been sent is forgotten; anything else stays in `sm_object` as a
    /// deleted object until the server acknowledges the deletion.
    func noteDeletion(_ pk: Int64, entityNumber: Int64, revision: Int64) throws {
        let isUnsent =
            try connection.firstRow(
                "SELECT kind = 1 AND attempts = 0 FROM sm_change WHERE pk = ?", [.integer(pk)]
            ) { $0.integer(at: 0) != 0 } ?? false
        if isUnsent {
            try connection.execute("DELETE FROM sm_change WHERE pk = ?", [.integer(pk)])
            try connection.execute("DELETE FROM sm_object WHERE pk = ?", [.integer(pk)])
            return
        }
        try connection.execute(
            "UPDATE sm_object SET entity = ? WHERE pk = ?",
            [.integer(-entityNumber), .integer(pk)])
        try noteBaseReplaced(of: pk)
        try connection.execute(
            """
            INSERT INTO sm_change (pk, kind, revision) VALUES (?, ?, ?)
            ON CONFLICT (pk) DO UPDATE SET kind = excluded.kind, revision = excluded.revision,
            changed = NULL, parked = 0, error = NULL
            """,
            [.integer(pk), .integer(PendingChange.Kind.delete.rawValue), .integer(revision)])
    }

    // MARK: - Reading

    private static let changeColumns = """
        c.pk, abs(o.entity), o.record_name, c.kind, c.revision, c.changed, c.attempts, \
        o.system_fields, c.parked, c.sent
        """

    private func pendingChange(_ row: SQLiteStatement) -> PendingChange? {
        guard let kind = PendingChange.Kind(rawValue: row.integer(at: 3)) else { return nil }
        return PendingChange(
            pk: row.integer(at: 0), entityNumber: row.integer(at: 1), recordName: row.text(at: 2),
            kind: kind, revision: row.integer(at: 4), base: FieldValues(encoded: row.blob(at: 5)),
            sent: row.isNull(at: 9) ? nil : row.blob(at: 9), attempts: Int(row.integer(at: 6)),
            systemFields: row.isNull(at: 7) ? nil : row.blob(at: 7),
            isParked: row.integer(at: 8) != 0)
    }

    /// The change that waits for an object, parked or not.
    func pendingChange(of pk: Int64) throws -> PendingChange? {
        try connection.firstRow(
            """
            SELECT \(Self.changeColumns) FROM sm_change AS c JOIN sm_object AS o ON o.pk = c.pk \
            WHERE c.pk = ?
            """, [.integer(pk)], pendingChange) ?? nil
    }

    /// The changes that wait and are not parked, by their objects' numbers.
    ///
    /// - Parameters:
    ///   - deletions: Whether deletions are wanted, or else insertions and updates.
    ///   - pk: The last object of the batch before.
    ///   - limit: How many at most.
    func pendingChanges(
        deletions: Bool, after pk: Int64, limit: Int
    ) throws -> [PendingChange] {
        try connection.rows(
            """
            SELECT \(Self.changeColumns) FROM sm_change AS c JOIN sm_object AS o ON o.pk = c.pk \
            WHERE c.pk > ? AND c.parked = 0 AND (c.kind = 3) = ? ORDER BY c.pk LIMIT ?
            """,
            [.integer(pk), .integer(deletions ? 1 : 0), .integer(Int64(limit))], pendingChange
        ).compactMap { $0 }
    }

    /// How many changes wait, parked ones included.
    func pendingChangeCount() throws -> Int {
        try Int(connection.firstRow("SELECT count(*) FROM sm_change") { $0.integer(at: 0) } ?? 0)
    }

    /// How many changes wait to be sent.
    func unparkedChangeCount() throws -> Int {
        try Int(
            connection.firstRow("SELECT count(*) FROM sm_change WHERE parked = 0") {
                $0.integer(at: 0)
            } ?? 0)
    }

    /// How many changes are set aside, and the error of one of them; nil if there are none.
    func parkedChanges() throws -> (count: Int, error: String)? {
        try connection.firstRow("SELECT count(*), max(error) FROM sm_change WHERE parked = 1") {
            row in row.integer(at: 0) == 0 ? nil : (Int(row.integer(at: 0)), row.text(at: 1))
        } ?? nil
    }

    /// The records that waiting saves refer to, or referred to when the server last knew them.
    func recordNamesReferredToByPendingSaves() throws -> Set<String> {
        var names: Set<String> = []
        _ = try connection.rows(
            """
            SELECT c.changed, o.entity FROM sm_change AS c JOIN sm_object AS o ON o.pk = c.pk \
            WHERE c.kind = 2
            """
        ) { row in
            guard let entity = schema.entity(number: row.integer(at: 1)) else { return }
            let base = FieldValues(encoded: row.blob(at: 0))
            for toOne in entity.toOnes {
                if let name = base[toOne.name].text { names.insert(name) }
            }
        }
        return names
    }

    // MARK: - What the push did

    /// Notes that a change is about to be sent: from now on the server may know its object.
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - fingerprint: The fingerprint of the fields as the server will have them, if it answers
    ///     or not.
    func noteAttempt(_ pk: Int64, fingerprint: Data?) throws {
        try connection.execute(
            "UPDATE sm_change SET attempts = attempts + 1, sent = ? WHERE pk = ?",
            [SQLiteValue(fingerprint), .integer(pk)])
    }

    /// Takes a change out of the outbox.
    func removeChange(of pk: Int64) throws {
        try noteBaseReplaced(of: pk)
        try connection.execute("DELETE FROM sm_change WHERE pk = ?", [.integer(pk)])
    }

    /// Turns a waiting change into an update of some properties, or removes it if there are none.
    func replaceChange(of pk: Int64, base: FieldValues, revision: Int64) throws {
        if base.values.isEmpty {
            try removeChange(of: pk)
        } else {
            try noteBaseReplaced(of: pk)
            try connection.execute(
                """
                INSERT INTO sm_change (pk, kind, revision, changed) VALUES (?, 2, ?, ?)
                ON CONFLICT (pk) DO UPDATE SET kind = 2, revision = excluded.revision,
                changed = excluded.changed, sent = NULL, parked = 0, error = NULL
                """,
                [.integer(pk), .integer(revision), .blob(base.encoded)])
        }
    }

    /// Turns a waiting change into an insertion, which sends all properties.
    func replaceChangeByInsertion(of pk: Int64, revision: Int64) throws {
        try noteBaseReplaced(of: pk)
        try connection.execute(
            """
            INSERT INTO sm_change (pk, kind, revision) VALUES (?, 1, ?)
            ON CONFLICT (pk) DO UPDATE SET kind = 1, revision = excluded.revision, changed = NULL, sent = NULL,
            parked = 0, error = NULL
            """,
            [.integer(pk), .integer(revision)])
    }

    /// Whether a change still waits as it was read: no edit has come since.
    func isCurrent(_ change: PendingChange) throws -> Bool {
        try connection.firstRow(
            "SELECT revision FROM sm_change WHERE pk = ?", [.integer(change.pk)]
        ) { $0.integer(at: 0) } == change.revision
    }

    /// Takes all changes back that were set aside.
    func unparkAll() throws {
        try connection.execute("UPDATE sm_change SET parked = 0, error = NULL WHERE parked = 1")
    }

    /// Sets a change aside that the server refuses for good; the object's next edit takes it back,
    /// also one that came meanwhile.
    func park(_ change: PendingChange, error: String) throws {
        try connection.execute(
            "UPDATE sm_change SET parked = 1, error = ? WHERE pk = ? AND revision = ?",
            [.text(error), .integer(change.pk), .integer(change.revision)])
    }
}
