import CloudKitService

/// The failure of one item of a request. The loop over the items converts it to a result.
struct ItemFailure: Error {
    var error: ErrorDictionary

    init(_ code: ServerErrorCode, _ reason: String, code internalErrorCode: Int? = nil) {
        error = ErrorDictionary(
            serverErrorCode: code, reason: reason, internalErrorCode: internalErrorCode)
    }

    init(_ error: ErrorDictionary) { self.error = error }

    /// The failure of a request for only this item.
    var requestError: CloudKitServiceError {
        CloudKitServiceError(
            error.serverErrorCode, reason: error.reason, retryAfter: error.retryAfter,
            internalErrorCode: error.internalErrorCode)
    }
}

extension ErrorDictionary {
    func naming(recordName: String, zoneID: ZoneIDDictionary?) -> ErrorDictionary {
        var error = self
        error.recordName = recordName
        error.zoneID = zoneID
        return error
    }

    func naming(zoneID: ZoneIDDictionary) -> ErrorDictionary {
        var error = self
        error.zoneID = zoneID
        return error
    }

    func naming(subscriptionID: String) -> ErrorDictionary {
        var error = self
        error.subscriptionID = subscriptionID
        return error
    }
}
