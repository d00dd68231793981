import CoreData

/// The time by which the engine waits before it tries again; a test brings its own.
struct SyncClock: Sendable {
    /// What time it is.
    let now: @Sendable () -> Date
    /// Waits for some seconds; throws when its task is cancelled.
    let sleep: @Sendable (TimeInterval) async throws -> Void

    /// The system's time.
    static let system = SyncClock(
        now: { Date() },
        sleep: { try await Task.sleep(nanoseconds: UInt64(max(0, $0) * 1_000_000_000)) })
}
