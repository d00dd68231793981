extension CKError {
    /// The error's details.
    public var userInfo: [String: Any] { errorUserInfo }

    /// The errors of the items that failed, by `CKRecord.ID`, `CKRecordZone.ID` or subscription
    /// ID, if this is a partial failure.
    public var partialErrorsByItemID: [AnyHashable: any Error]? {
        userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error]
    }

    /// The record as the client had it before its changes, if this is a conflict. It has no fields
    /// if the client had never seen the server's record.
    public var ancestorRecord: CKRecord? {
        userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord
    }

    /// The record as the server has it, if this is a conflict: the one to merge into and save.
    public var serverRecord: CKRecord? {
        userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord
    }

    /// The record that the client tried to save, if this is a conflict.
    public var clientRecord: CKRecord? {
        userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord
    }

    /// The seconds to wait before trying again, if the server named them.
    public var retryAfterSeconds: Double? {
        switch userInfo[CKErrorRetryAfterKey] {
        case let seconds as Double: seconds
        case let number as NSNumber: number.doubleValue
        default: nil
        }
    }
}
