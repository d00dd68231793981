import CoreData

/// What was sent of the changes, and how often.
extension OutboxTable {
    /// Notes that a change is about to be sent: from now on the server may know its object.
    ///
    /// - Parameters:
    ///   - entry: The change.
    ///   - request: The number of the request.
    ///   - version: The version that the server will have after the request; nil for a deletion,
    ///     after which the server may still have an earlier version.
    /// - Returns: Whether the change is still the one that was read: no edit has been saved since.
    func noteAttempt(
        _ entry: OutboxEntry, request: Int64, version: PropertyValues?
    ) throws -> Bool {
        var sent = entry.sent
        if let version { sent.add(version) }
        try connection.execute(
            """
            UPDATE sm_outbox SET state = 'sending', attempts = attempts + 1, sent = ?,
            request = CASE kind WHEN 'delete' THEN request ELSE ? END
            WHERE pk = ? AND revision = ?
            """,
            [
                SQLiteValue(sent.encoded), .integer(request), .integer(entry.pk),
                .integer(entry.revision),
            ])
        guard connection.changeCount > 0 else { return false }
        try database.objects.setSent(true, entry.pk)
        return true
    }

    /// Notes that the server has answered, and has not saved the version that was sent last.
    ///
    /// - Parameter entry: The change as it was before it was sent.
    func takeBackAttempt(of entry: OutboxEntry) throws {
        try connection.execute(
            """
            UPDATE sm_outbox SET state = ?, sent = ?, attempts = ?, request = ?
            WHERE pk = ? AND revision = ?
            """,
            [
                .text(entry.state.rawValue), SQLiteValue(entry.sent.encoded),
                .integer(Int64(entry.attempts)), SQLiteValue(entry.request),
                .integer(entry.pk), .integer(entry.revision),
            ])
        if !entry.wasSent { try database.objects.setSent(false, entry.pk) }
    }

    /// Forgets all attempts and sent versions.
    func forgetAttempts() throws {
        try connection.execute("UPDATE sm_outbox SET attempts = 0, request = NULL, sent = NULL")
    }

    /// Takes over the progress of sending a change from another file: versions that were sent,
    /// perhaps without an answer, may be on the server.
    ///
    /// - Parameters:
    ///   - other: The other file's outbox.
    ///   - old: The object in that file.
    ///   - pk: The object in this file.
    ///   - isSame: Whether its fields are the same.
    func takeAttempts(from other: OutboxTable, of old: Int64, to pk: Int64, isSame: Bool) throws {
        let values = try other.connection.firstRow(
            """
            SELECT sent, attempts, request, state, error, next_try, refusals FROM sm_outbox
            WHERE pk = ?
            """, [.integer(old)]
        ) { row in (0..<7).map { row.value(at: $0) } }
        guard var values else { return }
        if !isSame { values[0] = .null }
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
