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
    /// How often the server has refused it since its last edit.
    let refusalCount: Int
    /// What has changed since the version that the server and this device agreed on. For a deleted object, the values
    /// that it had, if they are known; for a link that was removed with an end, the pair.
    var changes: ChangeLayers
    /// The requests with the change of which it is not known whether they were carried out.
    let requests: [SentRequest]
    /// The properties to send although nobody has changed them, because the record lacks them.
    let resend: Set<String>
    /// The system fields that the server last returned; nil if it never returned any.
    let systemFields: Data?
    /// The stored form of what the server's version says about its edits; see ``KnownEdits``.
    let storedEdits: Data?
    /// Whether the server may have seen the record.
    let wasSent: Bool
    /// Whether a link is deleted because one of its ends was deleted on the server. A later version of
    /// the link from the server undoes the deletion.
    let followsEnd: Bool

    /// What the server's version says about its edits; nil if nothing is known of any version.
    var edits: KnownEdits? { storedEdits.flatMap { KnownEdits(stored: $0) } }

    /// The names of the properties to send. An insertion sends all.
    var names: Set<String> { changes.names.union(resend) }

    /// The names of the properties that it has changed, and of all that a deleted object had whose record a new one takes.
    var sentNames: Set<String> { kind == .insert ? replaced.keys : names }

    /// The values from before the change; for an insertion none, because the two sides have agreed on none.
    var base: PropertyValues { kind == .insert ? PropertyValues() : changes.base }

    /// For an insertion, the values of the deleted object whose record the new object takes, if there is one.
    var replaced: PropertyValues { kind == .insert ? changes.replaced : PropertyValues() }

    /// Whether it is a new object that is default content, and that no user has edited.
    var isUneditedSeed: Bool { kind == .insert && changes.isSeed && changes.edits().isEmpty }

    /// The requests that were to save the object.
    var saves: [SentRequest] { requests.filter { !$0.isDeletion } }

    /// Whether the server has refused all requests that were to save the object, or there was none.
    var isUnsent: Bool { saves.allSatisfy(\.isRefused) }

    /// Whether nothing is left of it if only these changes remain. A request without a response may have saved the
    /// record.
    func isDone(leaving changes: ChangeLayers, _ resend: Set<String>) -> Bool {
        kind == .update && changes.names.isEmpty && resend.isEmpty && isUnsent
    }

    /// Whether the server may have carried out a deletion.
    var mayBeDeleted: Bool { requests.contains(where: \.isDeletion) }

    /// The version that a request has sent.
    ///
    /// - Parameter current: The object's present values; none if it was deleted.
    func version(of request: SentRequest, current: PropertyValues) -> PropertyValues {
        request.held.adding(changes.version(at: request.revision, current: current))
    }

    /// Whether a request has sent a value of a property.
    func hasSent(_ value: SQLiteValue, of name: String, current: PropertyValues) -> Bool {
        saves.contains { version(of: $0, current: current)[name] == value }
    }
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

    /// The revisions that a file can contain. In a migrated file, those of what was sent before are below those that it
    /// has assigned, and may be negative.
    static let revisions = -SequenceTable.numbers.upperBound...SequenceTable.numbers.upperBound

    /// A revision, or the nearest one that a file can contain.
    static func bounded(_ revision: Int64) -> Int64 {
        min(max(revision, revisions.lowerBound), revisions.upperBound)
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
        revision INTEGER NOT NULL, changes BLOB, requests BLOB, resend TEXT, error TEXT, \
        next_try REAL, refusals INTEGER NOT NULL DEFAULT 0, \
        follows_end INTEGER NOT NULL DEFAULT 0 CHECK (follows_end IN (0, 1)), \
        CHECK ((error IS NULL) = (state <> 'parked')))
        """
    ]

    /// The triggers of a connection that record changes that are dropped: their values from before may name files of
    /// external data.
    ///
    /// - Parameter place: The temporary table and column for them.
    static func triggers(noting place: String) -> [String] {
        let events = [("UPDATE OF changes", "OLD.changes IS NOT NEW.changes"), ("DELETE", "TRUE")]
        return events.map { event, condition in
            """
            CREATE TEMP TRIGGER IF NOT EXISTS "sm_replaced changes \(event.prefix(6))" \
            AFTER \(event) ON main.sm_outbox WHEN OLD.changes IS NOT NULL AND \(condition) \
            BEGIN INSERT INTO \(place) VALUES (OLD.changes); END
            """
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
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - changes: ``ChangeLayers/insertion(_:)`` says whether it is default content.
    func noteInsertion(_ pk: Int64, _ changes: ChangeLayers = ChangeLayers()) throws {
        let revision = SQLiteValue.integer(try database.revision())
        // Two statements, because an upsert would prepare its update triggers for each row.
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, changes) VALUES (?, 'insert', ?, ?)
            ON CONFLICT (pk) DO NOTHING
            """, [.integer(pk), revision, changes.stored])
        if connection.changeCount > 0 { return }
        try connection.execute(
            """
            UPDATE sm_outbox SET kind = 'insert', revision = ?, changes = ?, requests = NULL,
            resend = NULL, follows_end = 0, \(Self.waits) WHERE pk = ?
            """, [revision, changes.stored, .integer(pk)])
    }

    /// Notes that an object is made again whose deletion waited.
    ///
    /// - Parameters:
    ///   - deletion: The deletion. If it may have been carried out, what was sent before says nothing of the new object.
    ///   - pk: The number of the new object.
    ///   - kind: Whether it is sent as new.
    ///   - isSeed: Whether it is default content.
    ///   - isBack: Whether a property has a value again.
    func noteReturn(
        from deletion: OutboxEntry, of pk: Int64, as kind: Kind, isSeed: Bool,
        isBack: (_ name: String, _ value: SQLiteValue) -> Bool
    ) throws {
        var changes = deletion.changes
        if kind == .update {
            changes.undoRemoval(isSeed ? .other : .edit, isBack)
        } else {
            changes.isSeed = isSeed
        }
        if kind == .update, changes.isEmpty, deletion.resend.isEmpty { return try remove(of: pk) }
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, changes, requests, resend) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (pk) DO UPDATE SET kind = excluded.kind, revision = excluded.revision,
            changes = excluded.changes, requests = excluded.requests, resend = excluded.resend,
            follows_end = 0, \(Self.waits)
            """,
            [
                .integer(pk), .text(kind.rawValue), .integer(try database.revision()),
                changes.stored, (deletion.mayBeDeleted ? [] : deletion.requests).stored,
                Self.list(kind == .update ? deletion.resend : []),
            ])
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

    /// Lets waiting updates become insertions, because the server is forgotten.
    func replaceUpdatesByInsertions() throws {
        try connection.execute(
            """
            UPDATE sm_outbox SET kind = 'insert', revision = ?, resend = NULL, follows_end = 0, \(Self.waits)
            WHERE kind <> 'delete'
            """, [.integer(try database.revision())])
    }

    /// Notes that properties of an object were changed here.
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - previous: The changed properties with their previous values.
    ///   - cause: Why they have changed.
    ///   - isTakenBack: Whether a property has returned to a value. If it had this value before and nothing was sent in
    ///     the meantime, it is no longer changed.
    func noteUpdate(
        _ pk: Int64, _ previous: PropertyValues, _ cause: ChangeLayers.Cause = .edit,
        isTakenBack: (_ name: String, _ old: SQLiteValue) -> Bool = { _, _ in false }
    ) throws {
        let revision = try database.revision()
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, changes) VALUES (?, 'update', ?, ?)
            ON CONFLICT (pk) DO NOTHING
            """,
            [
                .integer(pk), .integer(revision),
                ChangeLayers(previous, cause, revision: revision).stored,
            ])
        if connection.changeCount > 0 { return }
        guard let known = try entry(of: pk) else { return }
        var changes = known.changes
        // The server has nothing of a new object that was never sent, and all of it is a user's unless it is default
        // content.
        if known.kind != .insert || known.wasSent || !known.requests.isEmpty
            || known.changes.isSeed
        {
            changes.note(
                previous, cause, revision: revision, sent: known.requests.lastRevision)
            changes.takeBack(previous.keys, isTakenBack)
        }
        if known.kind == .update, changes.names.isEmpty, known.requests.isEmpty,
            known.resend.isEmpty
        {
            return try remove(of: pk)
        }
        try connection.execute(
            "UPDATE sm_outbox SET revision = ?, changes = ?, \(Self.waits) WHERE pk = ?",
            [.integer(revision), changes.stored, .integer(pk)])
    }

    /// Notes several changes of one save, each with its cause.
    func noteUpdate(
        _ pk: Int64, _ previous: PropertyValues, _ ownCause: ChangeLayers.Cause,
        following names: Set<String>, _ cause: ChangeLayers.Cause,
        isTakenBack: (_ name: String, _ old: SQLiteValue) -> Bool
    ) throws {
        let edits = previous.limited(to: previous.keys.subtracting(names))
        let others = previous.limited(to: names)
        if !edits.values.isEmpty { try noteUpdate(pk, edits, ownCause, isTakenBack: isTakenBack) }
        if !others.values.isEmpty { try noteUpdate(pk, others, cause, isTakenBack: isTakenBack) }
    }

    /// Notes that properties of many objects were changed.
    ///
    /// - Parameters:
    ///   - query: The objects' numbers, and as the column `base` their changed properties with the
    ///     previous values, encoded. It must have a WHERE clause.
    ///   - cause: Why they have changed.
    func noteUpdates(_ query: SQL, _ cause: ChangeLayers.Cause = .edit) throws {
        let revision = SQLiteValue.integer(try database.revision())
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, changes) \
            SELECT n.pk, 'update', ?, \(BaseValueFunctions.layer)(n.base, ?, ?) FROM (\(query.text)) AS n \
            WHERE n.base IS NOT NULL \
            ON CONFLICT (pk) DO UPDATE SET revision = excluded.revision, \
            changes = CASE WHEN kind = 'insert' AND changes IS NULL AND requests IS NULL AND NOT \
            (SELECT was_sent FROM \(ObjectTable.name) AS o WHERE o.pk = sm_outbox.pk) THEN changes \
            ELSE \(BaseValueFunctions.note)(changes, requests, excluded.changes) END, \(Self.waits)
            """,
            [revision, .text(cause.rawValue), revision] + query.values)
    }

    /// Notes that an object has given up the destination of a one-to-one relationship, because another object got it.
    /// No user has changed this object.
    func noteGivenUp(_ name: String, of pk: Int64, leadingFrom recordName: String) throws {
        guard var known = try entry(of: pk), known.kind == .update else { return }
        known.changes.setCause(.other, of: name, from: .text(recordName))
        try setChanges(known.changes, of: pk)
    }

    /// Lets properties be sent although nobody has changed them, because the record lacks them.
    func noteResend(_ names: Set<String>, of pk: Int64) throws {
        let revision = SQLiteValue.integer(try database.revision())
        let known = try entry(of: pk)
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, resend) VALUES (?, 'update', ?, ?)
            ON CONFLICT (pk) DO UPDATE SET revision = excluded.revision,
            resend = CASE kind WHEN 'update' THEN excluded.resend END, \(Self.waits)
            """, [.integer(pk), revision, Self.list(names.union(known?.resend ?? []))])
    }

    /// Notes that the records of deleted objects lack properties that others have yet to send.
    func noteResend(_ names: Set<String>, ofDeletionsOf entity: Int64) throws {
        for change in try deletions(ofEntity: entity) {
            try connection.execute(
                "UPDATE sm_outbox SET resend = ? WHERE pk = ?",
                [Self.list(change.resend.union(names)), .integer(change.pk)])
        }
    }

    /// Notes that no user has set some properties of an object with a waiting change. A new object that was never
    /// sent does not count, because its user wants all of its values.
    func noteUnread(_ names: Set<String>, of pk: Int64) throws {
        guard !names.isEmpty, var known = try entry(of: pk),
            known.kind == .update || known.kind == .insert && known.wasSent
        else { return }
        known.changes.noteUnread(names)
        try setChanges(known.changes, of: pk)
    }

    /// The stored form of a list of property names; NULL if it is empty.
    static func list(_ names: Set<String>) -> SQLiteValue {
        names.isEmpty ? .null : .text(names.sorted().joined(separator: ","))
    }

    /// The property names of a stored list.
    static func names(inList list: SQLiteValue) -> Set<String> {
        guard let names = list.text else { return [] }
        return Set(names.split(separator: ",").map(String.init))
    }

    /// Notes that an object was deleted here, after its row has been removed.
    ///
    /// An object that the server cannot have seen is forgotten. Any other stays known as deleted
    /// until the server acknowledges the deletion.
    ///
    /// - Parameters:
    ///   - pk: The object.
    ///   - entity: The number of its entity.
    ///   - values: The object's properties: a server version with the same values is not an edit.
    ///   - followsEnd: Whether it is a link that is deleted because one of its ends was deleted on the server.
    func noteDeletion(
        _ pk: Int64, entity: Int64, values: PropertyValues? = nil, followsEnd: Bool = false
    ) throws {
        guard
            try noteDeletionIfSent(pk, entity: entity, values: values, followsEnd: followsEnd)
        else { return try database.objects.forget(pk) }
    }

    /// The same for an object that other deleted objects may refer to. Their base values need its record
    /// name, so the caller forgets it later.
    ///
    /// - Returns: Whether the server may have seen the object.
    func noteDeletionIfSent(
        _ pk: Int64, entity: Int64, values: PropertyValues?, followsEnd: Bool = false
    ) throws -> Bool {
        guard try database.objects.setDeletedIfSent(pk, entity: entity) else {
            try remove(of: pk)
            return false
        }
        let revision = try database.revision()
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, changes, follows_end)
            VALUES (?, 'delete', ?, ?, ?)
            \(Self.replacesByDeletion)
            """,
            [
                .integer(pk), .integer(revision),
                values.map { ChangeLayers($0, .removal, revision: revision).stored } ?? .null,
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
        let revision = SQLiteValue.integer(try database.revision())
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, changes)
            SELECT o.pk, 'delete', ?, \(BaseValueFunctions.layer)(b.base, ?, ?)
            FROM \(ObjectTable.name) AS o JOIN (\(bases.text)) AS b ON b.pk = o.pk
            WHERE o.state = 'deleted'
            \(Self.replacesByDeletion)
            """,
            [revision, .text(ChangeLayers.Cause.removal.rawValue), revision] + bases.values)
    }

    private static let replacesByDeletion = """
        ON CONFLICT (pk) DO UPDATE SET kind = 'delete', revision = excluded.revision,
        changes = \(BaseValueFunctions.note)(changes, requests, excluded.changes),
        follows_end = excluded.follows_end, \(waits)
        """

    // MARK: - What the server said

    /// Replaces a waiting change with an update that is based on the server's present version, or removes it if there
    /// is nothing to send.
    ///
    /// - Parameter revision: The revision of an edit that was saved while the change was sent; nil
    ///   for the transaction's own.
    func replace(
        of pk: Int64, _ changes: ChangeLayers, resend: Set<String> = [], revision: Int64? = nil
    ) throws {
        if changes.names.isEmpty, resend.isEmpty { return try remove(of: pk) }
        try connection.execute(
            """
            INSERT INTO sm_outbox (pk, kind, revision, changes, resend) VALUES (?, 'update', ?, ?, ?)
            ON CONFLICT (pk) DO UPDATE SET kind = 'update', revision = excluded.revision,
            changes = excluded.changes, requests = NULL, resend = excluded.resend, follows_end = 0,
            \(Self.waits)
            """,
            [
                .integer(pk), .integer(try revision ?? database.revision()), changes.stored,
                Self.list(resend),
            ])
    }

    /// The same for changes with one cause.
    func replace(
        of pk: Int64, base: PropertyValues, _ cause: ChangeLayers.Cause = .edit
    ) throws {
        try replace(of: pk, ChangeLayers(base, cause, revision: database.revision()))
    }

    /// Replaces the description of a waiting change, which stays the same change.
    func setChanges(_ changes: ChangeLayers, of pk: Int64) throws {
        try connection.execute(
            "UPDATE sm_outbox SET changes = ? WHERE pk = ?", [changes.stored, .integer(pk)])
    }

    /// Renames the properties in a waiting change, and drops those that no longer exist.
    ///
    /// - Parameters:
    ///   - names: The new names.
    ///   - renamed: Renames values, and converts them.
    func rename(
        _ change: OutboxEntry, _ names: [String: String],
        _ renamed: (PropertyValues) -> PropertyValues
    ) throws {
        let changes = change.changes.mapValues(renaming: names, renamed)
        let resend = Set(change.resend.compactMap { names[$0] })
        if change.isDone(leaving: changes, resend) { return try remove(of: change.pk) }
        try connection.execute(
            "UPDATE sm_outbox SET changes = ?, requests = ?, resend = ? WHERE pk = ?",
            [
                changes.stored, change.requests.mapHeld(renamed).stored, Self.list(resend),
                .integer(change.pk),
            ])
    }

    /// Takes the unknown base values of a waiting update from the server's version that the update was made to.
    func learnBase(of pk: Int64, from server: PropertyValues) throws {
        guard let change = try entry(of: pk), change.kind == .update,
            !change.base.unknownNames.isEmpty
        else { return }
        try setChanges(change.changes.knowing(server), of: pk)
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
