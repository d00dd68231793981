import CoreData

/// The changes that the server refuses.
extension OutboxTable {
    /// Returns all parked changes to the queue.
    func unparkAll() throws {
        try connection.execute("UPDATE sm_outbox SET \(Self.waitsAgain) WHERE state = 'parked'")
    }

    /// Returns the parked changes to the queue whose time has come.
    ///
    /// - Parameter now: The current time. A change whose date is further away than the longest
    ///   delay was parked by a clock that was wrong, and is returned as well.
    func unpark(dueAt now: Date) throws {
        let now = now.timeIntervalSinceReferenceDate
        try connection.execute(
            """
            UPDATE sm_outbox SET \(Self.waitsAgain)
            WHERE state = 'parked' AND (next_try IS NULL OR next_try NOT BETWEEN ? AND ?)
            """, [.real(now.nextUp), .real(now + RefusalDelay.longest)])
    }

    /// Why a change is parked, and when it is sent again; nil if it is not parked.
    func refusal(of pk: Int64) throws -> (reason: String, nextTry: Date?)? {
        try connection.firstRow(
            "SELECT error, next_try FROM sm_outbox WHERE pk = ? AND state = 'parked'",
            [.integer(pk)]
        ) {
            ($0.text(at: 0), $0.value(at: 1).real.map { Date(timeIntervalSinceReferenceDate: $0) })
        }
    }

    /// Parks a change that the server refuses. The object's next edit returns it to the queue, and
    /// so does an edit that was saved in the meantime.
    ///
    /// - Parameters:
    ///   - entry: The change.
    ///   - error: Why the server refuses it.
    ///   - now: The current time.
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
