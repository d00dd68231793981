extension ServerErrorCode {
    /// The status of an HTTP response with this error. A code that Apple does not document has the
    /// status of the most similar documented code.
    public var httpStatus: Int {
        switch self {
        case .atomicError, .badRequest: 400
        case .authenticationFailed: 401
        case .accessDenied: 403
        case .notFound, .zoneNotFound, .userDeletedZone: 404
        case .conflict, .exists: 409
        case .validatingReferenceError, .uniqueFieldError: 412
        case .quotaExceeded, .limitExceeded: 413
        case .authenticationRequired: 421
        case .throttled: 429
        case .tryAgainLater, .zoneBusy, .accountTemporarilyUnavailable: 503
        case .internalError: 500
        default: 400
        }
    }
}
