import CoreData

/// A local change that the server has not acknowledged: a row of `sm_outbox`.
struct OutboxEntry {
    let pk: Int64
    /// The number of the entity or of the kind of link.
    let entity: Int64
    let recordName: String
    let kind: OutboxTable.Kind
    let state: OutboxTable.State
    /// Increases with every local change of the object.
    let revision: Int64
    /// The changed properties of an update with their base values; for a deleted object, the values
    /// that it had, if they are known; for a link that was removed with an end, the pair. Empty for an insertion.
    let base: PropertyValues
    /// For an insertion, the values of the deleted object whose record the new object takes, if there is one.
    let replaced: PropertyValues
    /// The versions of the object that were sent and not answered, and those of a new object that were refused.
    /// Later edits do not change them.
    let sent: SentVersions
    /// How often the change was sent.
    let attempts: Int
    /// The number of the last request that was to save the object; nil if there was none.
    let request: Int64?
    /// The system fields that the server last returned; nil if it never returned any.
    let systemFields: Data?
    /// Whether the server may have seen the record.
    let wasSent: Bool
    /// Whether a link is deleted because one of its ends was deleted on the server. A later version of
    /// the link from the server undoes the deletion.
    let followsEnd: Bool
    /// The changed properties that the store has changed itself, because of other records or a
    /// migration, and those that the model before a migration did not have, or could not hold. They do not count as
    /// edits by a user. For a deleted object, those changed before the deletion.
    let automatic: Set<String>
    /// The values from before edits, of properties of which it is not known what the server has: those that a
    /// migration sends again, and all of an object whose server was forgotten. If the server has such a value, it
    /// was not changed there. Also the destinations that one-to-one relationships have given up.
    let former: PropertyValues

    /// The values from before the change: the base values, or those of the object that an insertion replaces.
    var previous: PropertyValues { kind == .insert ? replaced : base }

    /// Whether the object's one-to-one relationship has lost its destination because another object got it.
    func hasGivenUp(_ relationship: String) -> Bool {
        former[relationship].text != nil && former[relationship] == base[relationship]
    }

    /// Whether the server has refused all requests with this change, or there was none.
    var isUnsent: Bool { attempts == 0 || sent.isEmpty }
}

/// The table `sm_outbox`: one row for each object and link with a change that the server has not
/// acknowledged.
///
/// All methods run in the caller's transaction, whose changes share one revision.
struct OutboxTable {
    /// The kind of change since the server last agreed.
    enum Kind: String, CaseIterable {
        case insert, update, delete
    }

