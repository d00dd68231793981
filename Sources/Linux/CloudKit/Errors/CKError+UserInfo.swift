extension CKError {
    /// The error's details.
    public var userInfo: [String: Any] { errorUserInfo }

    /// The errors of the items that failed, by `CKRecord.ID`, `CKRecordZone.ID` or subscription
    /// ID, if this is a partial failure.
    public var partialErrorsByItemID: [AnyHashable: any Error]? {
        userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error]
    }

    /// For a conflict, the record as the client had it before its changes. It has no fields if the
    /// client had never seen the server's record.
    public var ancestorRecord: CKRecord? {
        userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord
    }

    /// For a conflict, the server's version of the record: merge your changes into it and save it.
    public var serverRecord: CKRecord? {
        userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord
    }

    /// For a conflict, the record that the client tried to save.
    public var clientRecord: CKRecord? {
        userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord
    }

    /// The seconds to wait before trying again, if the server specified them.
    public var retryAfterSeconds: Double? {
        switch userInfo[CKErrorRetryAfterKey] {
        case let seconds as Double: seconds
        case let number as NSNumber: number.doubleValue
        default: nil
        }
    }
}
