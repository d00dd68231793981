extension ServerErrorCode {
    /// The raw value of the `CKError.Code` that an app sees for this code. Unknown codes become
    /// `serverRejectedRequest` (15).
    public var ckErrorCode: Int { Self.ckErrorCodes[self] ?? 15 }

    /// The code for a `CKError.Code`.
    ///
    /// - Parameter ckErrorCode: The raw value, 1 to 37. Other values give `internalError`.
    public init(ckErrorCode: Int) {
        self = Self.preferredCodes[ckErrorCode] ?? .internalError
    }

    /// The codes by the raw value of the corresponding `CKError.Code`, the preferred one first.
    private static let table: [(Int, [ServerErrorCode])] = [
        (1, [.clientError]),
        (3, [.networkUnavailable]),
        (4, [.networkFailure]),
        (5, [.badContainer]),
        (6, [.tryAgainLater]),
        (7, [.throttled]),
        (8, [.missingEntitlement]),
        (9, [.authenticationRequired, .authenticationFailed]),
        (10, [.accessDenied]),
        (11, [.notFound]),
        (12, [.badRequest]),
        (14, [.conflict, .exists]),
        (15, [.serverRejectedRequest, .internalError]),
        (16, [.assetFileNotFound]),
        (17, [.assetFileModified]),
        (18, [.incompatibleVersion]),
        (19, [.uniqueFieldError]),
        (20, [.cancelled]),
        (21, [.changeTokenExpired]),
        (22, [.atomicError]),
        (23, [.zoneBusy]),
        (24, [.badDatabase]),
        (25, [.quotaExceeded]),
        (26, [.zoneNotFound]),
        (27, [.limitExceeded]),
        (28, [.userDeletedZone]),
        (29, [.tooManyParticipants]),
        (30, [.alreadyShared]),
        (31, [.validatingReferenceError]),
        (32, [.managedAccountRestricted]),
        (33, [.participantMayNeedVerification]),
        (34, [.serverResponseLost]),
        (35, [.assetNotAvailable]),
        (36, [.accountTemporarilyUnavailable]),
        (37, [.participantAlreadyInvited]),
    ]

    private static let ckErrorCodes: [ServerErrorCode: Int] = Dictionary(
        uniqueKeysWithValues: table.flatMap { number, codes in codes.map { ($0, number) } })

    private static let preferredCodes: [Int: ServerErrorCode] = Dictionary(
        uniqueKeysWithValues: table.compactMap { number, codes in codes.first.map { (number, $0) } }
    )
}
