import CoreData

/// A local change that the server has not acknowledged: a row of `sm_outbox`.
struct OutboxEntry {
    let pk: Int64
    /// The number of the entity or of the kind of link.
    let entity: Int64
    let recordName: String
    let kind: OutboxTable.Kind
    let state: OutboxTable.State
    /// Moves with every local change of the object.
    let revision: Int64
    /// The changed properties of an update, with the values they had before; those that a deleted
    /// object had, if they are known.
    let base: PropertyValues
    /// What was sent of the object and was not answered. Later edits leave it as it is.
    let sent: SentVersions
    /// How often the change was sent.
    let attempts: Int
    /// The number of the last request with it; nil if there was none.
    let request: Int64?
    /// The system fields that the server last gave, nil if it never gave any.
    let systemFields: Data?
    /// Whether the server may have seen the record.
    let wasSent: Bool
    /// Whether a link is deleted because one of its ends was. A version of the link that comes later
    /// than that takes the deletion back.
    let followsEnd: Bool
    /// The changed properties that no user has changed: the store has, because of what other records
    /// say, or a migration. That is no edit.
    let automatic: Set<String>
}

/// The table `sm_outbox`: one row for each object and link with a change that the server has not
/// acknowledged.
///
/// All of it happens inside the caller's transaction, whose changes share one revision.
struct OutboxTable {
    /// What happened to the object since the server last agreed.
    enum Kind: String, CaseIterable {
        case insert, update, delete
    }

    /// Where a change stands.
    enum State: String, CaseIterable {
        /// It is to be sent.
        case waiting
        /// A request with it has left, and was not answered yet.
        case sending
        /// The server has refused it; it is set aside, with the reason.
        case parked
    }

    static let name = "sm_outbox"

    static let statements = [
        """
        CREATE TABLE sm_outbox (pk INTEGER PRIMARY KEY, \
        kind TEXT NOT NULL CHECK (\("kind".sqlIsCase(of: Kind.self))), \
        state TEXT NOT NULL DEFAULT 'waiting' CHECK (\("state".sqlIsCase(of: State.self))), \
        revision INTEGER NOT NULL, base BLOB, sent BLOB, attempts INTEGER NOT NULL DEFAULT 0, \
        request INTEGER, error TEXT, next_try REAL, refusals INTEGER NOT NULL DEFAULT 0, \
        follows_end INTEGER NOT NULL DEFAULT 0 CHECK (follows_end IN (0, 1)), automatic TEXT, \
        CHECK ((error IS NULL) = (state <> 'parked')))
        """
    ]

    /// The triggers of a connection that note base values which are given up.
    ///
    /// - Parameter place: The temporary table and its column for them.
    static func triggers(noting place: String) -> [String] {
        [("UPDATE OF base", "OLD.base IS NOT NEW.base"), ("DELETE", "TRUE")].map {
            event, condition in
            """
            CREATE TEMP TRIGGER IF NOT EXISTS "sm_replaced base \(event.prefix(6))" \
            AFTER \(event) ON main.sm_outbox WHEN OLD.base IS NOT NULL AND \(condition) \
            BEGIN INSERT INTO \(place) VALUES (OLD.base); END
            """
        }
    }

    let database: StoreDatabase
    var connection: SQLiteConnection { database.connection }

    /// What makes a row wait to be sent again.
    private static let waitsAgain = "state = 'waiting', error = NULL, next_try = NULL"
    /// What makes a row wait that has changed: it is another change, which nobody has refused.
    private static let waits = waitsAgain + ", refusals = 0"

    // MARK: - Local changes