    /// The state of a change.
    enum State: String, CaseIterable {
        /// It waits to be sent.
        case waiting
        /// It is in a request that was not answered yet.
        case sending
        /// It is parked: the server has refused it, and the reason is stored.
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
        former BLOB, \
        CHECK ((error IS NULL) = (state <> 'parked')))
        """
    ]

    /// The columns with values that objects had, which may name files of external data.
    static let valueColumns = ["base", "former"]

    /// The triggers of a connection that record former values that are dropped.
    ///
    /// - Parameter place: The temporary table and column for them.
    static func triggers(noting place: String) -> [String] {
        valueColumns.flatMap { column in
            let events = [
                ("UPDATE OF \(column)", "OLD.\(column) IS NOT NEW.\(column)"), ("DELETE", "TRUE"),
            ]
            return events.map { event, condition in
                """
                CREATE TEMP TRIGGER IF NOT EXISTS "sm_replaced \(column) \(event.prefix(6))" \
                AFTER \(event) ON main.sm_outbox WHEN OLD.\(column) IS NOT NULL AND \(condition) \
                BEGIN INSERT INTO \(place) VALUES (OLD.\(column)); END
                """
            }
        }
    }

    let database: StoreDatabase
    var connection: SQLiteConnection { database.connection }

    /// Resets a row to wait to be sent again.
    static let waitsAgain = "state = 'waiting', error = NULL, next_try = NULL"
    /// Resets a row after an edit: it is a new change, which the server has not refused.
    private static let waits = waitsAgain + ", refusals = 0"

    // MARK: - Local changes

    /// Notes that an object was inserted here, perhaps again before its deletion was sent: all its
    /// properties are sent.
    func noteInsertion(_ pk: Int64) throws {
        let revision = SQLiteValue.integer(try database.revision())
        // Two statements, because an upsert would prepare its update triggers for each row.
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision) VALUES (?, 'insert', ?)
            ON CONFLICT (pk) DO NOTHING
            """, [.integer(pk), revision])
        if connection.changeCount > 0 { return }
        try connection.execute(
            """
            UPDATE sm_outbox SET kind = 'insert', revision = ?, base = NULL, sent = NULL,
            follows_end = 0, automatic = NULL, former = NULL, \(Self.waits) WHERE pk = ?
            """, [revision, .integer(pk)])
    }

    /// Queues all objects of an entity to be sent as new, unless they are already.
    func noteInsertions(ofEntity number: Int64) throws {
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision) SELECT pk, 'insert', ?
            FROM \(ObjectTable.name) WHERE entity = ? AND state = 'present'
            ON CONFLICT (pk) DO NOTHING
            """,
            [.integer(try database.revision()), .integer(number)])
    }

    /// Lets an insertion wait to be sent again, with all properties, as another version than the one that was sent.
    ///
    /// - Returns: Whether there is one.
    func sendInsertionAgain(_ pk: Int64) throws -> Bool {
        try connection.execute(
            "UPDATE sm_outbox SET revision = ?, \(Self.waits) WHERE pk = ? AND kind = 'insert'",
            [.integer(try database.revision()), .integer(pk)])
        return connection.changeCount > 0
    }

    /// Lets waiting updates become insertions, because the server is forgotten.
    func replaceUpdatesByInsertions() throws {
        try connection.execute(
            """
            UPDATE sm_outbox SET kind = 'insert', revision = ?, former = CASE WHEN base IS NULL THEN former
            ELSE \(BaseValueFunctions.older)(former, base) END, base = NULL, automatic = NULL,
            follows_end = 0, \(Self.waits) WHERE kind <> 'delete'
            """, [.integer(try database.revision())])
    }

    /// Notes that properties of an object were changed here.
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - base: The changed properties with their previous values.
    ///   - automatic: Those that no user has changed: they follow from other records, or from
    ///     deletions.
    ///   - isTakenBack: Whether a property has returned to its base value. If nothing has been sent
    ///     in the meantime, the property is then no longer changed.
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
        let isForgotten = known.kind == .insert && known.wasSent
        var former = known.former
        for name in base.keys where known.hasGivenUp(name) { former.values[name] = nil }
        former = former.adding(
            isForgotten
                ? base
                : base.notKnown(from: known.base, among: known.automatic.subtracting(automatic)))
        // As long as nothing of a new object was sent, its user wants all of its values.
        let isAllNew = known.kind == .insert && known.isUnsent
        let allAutomatic = Self.automatic(
            known.automatic, known.base, after: base, isAllNew ? [] : automatic)
        var merged = known.base
        merged.add(base)
        if known.kind == .update, known.attempts == 0 {
            // A base value is not what the server has if a migration sends the property again.
            for name in base.keys.subtracting(former.keys)
            where !merged.isUnknown(name) && isTakenBack(name, merged[name]) {
                merged.values[name] = nil
            }
            if merged.values.isEmpty { return try remove(of: pk) }
        }
        // A waiting insertion sends all properties, so it needs no list of changed ones.
        try connection.execute(
            """
            UPDATE sm_outbox SET revision = ?, base = CASE kind WHEN 'insert' THEN base ELSE ? END,
            automatic = ?, former = ?, \(Self.waits) WHERE pk = ?
            """,
            [
                revision, known.kind == .insert ? .null : .blob(merged.encoded),
                Self.list(allAutomatic), former.stored, .integer(pk),
            ])
    }

    /// Notes that properties of many objects were changed.
    ///
    /// - Parameters:
    ///   - query: The objects' numbers, and as the column `base` their changed properties with the
    ///     previous values, encoded. It must have a WHERE clause.
    ///   - automatic: Those that no user has changed.
    func noteUpdates(_ query: SQL, automatic: Set<String> = []) throws {
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, base, automatic) \
            SELECT n.pk, 'update', ?, n.base, ? FROM (\(query.text)) AS n \
            WHERE n.base IS NOT NULL \
            ON CONFLICT (pk) DO UPDATE SET revision = excluded.revision, \
            base = CASE kind WHEN 'insert' THEN base \
            ELSE \(BaseValueFunctions.older)(base, excluded.base) END, \
            automatic = \(BaseValueFunctions.automatic)(automatic, base, excluded.base, \
            CASE WHEN kind <> 'insert' OR attempts > 0 AND sent IS NOT NULL \
            THEN excluded.automatic END), \
            former = CASE WHEN kind = 'insert' AND \
            (SELECT was_sent FROM \(ObjectTable.name) AS o WHERE o.pk = sm_outbox.pk) \
            THEN \(BaseValueFunctions.older)(former, excluded.base) WHEN kind = 'insert' \
            OR automatic IS NULL OR excluded.automatic IS NOT NULL THEN former \
            ELSE \(BaseValueFunctions.former)(former, base, excluded.base, automatic) END, \
            \(Self.waits)
            """,
            [.integer(try database.revision()), Self.list(automatic)] + query.values)
    }

    /// Notes that an object was deleted here, after its row has been removed.
    ///
    /// An object that the server cannot have seen is forgotten. Any other stays known as deleted
    /// until the server acknowledges the deletion.
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - entity: The number of its entity.
    ///   - base: The object's properties, encoded: a server version with the same values is not an
    ///     edit.
    ///   - followsEnd: Whether it is a link that is deleted because one of its ends was deleted on the server.
    func noteDeletion(
        _ pk: Int64, entity: Int64, base: Data? = nil, followsEnd: Bool = false
    ) throws {
        guard
            try noteDeletionIfSent(pk, entity: entity, base: base, followsEnd: followsEnd)
        else { return try database.objects.forget(pk) }
    }

    /// The same for an object that other deleted objects may refer to. Their base values need its record
    /// name, so the caller forgets it later.
    ///
    /// - Returns: Whether the server may have seen the object.
    func noteDeletionIfSent(
        _ pk: Int64, entity: Int64, base: Data?, followsEnd: Bool = false
    ) throws -> Bool {
        guard try database.objects.setDeletedIfSent(pk, entity: entity) else {
            try remove(of: pk)
            return false
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
        return true
    }

    /// Notes that objects are deleted here, before their rows are removed. The caller forgets those that the
    /// server cannot have seen, after the deletions of all objects are noted.
    ///
    /// - Parameters:
    ///   - keys: A query for their numbers.
    ///   - bases: A query for their numbers and their encoded properties, as the columns `pk` and
    ///     `base`.
    func noteDeletions(in keys: String, bases: SQL) throws {
        try remove(in: ObjectTable.keys(among: keys, sent: false))
        try database.objects.setDeleted(in: ObjectTable.keys(among: keys, sent: true))
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, base) SELECT o.pk, 'delete', ?, b.base
            FROM \(ObjectTable.name) AS o JOIN (\(bases.text)) AS b ON b.pk = o.pk
            WHERE o.state = 'deleted'
            \(Self.replacesByDeletion)
            """,
            [.integer(try database.revision())] + bases.values)
    }

    /// For properties that a waiting update has changed, the server has the base values. For those that a
    /// migration sends again, it may have no value, or the same value from another device. Of an object that was
    /// deleted before, it has the values from before that deletion.
    private static let replacesByDeletion = """
        ON CONFLICT (pk) DO UPDATE SET kind = 'delete', revision = excluded.revision,
        base = CASE WHEN kind = 'update' AND excluded.base IS NOT NULL
        THEN \(BaseValueFunctions.beforeDeletion)(base, excluded.base, automatic)
        WHEN kind = 'insert' AND base IS NOT NULL THEN base
        ELSE excluded.base END,
        follows_end = excluded.follows_end,
        automatic = CASE WHEN kind = 'update' AND excluded.base IS NOT NULL THEN automatic END,
        \(waits)
        """

    // MARK: - What the server said

    /// Replaces a waiting change with an update of some properties, or removes it if there are
    /// none.
    ///
    /// - Parameter revision: The revision of an edit that was saved while the change was sent; nil
    ///   for the transaction's own.
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

    /// Removes a change from the outbox.
    func remove(of pk: Int64) throws {
        try connection.execute("DELETE FROM sm_outbox WHERE pk = ?", [.integer(pk)])
    }

    /// Removes a change from the outbox, unless the object was edited since the change was read.
    ///
    /// - Returns: Whether it was removed.
    func remove(_ entry: OutboxEntry) throws -> Bool {
        try connection.execute(
            "DELETE FROM sm_outbox WHERE pk = ? AND revision = ?"
        ) { statement in
            try statement.bind(.integer(entry.pk), at: 1)
            try statement.bind(.integer(entry.revision), at: 2)
        }
        return connection.changeCount > 0
    }

    /// Removes changes from the outbox.
    func remove(in keys: String) throws {
        try connection.execute("DELETE FROM sm_outbox WHERE pk IN (\(keys))")
    }

    /// Removes all changes from the outbox, except those of some objects.
    func removeAll(but keys: String? = nil) throws {
        try connection.execute(
            "DELETE FROM sm_outbox" + (keys.map { " WHERE pk NOT IN (\($0))" } ?? ""))
    }
}
