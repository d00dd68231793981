import CoreData

/// The clock that the engine uses for delays; tests replace it.
struct SyncClock: Sendable {
    /// Returns the current time.
    let now: @Sendable () -> Date
    /// Waits for a number of seconds; throws when the task is canceled.
    let sleep: @Sendable (TimeInterval) async throws -> Void

    /// The system's time.
    static let system = SyncClock(
        now: { Date() },
        sleep: { try await Task.sleep(nanoseconds: nanoseconds($0)) })

    /// A delay in nanoseconds, at most about 30 years, because a server may send any number.
    static func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
        let seconds = seconds.isNaN ? 0 : min(max(0, seconds), 1_000_000_000)
        return UInt64(exactly: (seconds * 1_000_000_000).rounded()) ?? 0
    }
}
