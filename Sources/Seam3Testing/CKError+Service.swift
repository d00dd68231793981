import CloudKit
import CloudKitService

extension CKError {
    /// The error of a whole request.
    init(serviceError error: CloudKitServiceError) {
        self.init(
            error.code, reason: error.reason, retryAfter: error.retryAfter, didResetData: false)
    }

    /// The error of one item of a request.
    init(itemError error: ErrorDictionary) {
        self.init(
            error.serverErrorCode, reason: error.reason, retryAfter: error.retryAfter,
            didResetData: error.userDidResetEncryptedData == true)
    }

    private init(
        _ code: ServerErrorCode, reason: String?, retryAfter: Double?, didResetData: Bool
    ) {
        var userInfo: [String: Any] = [:]
        if let reason { userInfo[NSLocalizedDescriptionKey] = reason }
        if let retryAfter { userInfo[CKErrorRetryAfterKey] = NSNumber(value: retryAfter) }
        if didResetData { userInfo[CKErrorUserDidResetEncryptedDataKey] = NSNumber(value: true) }
        // A code that this system does not know.
        self.init(Code(rawValue: code.ckErrorCode) ?? .serverRejectedRequest, userInfo: userInfo)
    }

    /// Whether the error of a whole request concerns the zone, and therefore each of its items.
    var concernsZone: Bool {
        [.zoneNotFound, .userDeletedZone, .changeTokenExpired].contains(code)
    }

    /// Whether the error of an upload concerns the file, and therefore belongs to its record.
    var concernsAsset: Bool {
        [.assetFileNotFound, .assetFileModified, .assetNotAvailable].contains(code)
    }
}
