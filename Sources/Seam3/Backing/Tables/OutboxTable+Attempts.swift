import CoreData

/// What was sent of the changes, and how often.
extension OutboxTable {
    /// Notes that a change is about to be sent: from now on the server may know its object.
    ///
    /// - Parameters:
    ///   - entry: The change.
    ///   - request: The number of the request.
    ///   - sent: The versions that the server may have after the request, encoded as by
    ///     ``SentVersions``; nil if there are none.
    /// - Returns: Whether the change is still the one that was read: no edit has been saved since. The
    ///   caller must then call ``noteSent(_:request:)``.
    func noteAttempt(_ entry: OutboxEntry, request: Int64, sent: Data?) throws -> Bool {
        try connection.execute(
            """
            UPDATE sm_outbox SET state = 'sending', attempts = attempts + 1, sent = ?,
            request = CASE kind WHEN 'delete' THEN request ELSE ? END
            WHERE pk = ? AND revision = ?
            """
        ) { statement in
            try statement.bind(SQLiteValue(sent), at: 1)
            try statement.bind(.integer(request), at: 2)
            try statement.bind(.integer(entry.pk), at: 3)
            try statement.bind(.integer(entry.revision), at: 4)
        }
        guard connection.changeCount > 0 else { return false }
        // A deletion does not note the request.
        if entry.kind == .delete { try database.objects.setSent(true, entry.pk) }
        return true
    }

    /// Notes that the server may know the objects that a request is to save.
    ///
    /// - Parameters:
    ///   - keys: The range of the objects' numbers.
    ///   - request: The number of the request.
    func noteSent(_ keys: ClosedRange<Int64>, request: Int64) throws {
        // One statement for the request takes half as long as one for each change.
        try database.objects.setSent(
            in: """
                SELECT pk FROM sm_outbox WHERE pk BETWEEN \(bind: .integer(keys.lowerBound)) \
                AND \(bind: .integer(keys.upperBound)) AND request = \(bind: .integer(request))
                """)
    }

    /// Notes that the server has answered, and has not saved the version that was sent last.
    ///
    /// - Parameters:
    ///   - entry: The change as it was before it was sent.
    ///   - versions: The versions that the server may have nevertheless.
    func takeBackAttempt(of entry: OutboxEntry, remaining versions: SentVersions) throws {
        try connection.execute(
            """
            UPDATE sm_outbox SET state = ?, sent = ?, attempts = ?, request = ?
            WHERE pk = ? AND revision = ?
            """,
            [
                .text(entry.state.rawValue), SQLiteValue(versions.encoded),
                .integer(Int64(entry.attempts)), SQLiteValue(entry.request), .integer(entry.pk),
                .integer(entry.revision),
            ])
    }

    /// Forgets all attempts.
    ///
    /// - Parameter keepsVersions: Whether to remember what was sent, because the server may have it. For deleted
    ///   objects, the zone's log of requests still tells what the server has had.
    func forgetAttempts(keepingVersions keepsVersions: Bool) throws {
        if keepsVersions {
            return try connection.execute(
                "UPDATE sm_outbox SET request = NULL WHERE kind <> 'delete'")
        }
        try connection.execute("UPDATE sm_outbox SET request = NULL, attempts = 0, sent = NULL")
    }

    /// Takes over the progress of sending a change from another file: versions that were sent,
    /// perhaps without an answer, may be on the server.
    ///
    /// - Parameters:
    ///   - other: The other file's outbox.
    ///   - old: The object in that file.
    ///   - pk: The object in this file.
    ///   - translated: What was sent, under the names of this file's model.
    func takeAttempts(
        from other: OutboxTable, of old: Int64, to pk: Int64,
        translated: (PropertyValues) -> PropertyValues = { $0 }
    ) throws {
        let values = try other.connection.firstRow(
            """
            SELECT sent, attempts, request, state, error, next_try, refusals FROM sm_outbox
            WHERE pk = ?
            """, [.integer(old)]
        ) { row in (0..<7).map { row.value(at: $0) } }
        guard var values else { return }
        if let sent = values[0].blob {
            values[0] = SQLiteValue(SentVersions(encoded: sent).map(translated).encoded)
        }
        try connection.execute(
            """
            UPDATE sm_outbox SET sent = ?, attempts = ?, request = ?, state = ?, error = ?,
            next_try = ?, refusals = ? WHERE pk = ?
            """, values + [.integer(pk)])
        if try other.database.objects.entry(old)?.wasSent == true {
            try database.objects.setSent(true, pk)
        }
    }
}
