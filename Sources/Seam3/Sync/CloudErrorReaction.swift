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
    /// The server refuses this record for good: set it aside until its next edit.
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
        case .batchRequestFailed:
            self = .sendAgain
        case .changeTokenExpired:
            self = .resetToken
        case .zoneNotFound, .userDeletedZone:
            self = .zoneLost
        case .notAuthenticated, .accountTemporarilyUnavailable, .managedAccountRestricted:
            self = .waitForAccount
        case .invalidArguments, .serverRejectedRequest, .constraintViolation,
            .incompatibleVersion, .assetFileNotFound, .assetFileModified, .assetNotAvailable,
            .referenceViolation, .permissionFailure, .alreadyShared, .tooManyParticipants:
            self = .park
        case .quotaExceeded:
            self = .stopPushing
        default:
            // Misconfiguration (badContainer, missingEntitlement, badDatabase), cancellation, an
            // internal error, and codes that are newer than this table.
            self = .stop
        }
    }

    /// The reaction to an error of an operation.
    init(_ error: any Error) {
        if let code = (error as? CKError)?.code {
            self.init(code)
        } else {
            self = .stop
        }
    }
}
