import CloudKit
import CoreData

/// How long the engine waits before it repeats a pass by itself.
enum RetryDelay {
    private static let shortest: TimeInterval = 5
    private static let longest: TimeInterval = 3600
    /// What the server may ask for at most: it answers with any number.
    private static let longestAsked: TimeInterval = 86_400

    /// The delay after a failure.
    ///
    /// - Parameters:
    ///   - error: What the pass failed with.
    ///   - failures: How many passes have failed in a row, this one included.
    ///   - jitter: A number between -1 and 1, so that devices that failed together do not return
    ///     together.
    /// - Returns: The delay in seconds: at least what the server asks for, else doubled with each
    ///   failure up to an hour; nil if the failure does not pass by waiting.
    static func seconds(
        after error: any Error, failures: Int, jitter: Double = .random(in: -1...1)
    ) -> TimeInterval? {
        guard passesByWaiting(error) else { return nil }
        let asked = bounded((error as? CKError)?.retryAfterSeconds ?? 0)
        return max(asked, seconds(afterFailures: failures) * (1 + 0.2 * jitter))
    }

    /// The delay after a number of failures in a row: doubled with each, up to an hour.
    static func seconds(afterFailures failures: Int) -> TimeInterval {
        min(longest, shortest * pow(2, Double(min(max(failures, 1), 20) - 1)))
    }

    /// A delay within what is sensible, also after the device's clock was set back.
    static func bounded(_ seconds: TimeInterval) -> TimeInterval {
        seconds.isFinite ? min(max(0, seconds), longestAsked) : longestAsked
    }

    /// Whether a failure passes by what the system tells, so that there is nothing to wait for.
    static func isOver(_ error: any Error, after event: SystemEvent) -> Bool {
        switch event {
        case .activated:
            // Applications become active when the device was unlocked.
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

    /// Whether the device was in the way: its disk is full, its files cannot be opened as long as it
    /// is locked, another process used the store's file for too long, or the process was to be suspended.
    private static func comesFromDevice(_ error: any Error) -> Bool {
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
