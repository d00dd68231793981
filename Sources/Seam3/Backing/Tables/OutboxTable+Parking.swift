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
    ///   - delay: How many seconds it waits; nil for the delay after its number of refusals.
    func park(
        _ entry: OutboxEntry, error: String, at now: Date, delay: TimeInterval? = nil
    ) throws {
        let count = entry.refusalCount + 1
        let delay = delay ?? RefusalDelay.seconds(afterRefusals: count)
        try connection.execute(
            """
            UPDATE sm_outbox SET state = 'parked', error = ?, next_try = ?, refusals = ?
            WHERE pk = ? AND revision = ?
            """,
            [
                .text(error), .real(now.timeIntervalSinceReferenceDate + delay),
                .integer(Int64(count)), .integer(entry.pk), .integer(entry.revision),
            ])
    }

    /// Counts a refusal. From then on the change is sent after the others of its kind.
    func countRefusal(of entry: OutboxEntry) throws {
        try connection.execute(
            "UPDATE sm_outbox SET refusals = ? WHERE pk = ? AND revision = ?",
            [
                .integer(Int64(entry.refusalCount + 1)), .integer(entry.pk),
                .integer(entry.revision),
            ])
    }
}