    /// Notes that an object was inserted here, perhaps again before its deletion was sent: all its
    /// properties are to be sent.
    func noteInsertion(_ pk: Int64) throws {
        let revision = SQLiteValue.integer(try database.revision())
        // Two statements: one that may update has to be ready for its triggers with each row.
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision) VALUES (?, 'insert', ?)
            ON CONFLICT (pk) DO NOTHING
            """, [.integer(pk), revision])
        if connection.changeCount > 0 { return }
        try connection.execute(
            """
            UPDATE sm_outbox SET kind = 'insert', revision = ?, base = NULL, sent = NULL,
            follows_end = 0, automatic = NULL, \(Self.waits) WHERE pk = ?
            """, [revision, .integer(pk)])
    }

    /// Notes that all that is here of an entity is to be sent as new.
    func noteInsertions(ofEntity number: Int64) throws {
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision) SELECT pk, 'insert', ?
            FROM \(ObjectTable.name) WHERE entity = ? AND state = 'present'
            """,
            [.integer(try database.revision()), .integer(number)])
    }

    /// Notes that properties of an object were changed here.
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - base: The changed properties with the values they had before.
    ///   - automatic: Those that no user has changed: they follow from what other records say, or from
    ///     what else was deleted.
    ///   - isTakenBack: Whether a property has the value again that it had before the first change
    ///     that waits. If nothing has been sent meanwhile, nothing has happened then.
    func noteUpdate(
        _ pk: Int64, base: PropertyValues, automatic: Set<String> = [],
        isTakenBack: (_ name: String, _ old: SQLiteValue) -> Bool = { _, _ in false }
    ) throws {
        let revision = SQLiteValue.integer(try database.revision())
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, base, automatic)
            VALUES (?, 'update', ?, ?, ?) ON CONFLICT (pk) DO NOTHING
            """,
            [
                .integer(pk), revision, .blob(base.encoded),
                Self.list(automatic),
            ])
        if connection.changeCount > 0 { return }
        guard let known = try entry(of: pk) else { return }
        let allAutomatic = known.automatic.subtracting(base.keys.subtracting(automatic))
            .union(automatic.subtracting(known.base.keys))
        var merged = known.base
        merged.add(base)
        if known.kind == .update, known.attempts == 0 {
            for name in base.values.keys where isTakenBack(name, merged[name]) {
                merged.values[name] = nil
            }
            if merged.values.isEmpty { return try remove(of: pk) }
        }
        // An insert that waits sends all its properties, so its changed ones need no list.
        try connection.execute(
            "UPDATE sm_outbox SET revision = ?, base = ?, automatic = ?, \(Self.waits) WHERE pk = ?",
            [
                revision, known.kind == .insert ? .null : .blob(merged.encoded),
                Self.list(allAutomatic), .integer(pk),
            ])
    }

    /// Notes that no user has changed a reference, if it has led to some record since before all that
    /// waits.
    func noteAutomatic(_ name: String, of pk: Int64, leadingFrom recordName: String) throws {
        guard let known = try entry(of: pk), known.kind == .update,
            known.base[name] == .text(recordName)
        else { return }
        try connection.execute(
            "UPDATE sm_outbox SET automatic = ? WHERE pk = ?",
            [Self.list(known.automatic.union([name])), .integer(pk)])
    }

    /// The form in which the names of properties are kept; NULL if there are none.
    private static func list(_ names: Set<String>) -> SQLiteValue {
        names.isEmpty ? .null : .text(names.sorted().joined(separator: ","))
    }

    /// Notes that properties of many objects were changed.
    ///
    /// - Parameters:
    ///   - query: The objects' numbers and the changed properties with the values they had before,
    ///     encoded, as the column `base`; it must have a WHERE clause.
    ///   - automatic: Those that no user has changed. Where a change waits already they count as edits.
    func noteUpdates(_ query: SQL, automatic: Set<String> = []) throws {
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, base, automatic) \
            SELECT n.pk, 'update', ?, n.base, ? FROM (\(query.text)) AS n \
            WHERE n.base IS NOT NULL \
            ON CONFLICT (pk) DO UPDATE SET revision = excluded.revision, \
            base = CASE kind WHEN 'insert' THEN NULL \
            ELSE \(BaseValueFunctions.older)(base, excluded.base) END, \
            automatic = CASE WHEN excluded.automatic IS NULL THEN NULL ELSE automatic END, \
            \(Self.waits)
            """,
            [.integer(try database.revision()), Self.list(automatic)] + query.values)
    }

    /// Notes that an object was deleted here, after its row is gone.
    ///
    /// What the server can never have seen is forgotten; anything else stays known as a
    /// deleted object until the server acknowledges the deletion.
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - entity: The number of its entity.
    ///   - base: The properties that it had, encoded: a version of the server that has the same is
    ///     no edit.
    ///   - followsEnd: Whether it is a link that goes because one of its ends went.
    func noteDeletion(
        _ pk: Int64, entity: Int64, base: Data? = nil, followsEnd: Bool = false
    ) throws {
        guard try database.objects.setDeletedIfSent(pk, entity: entity) else {
            try remove(of: pk)
            return try database.objects.forget(pk)
        }
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, base, follows_end)
            VALUES (?, 'delete', ?, ?, ?)
            \(Self.replacesByDeletion)
            """,
            [
                .integer(pk), .integer(try database.revision()), SQLiteValue(base),
                .integer(followsEnd ? 1 : 0),
            ])
    }

    /// Notes that objects are deleted here, before their rows go.
    ///
    /// - Parameters:
    ///   - keys: A query of their numbers.
    ///   - bases: A query of their numbers and of the properties that they have, encoded, as the columns
    ///     `pk` and `base`.
    func noteDeletions(in keys: String, bases: SQL) throws {
        let unsent = "SELECT pk FROM \(ObjectTable.name) WHERE was_sent = 0 AND pk IN (\(keys))"
        try connection.execute("DELETE FROM sm_outbox WHERE pk IN (\(unsent))")
        try database.objects.forget(in: unsent)
        try database.objects.setDeleted(in: keys)
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, base) SELECT o.pk, 'delete', ?, b.base
            FROM \(ObjectTable.name) AS o JOIN (\(bases.text)) AS b ON b.pk = o.pk
            WHERE o.state = 'deleted'
            \(Self.replacesByDeletion)
            """,
            [.integer(try database.revision())] + bases.values)
    }

    /// What a waiting update has changed was on the server as it was before.
    private static let replacesByDeletion = """
        ON CONFLICT (pk) DO UPDATE SET kind = 'delete', revision = excluded.revision,
        base = CASE WHEN kind = 'update' AND excluded.base IS NOT NULL
        THEN \(BaseValueFunctions.older)(base, excluded.base) ELSE excluded.base END,
        follows_end = excluded.follows_end, automatic = NULL, \(waits)
        """

    // MARK: - What the server said

    /// Turns a waiting change into an update of some properties, or removes it if there are none.
    ///
    /// - Parameter revision: The revision of an edit that came while the change was sent; nil for
    ///   the transaction's own.
    func replace(of pk: Int64, base: PropertyValues, revision: Int64? = nil) throws {
        if base.values.isEmpty { return try remove(of: pk) }
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, base) VALUES (?, 'update', ?, ?)
            ON CONFLICT (pk) DO UPDATE SET kind = 'update', revision = excluded.revision,
            base = excluded.base, sent = NULL, follows_end = 0, \(Self.waits)
            """,
            [
                .integer(pk), .integer(try revision ?? database.revision()),
                .blob(base.encoded),
            ])
    }

    /// Takes a change out of the outbox.
    func remove(of pk: Int64) throws {
        try connection.execute("DELETE FROM sm_outbox WHERE pk = ?", [.integer(pk)])
    }

    /// Takes a change out of the outbox, unless the object was edited since it was read.
    ///
    /// - Returns: Whether it is out.
    func remove(_ entry: OutboxEntry) throws -> Bool {
        try connection.execute(
            "DELETE FROM sm_outbox WHERE pk = ? AND revision = ?",
            [.integer(entry.pk), .integer(entry.revision)])
        return connection.changeCount > 0
    }

    /// Takes changes out of the outbox.
    func remove(in keys: String) throws {
        try connection.execute("DELETE FROM sm_outbox WHERE pk IN (\(keys))")
    }

    /// Takes all changes but those of some objects out of the outbox.
    func removeAll(but keys: String? = nil) throws {
        try connection.execute(
            "DELETE FROM sm_outbox" + (keys.map { " WHERE pk NOT IN (\($0))" } ?? ""))
    }

    /// Notes of a new change what another one has sent of its object.
    func setSent(_ other: OutboxEntry, of pk: Int64) throws {
        try connection.execute(
            "UPDATE sm_outbox SET sent = ?, attempts = ?, request = ? WHERE pk = ?",
            [
                SQLiteValue(other.sent.encoded), .integer(Int64(other.attempts)),
                SQLiteValue(other.request), .integer(pk),
            ])
    }

    /// Gives a waiting update other base values: what was sent says nothing of them.
    func setBase(_ base: PropertyValues, of pk: Int64) throws {
        try connection.execute(
            "UPDATE sm_outbox SET base = ?, sent = NULL WHERE pk = ?",
            [.blob(base.encoded), .integer(pk)])
    }

    /// Takes all changes back that were set aside.
    func unparkAll() throws {
        try connection.execute("UPDATE sm_outbox SET \(Self.waitsAgain) WHERE state = 'parked'")
    }

    /// Takes the changes back that were set aside and whose time has come.
    ///
    /// - Parameter now: What time it is. A change that would have to wait for longer than any does
    ///   was set aside by a clock that was wrong.
    func unpark(dueAt now: Date) throws {
        let now = now.timeIntervalSinceReferenceDate
        try connection.execute(
            """
            UPDATE sm_outbox SET \(Self.waitsAgain)
            WHERE state = 'parked' AND (next_try IS NULL OR next_try NOT BETWEEN ? AND ?)
            """, [.real(now.nextUp), .real(now + RefusalDelay.longest)])
    }

    /// Sets a change aside that the server refuses, until its time comes; the object's next edit
    /// takes it back, also one that came meanwhile.
    ///
    /// - Parameters:
    ///   - entry: The change.
    ///   - error: Why the server refuses it.
    ///   - now: What time it is.
    func park(_ entry: OutboxEntry, error: String, at now: Date) throws {
        let known = try connection.firstRow(
            "SELECT refusals FROM sm_outbox WHERE pk = ? AND revision = ?",
            [.integer(entry.pk), .integer(entry.revision)]
        ) { $0.integer(at: 0) }
        guard let known else { return }
        let delay = RefusalDelay.seconds(afterRefusals: Int(clamping: known) + 1)
        try connection.execute(
            """
            UPDATE sm_outbox SET state = 'parked', error = ?, next_try = ?, refusals = ? WHERE pk = ?
            """,
            [
                .text(error), .real(now.timeIntervalSinceReferenceDate + delay),
                .integer(known + 1), .integer(entry.pk),
            ])
    }
}
