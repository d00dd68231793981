import CloudKit
import CoreData

/// What the engine does about an error of CloudKit. Every code has its line.
enum CloudErrorReaction: Equatable {
    /// The pass ends; the next one tries again, not before the server's delay.
    case retryLater
    /// The record on the server is another version: resolve the conflict.
    case resolveConflict
    /// The record is gone from the server: treat it as deleted there.
    case treatAsDeleted
    /// The request was too large: send it in halves.
    case split
    /// Another record of the batch was at fault: send this one again.
    case sendAgain
    /// The change token is too old: fetch everything and sweep.
    case resetToken
    /// The zone is gone.
    case zoneLost
    /// The account cannot be used now; changes wait.
    case waitForAccount
    /// The server refuses this record: set it aside, and try again ever more rarely.
    case park
    /// Pushing stops, pulling goes on.
    case stopPushing
    /// The pass ends with the error.
    case stop

    /// The reaction to a code.
    ///
    /// - Parameter code: A code of `CKError`.
    init(_ code: CKError.Code) {
        switch code {
        case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited,
            .zoneBusy, .serverResponseLost:
            self = .retryLater
        case .serverRecordChanged:
            self = .resolveConflict
        case .unknownItem:
            self = .treatAsDeleted
        case .limitExceeded:
            self = .split
        case .batchRequestFailed, .assetFileNotFound, .assetFileModified:
            // The files of assets are created again for each attempt.
            self = .sendAgain
        case .changeTokenExpired:
            self = .resetToken
        case .zoneNotFound, .userDeletedZone:
            self = .zoneLost
        case .notAuthenticated, .accountTemporarilyUnavailable, .managedAccountRestricted:
            self = .waitForAccount
        case .invalidArguments, .serverRejectedRequest, .constraintViolation,
            .incompatibleVersion, .assetNotAvailable, .referenceViolation, .permissionFailure,
            .alreadyShared, .tooManyParticipants, .participantMayNeedVerification:
            self = .park
        case .quotaExceeded:
            self = .stopPushing
        case .internalError, .partialFailure, .badContainer, .missingEntitlement, .badDatabase,
            .operationCancelled:
            self = .stop
        default:
            // A code that is newer than this table.
            self = .stop
        }
    }

    /// The reaction to an error of an operation; to that of one of its items if only items failed.
    init(_ error: any Error) {
        guard let error = error as? CKError else {
            self = .stop
            return
        }
        self.init(error.code)
        guard error.code == .partialFailure, let items = error.partialErrorsByItemID else { return }
        let reactions = items.values.map { CloudErrorReaction($0) }
        self = Self.gravest.first(where: reactions.contains) ?? reactions.first ?? .stop
    }

    /// Whether the error of a record that was to be fetched says nothing of the others, nor of the
    /// account or the zone. What breaks off is the transfer of an asset: the answer itself has come.
    static func concernsOneFetch(_ error: any Error) -> Bool {
        switch (error as? CKError)?.code {
        case .networkFailure, .networkUnavailable, .serverResponseLost: return true
        default: return concernsOneRecord(error)
        }
    }

    /// Whether an error says nothing of other records, nor of the network, the account or the zone.
    static func concernsOneRecord(_ error: any Error) -> Bool {
        guard let error = error as? CKError else { return false }
        switch CloudErrorReaction(error) {
        case .zoneLost, .resetToken, .waitForAccount, .retryLater, .stopPushing: return false
        case .stop:
            return ![.operationCancelled, .badContainer, .badDatabase, .missingEntitlement]
                .contains(error.code)
        case .resolveConflict, .treatAsDeleted, .split, .sendAgain, .park: return true
        }
    }

    /// Whether an error of a request says that the server has carried nothing of it out that it has not
    /// answered for: it never came there, or was turned down.
    static func refusesRequest(_ error: any Error) -> Bool {
        guard let error = error as? CKError else { return false }
        switch error.code {
        // Whatever time they come with to wait: only the answer may have been lost.
        case .networkFailure, .serverResponseLost:
            return false
        case .networkUnavailable, .requestRateLimited, .zoneBusy, .limitExceeded,
            .notAuthenticated, .accountTemporarilyUnavailable, .managedAccountRestricted,
            .permissionFailure, .quotaExceeded, .badContainer, .badDatabase, .missingEntitlement,
            .invalidArguments, .serverRejectedRequest, .incompatibleVersion, .zoneNotFound,
            .userDeletedZone:
            return true
        default:
            return error.retryAfterSeconds != nil
        }
    }

    /// Whether other requests may succeed after one that failed as a whole: something of what it had
    /// was in the way, or the connection did not bear it. A server that asks to wait is left alone, unless it
    /// lacks space: a deletion may free some.
    static func allowsOtherRequests(_ error: any Error) -> Bool {
        guard let error = error as? CKError else { return false }
        if error.code == .quotaExceeded { return true }
        guard error.retryAfterSeconds == nil else { return false }
        if concernsOneRecord(error) { return true }
        return [.networkFailure, .serverResponseLost].contains(error.code)
    }

    /// The reactions that concern more than one item, first those that leave no choice.
    private static let gravest: [CloudErrorReaction] = [
        .zoneLost, .resetToken, .split, .waitForAccount, .stop, .stopPushing, .retryLater,
    ]
}
