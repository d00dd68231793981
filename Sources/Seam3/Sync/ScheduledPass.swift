import CoreData

/// A pass that runs or waits to run, and its callers.
final class ScheduledPass: @unchecked Sendable {
    // Unchecked because only the engine's actor uses the mutable state.

    /// What the pass has to do. Callers may add to it until the pass begins.
    struct Request {
        /// Whether all records are fetched again, not only the changes.
        var isComplete = false
        /// What happens to the objects here after the pass has deleted the zone; nil if it does not delete it.
        var deletion: SMZoneLossResponse?
        /// Whether it may rely on an earlier pass's checks of the account, the zone and the
        /// subscription, because only saves have asked for it.
        var reliesOnVerification = true
        /// Whether neither a user nor a push has asked for it.
        var isAutomatic = true

        /// Adds what a caller asks for.
        mutating func add(complete: Bool, _ trigger: SyncTrigger) {
            isComplete = isComplete || complete
            if trigger != .save { reliesOnVerification = false }
            if trigger.isUrgent { isAutomatic = false }
        }
    }

    var request = Request()
    /// The number of callers that wait for it. If all of them are canceled, so is the pass.
    var waiterCount = 0
    /// The task that runs the pass, set immediately after this object is created.
    var task: Task<SMSyncSummary, any Error>?

    /// The result of the pass as soon as it has ended.
    func result() async -> Result<SMSyncSummary, any Error> {
        await task?.result ?? .failure(CancellationError())
    }

    /// Waits until the pass has ended, successfully or not.
    func end() async {
        _ = await result()
    }
}

/// What triggers a sync.
enum SyncTrigger: String, Sendable {
    /// The app, for a user who is waiting.
    case user
    /// A push, for which the system grants little time.
    case push
    /// A timer or a system event.
    case automatic
    /// A save.
    case save

    /// Whether somebody is waiting.
    var isUrgent: Bool { self == .user || self == .push }
}
