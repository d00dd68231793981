import CloudKit
import CoreData

/// How long the engine waits before it repeats a pass automatically.
enum RetryDelay {
    private static let shortest: TimeInterval = 5
    private static let longest: TimeInterval = 3600
    /// The upper limit for the server's delay, which can be any number.
    private static let longestAsked: TimeInterval = 86_400

    /// The delay after a failure.
    ///
    /// - Parameters:
    ///   - error: The error of the pass.
    ///   - failures: The number of passes that have failed in a row, including this one.
    ///   - jitter: A number between -1 and 1, so that devices that failed at the same time do not
    ///     all retry at the same time.
    /// - Returns: The delay in seconds, doubled with each failure up to an hour, and never less
    ///   than the server asks for; nil if waiting does not help.
    static func seconds(
        after error: any Error, failures: Int, jitter: Double = .random(in: -1...1)
    ) -> TimeInterval? {
        guard passesByWaiting(error) else { return nil }
        let asked = bounded((error as? CKError)?.retryAfterSeconds ?? 0)
        return max(asked, seconds(afterFailures: failures) * (1 + 0.2 * jitter))
    }

    /// The delay in seconds after a number of failures in a row, doubled with each failure, up to
    /// an hour.
    static func seconds(afterFailures failures: Int) -> TimeInterval {
        min(longest, shortest * pow(2, Double(min(max(failures, 1), 20) - 1)))
    }

    /// A delay limited to a sensible range, even if the device's clock was set back.
    static func bounded(_ seconds: TimeInterval) -> TimeInterval {
        seconds.isFinite ? min(max(0, seconds), longestAsked) : longestAsked
    }

    /// The date of a retry, or now if the date is further ahead than any delay: a clock that was wrong has set it.
    static func date(_ date: Date, at now: Date) -> Date {
        date.timeIntervalSince(now) > longestAsked ? now : date
    }

    /// Whether a system event removes the cause of a failure, so that there is no need to wait.
    static func isOver(_ error: any Error, after event: SystemEvent) -> Bool {
        switch event {
        case .activated:
            // Apps become active after the device is unlocked.
            return comesFromDevice(error)
        case .networkReturned:
            let code = (error as? CKError)?.code
            return code == .networkUnavailable || code == .networkFailure
        case .accountChanged:
            if case SMStoreError.accountUnavailable = error { return true }
            return CloudErrorReaction(error) == .waitForAccount
        }
    }

    private static func passesByWaiting(_ error: any Error) -> Bool {
        if let error = error as? SMStoreError {
            switch error {
            case .syncingElsewhere, .accountUnavailable: return true
            case .recordsNotFetched(_, let underlying),
                .changesNotAcknowledged(_, .some(let underlying)):
                return passesByWaiting(underlying)
            default: return false
            }
        }
        if comesFromDevice(error) { return true }
        switch CloudErrorReaction(error) {
        case .retryLater, .waitForAccount, .stopPushing: return true
        default: return false
        }
    }

    /// Whether the device is the cause: its disk is full, its files are protected while it is
    /// locked, another process used the store's file for too long, or the process was about to be
    /// suspended.
    private static func comesFromDevice(_ error: any Error) -> Bool {
        // What Apple's frameworks do here is an assumption: SM-6.
        if let error = error as? SQLiteError {
            let codes: [SQLiteError.Code] = [
                .busy, .locked, .outOfMemory, .permissionDenied, .notAuthorized, .cannotOpen,
                .inputOutput, .full, .interrupted,
            ]
            return codes.contains(error.code)
        }
        guard let error = error as? CocoaError else { return false }
        let codes: [CocoaError.Code] = [
            .fileReadNoPermission, .fileWriteNoPermission, .fileWriteOutOfSpace,
        ]
        return codes.contains(error.code)
    }
}
