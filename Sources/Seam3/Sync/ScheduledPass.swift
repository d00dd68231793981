import CoreData

/// A pass that runs or waits to run, and those who wait for it.
final class ScheduledPass: @unchecked Sendable {
    // Unchecked because only the engine's actor touches what changes.

    /// What the pass is asked to do; it may be added to until the pass begins.
    struct Request {
        /// Whether all records are fetched again, and not only what has changed.
        var isComplete = false
        /// How urgent its requests are.
        var qualityOfService = SyncTrigger.automatic.qualityOfService
        /// Whether it may rely on what an earlier pass has found out about account, zone and
        /// subscription: only saves have asked for it.
        var reliesOnVerification = true

        /// Takes over what somebody asks for.
        mutating func add(complete: Bool, _ trigger: SyncTrigger) {
            isComplete = isComplete || complete
            if trigger != .save { reliesOnVerification = false }
            if trigger.isUrgent { qualityOfService = trigger.qualityOfService }
        }
    }

    var request = Request()
    /// How many callers wait for it. If all of them are canceled, so is the pass.
    var waiterCount = 0
    /// The pass itself, set as soon as it is made.
    var task: Task<SMSyncSummary, any Error>?

    /// Waits until the pass has ended, one way or another.
    func end() async {
        _ = await task?.result
    }
}

/// How urgent the requests of a pass are: a user's trigger makes those of a running pass urgent, too.
final class RequestPriority: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private let lock = NSLock()
    private var current: QualityOfService

    /// - Parameter current: How urgent requests are at first.
    init(_ current: QualityOfService) {
        self.current = current
    }

    /// The quality of service of the next request.
    var qualityOfService: QualityOfService {
        get { lock.locked { current } }
        set { lock.locked { current = newValue } }
    }
}

/// What triggers a sync.
enum SyncTrigger: String, Sendable {
    /// The app, for a user who waits.
    case user
    /// A push, for which the system has given a little time.
    case push
    /// A timer, or something that the system tells.
    case automatic
    /// A save.
    case save

    /// Whether somebody waits.
    var isUrgent: Bool { self == .user || self == .push }

    /// How urgent the requests are.
    var qualityOfService: QualityOfService { isUrgent ? .userInitiated : .default }
}
