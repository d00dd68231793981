import CoreData

/// The time by which the engine waits before it tries again; a test brings its own.
struct SyncClock: Sendable {
    /// What time it is.
    let now: @Sendable () -> Date
    /// Waits for some seconds; throws when its task is canceled.
    let sleep: @Sendable (TimeInterval) async throws -> Void

    /// The system's time.
    static let system = SyncClock(
        now: { Date() },
        sleep: { try await Task.sleep(nanoseconds: nanoseconds($0)) })

    /// A time to wait in nanoseconds, at most about 30 years: a server may name any number.
    static func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
        let seconds = seconds.isNaN ? 0 : min(max(0, seconds), 1_000_000_000)
        return UInt64(exactly: (seconds * 1_000_000_000).rounded()) ?? 0
    }
}
