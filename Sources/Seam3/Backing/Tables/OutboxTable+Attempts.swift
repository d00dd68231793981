import CoreData

/// The requests with the changes.
extension OutboxTable {
    /// Notes that a change is about to be sent: from now on the server may know its object.
    ///
    /// - Parameters:
    ///   - entry: The change.
    ///   - request: The request.
    /// - Returns: Whether the change is still the one that was read: no edit has been saved since. The
    ///   caller must then call ``noteSent(_:)``.
    func noteRequest(_ request: SentRequest, with entry: OutboxEntry) throws -> Bool {
        guard try set(entry.requests.adding(request), .sending, of: entry) else { return false }
        if entry.kind == .delete { try database.objects.setSent(true, entry.pk) }
        return true
    }

    private func set(
        _ requests: [SentRequest], _ state: State, of entry: OutboxEntry
    ) throws -> Bool {
        try connection.execute(
            "UPDATE sm_outbox SET state = ?, requests = ? WHERE pk = ? AND revision = ?"
        ) { statement in
            try statement.bind(.text(state.rawValue), at: 1)
            try statement.bind(requests.stored, at: 2)
            try statement.bind(.integer(entry.pk), at: 3)
            try statement.bind(.integer(entry.revision), at: 4)
        }
        return connection.changeCount > 0
    }

    /// Notes that the server may know the objects that are being sent.
    ///
    /// - Parameter keys: The range of the objects' numbers.
    func noteSent(_ keys: ClosedRange<Int64>) throws {
        // One statement for the request takes half as long as one for each change.
        try database.objects.setSent(
            in: """
                SELECT pk FROM sm_outbox WHERE pk BETWEEN \(bind: .integer(keys.lowerBound)) \
                AND \(bind: .integer(keys.upperBound)) AND state = 'sending'
                """)
    }

    /// Notes that the server has answered, and has not carried out the last request.
    ///
    /// - Parameters:
    ///   - entry: The change as it was before it was sent.
    ///   - request: The request, if the network may repeat it and nobody else can have sent the same.
    func noteRefusal(of entry: OutboxEntry, repeatable request: SentRequest?) throws {
        var requests = entry.requests
        if var request {
            request.isRefused = true
            requests.removeAll { $0.isRefused && $0.revision == request.revision }
            requests.insert(request, at: 0)
        }
        _ = try set(requests, entry.state, of: entry)
    }

    /// Forgets the requests, because the server is forgotten.
    ///
    /// - Parameter keepsVersions: Whether to remember what was sent, because the server may have it.
    func forgetRequests(keepingVersions keepsVersions: Bool) throws {
        if !keepsVersions { return try connection.execute("UPDATE sm_outbox SET requests = NULL") }
        let all = try connection.rows(
            "SELECT pk, requests FROM sm_outbox WHERE kind <> 'delete' AND requests IS NOT NULL"
        ) { ($0.integer(at: 0), [SentRequest](stored: $0.value(at: 1))) }
        for (pk, requests) in all {
            let kept = requests.map { request in
                var kept = request
                kept.isForgotten = true
                return kept
            }
            try connection.execute(
                "UPDATE sm_outbox SET requests = ? WHERE pk = ?", [kept.stored, .integer(pk)])
        }
    }

    /// Takes over a waiting change from another file.
    ///
    /// - Parameters:
    ///   - other: The change.
    ///   - outbox: The other file's outbox.
    ///   - pk: The object in this file, with a change of the same kind.
    ///   - translated: The changes under the names of this file's model.
    ///   - translatedValues: Values under those names.
    func take(
        _ other: OutboxEntry, from outbox: OutboxTable, to pk: Int64, _ translated: ChangeLayers,
        _ resend: Set<String>, _ translatedValues: (PropertyValues) -> PropertyValues
    ) throws {
        // What this migration changes is newer than all that was sent.
        let revision = try database.revision()
        let distance = revision - 1 - Self.bounded(other.revision)
        let requests = other.requests.mapHeld(translatedValues).map { request in
            var moved = request
            moved.revision += distance
            return moved
        }
        let refusal = try outbox.connection.firstRow(
            "SELECT state, error, next_try, refusals FROM sm_outbox WHERE pk = ?",
            [.integer(other.pk)]
        ) { row in (0..<4).map { row.value(at: $0) } }
        guard let refusal else { return }
        try connection.execute(
            """
            INSERT INTO sm_outbox (state, error, next_try, refusals, pk, kind, revision, changes, requests, resend)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (pk) DO UPDATE SET kind = excluded.kind, revision = excluded.revision,
            changes = excluded.changes, requests = excluded.requests, resend = excluded.resend,
            state = excluded.state, error = excluded.error, next_try = excluded.next_try,
            refusals = excluded.refusals
            """,
            refusal + [
                .integer(pk), .text(other.kind.rawValue), .integer(revision),
                translated.shifted(by: distance).stored, requests.stored, Self.list(resend),
            ])
        if other.wasSent { try database.objects.setSent(true, pk) }
    }
}
