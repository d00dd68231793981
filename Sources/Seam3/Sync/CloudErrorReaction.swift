import CloudKit
import CoreData

/// What the engine does about a CloudKit error. Every code is listed.
enum CloudErrorReaction: Equatable {
    // What Apple's frameworks do here is an assumption: CK-13 and CK-20.

    /// The pass ends; the next one tries again, not before the server's delay.
    case retryLater
    /// The server has a different version of the record: resolve the conflict.
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
    /// The server refuses this record: park the change, and retry it at growing intervals.
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
        case .batchRequestFailed, .assetFileNotFound, .assetFileModified, .assetNotAvailable:
            // The files of assets are created again for each attempt.
            self = .sendAgain
        case .changeTokenExpired:
            self = .resetToken
        case .zoneNotFound, .userDeletedZone:
            self = .zoneLost
        case .notAuthenticated, .accountTemporarilyUnavailable, .managedAccountRestricted:
            self = .waitForAccount
        case .invalidArguments, .serverRejectedRequest, .constraintViolation,
            .incompatibleVersion, .referenceViolation, .permissionFailure,
            .alreadyShared, .tooManyParticipants, .participantMayNeedVerification:
            self = .park
        case .quotaExceeded:
            self = .stopPushing
        case .internalError, .partialFailure, .badContainer, .missingEntitlement, .badDatabase,
            .operationCancelled:
            self = .stop
        default:
            // A code newer than this table.
            self = .stop
        }
    }

    /// The reaction to an operation's error, or to the most serious of its items' errors if only
    /// items failed.
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

    /// Whether an error says that the server cannot be used now. If it answers one of several records with it again and
    /// again, something is wrong with that record.
    static func isTemporary(_ error: any Error) -> Bool {
        switch (error as? CKError)?.code {
        case .serviceUnavailable, .requestRateLimited, .zoneBusy, .networkUnavailable,
            .operationCancelled:
            true
        default: false
        }
    }

    /// Whether the error of a fetched record concerns only that record, and neither other records
    /// nor the account or the zone. A network error of a single record means that the download of
    /// an asset failed, because the response itself has arrived.
    static func concernsOneFetch(_ error: any Error) -> Bool {
        switch (error as? CKError)?.code {
        case .networkFailure, .networkUnavailable, .serverResponseLost: return true
        default: return concernsOneRecord(error)
        }
    }

    /// The error of fetched records that concerns more than their own records; nil if there is none.
    ///
    /// - Parameters:
    ///   - errors: The errors of the records in a response.
    ///   - count: The number of records in the response, those without errors included.
    static func commonError(_ errors: some Collection<any Error>, ofFetched count: Int)
        -> (any Error)?
    {
        // A server that can be used for the others is asked again for one record only.
        let isUnavailable = count > 1 && errors.count == count
        return errors.first { error in
            !concernsOneFetch(error) && (isUnavailable || !isTemporary(error))
        }
    }

    /// Whether an error concerns only one record, and neither other records nor the network, the
    /// account or the zone.
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

    /// Whether a request's error means that the server has executed nothing beyond the items that
    /// it has answered: the request never arrived, or was rejected.
    static func refusesRequest(_ error: any Error) -> Bool {
        // What Apple's frameworks do here is an assumption: CK-34.
        guard let error = error as? CKError else { return false }
        switch error.code {
        // Even with a retry delay: perhaps only the response was lost.
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

    /// Whether other requests may succeed after one that failed as a whole, because its records,
    /// its size or the connection may be the cause. No other request is sent if the server asks the
    /// client to wait, unless the server lacks space, which a deletion may free.
    static func allowsOtherRequests(_ error: any Error) -> Bool {
        guard let error = error as? CKError else { return false }
        if error.code == .quotaExceeded { return true }
        guard error.retryAfterSeconds == nil else { return false }
        if concernsOneRecord(error) { return true }
        return [.networkFailure, .serverResponseLost].contains(error.code)
    }

    /// The reactions that concern more than one item, most serious first.
    private static let gravest: [CloudErrorReaction] = [
        .zoneLost, .resetToken, .split, .waitForAccount, .stop, .stopPushing, .retryLater,
    ]
}
