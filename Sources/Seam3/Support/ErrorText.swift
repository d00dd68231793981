import CloudKit
import CoreData

/// Errors in words, for messages and for what the store's file keeps: an `NSError` prints its whole user info.
enum ErrorText {
    /// The error's own text. A CloudKit error begins with the name of its code.
    static func of(_ error: any Error) -> String {
        if let error = error as? CKError { return text(error) }
        if error is any LocalizedError || error is CocoaError { return error.localizedDescription }
        return "\(error)"
    }

    private static func text(_ error: CKError) -> String {
        let name = name(of: error.code)
        let items = Set((error.partialErrorsByItemID ?? [:]).values.map(of)).sorted()
        if !items.isEmpty { return "\(name) (\(items.joined(separator: "; ")))" }
        guard let text = error.userInfo[NSLocalizedDescriptionKey] as? String, !text.isEmpty else {
            return name
        }
        return "\(name) (\(text))"
    }

    /// The code as it is spelled in Swift. On Apple's systems, printing a code gives only its number.
    private static func name(of code: CKError.Code) -> String {
        names[code] ?? "CKError \(code.rawValue)"
    }

    private static let names: [CKError.Code: String] = [
        .internalError: "internalError", .partialFailure: "partialFailure",
        .networkUnavailable: "networkUnavailable", .networkFailure: "networkFailure",
        .badContainer: "badContainer", .serviceUnavailable: "serviceUnavailable",
        .requestRateLimited: "requestRateLimited", .missingEntitlement: "missingEntitlement",
        .notAuthenticated: "notAuthenticated", .permissionFailure: "permissionFailure",
        .unknownItem: "unknownItem", .invalidArguments: "invalidArguments",
        .serverRecordChanged: "serverRecordChanged",
        .serverRejectedRequest: "serverRejectedRequest", .assetFileNotFound: "assetFileNotFound",
        .assetFileModified: "assetFileModified", .incompatibleVersion: "incompatibleVersion",
        .constraintViolation: "constraintViolation", .operationCancelled: "operationCancelled",
        .changeTokenExpired: "changeTokenExpired", .batchRequestFailed: "batchRequestFailed",
        .zoneBusy: "zoneBusy", .badDatabase: "badDatabase", .quotaExceeded: "quotaExceeded",
        .zoneNotFound: "zoneNotFound", .limitExceeded: "limitExceeded",
        .userDeletedZone: "userDeletedZone", .tooManyParticipants: "tooManyParticipants",
        .alreadyShared: "alreadyShared", .referenceViolation: "referenceViolation",
        .managedAccountRestricted: "managedAccountRestricted",
        .participantMayNeedVerification: "participantMayNeedVerification",
        .serverResponseLost: "serverResponseLost", .assetNotAvailable: "assetNotAvailable",
        .accountTemporarilyUnavailable: "accountTemporarilyUnavailable",
    ]
}
