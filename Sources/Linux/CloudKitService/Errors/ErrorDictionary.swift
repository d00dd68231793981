/// The error of an item in a response: the error dictionaries for records, zones and subscriptions,
/// which differ only in the key that identifies the item.
public struct ErrorDictionary: Hashable, Sendable {
    /// The record that failed.
    public var recordName: String?
    /// The zone that failed, or the failed record's zone.
    public var zoneID: ZoneIDDictionary?
    /// The subscription that failed.
    public var subscriptionID: String?
    /// What went wrong. In JSON, a code that Apple does not document has the key `extendedErrorCode`,
    /// and `serverErrorCode` contains the most similar documented code.
    public var serverErrorCode: ServerErrorCode
    /// A description for developers.
    public var reason: String?
    /// The seconds to wait before sending the request again. If absent, repeating it does not help.
    public var retryAfter: Double?
    /// Identifies the request in the server's log.
    public var uuid: String?
    /// The URL where a user can sign in.
    public var redirectURL: String?
    /// Extension: the server's version of the record, with `CONFLICT` and `EXISTS`. Its assets cannot
    /// be downloaded.
    public var serverRecord: RecordDictionary?
    /// Extension: with `CONFLICT` and `EXISTS`, whether the client's error must not contain the
    /// server's record, so that the client does not fetch it either.
    public var omitsServerRecord: Bool?
    /// Extension: with `CONFLICT` and `EXISTS`, whether the client's error must not contain the
    /// record as the client had fetched it.
    public var omitsAncestorRecord: Bool?
    /// Extension: with `ZONE_NOT_FOUND`, whether a reset of the encrypted data deleted the zone
    /// (`CKErrorUserDidResetEncryptedDataKey`).
    public var userDidResetEncryptedData: Bool?
    /// Extension: the four-digit code of `CKInternalErrorDomain` that Apple's client reports
    /// together with its own.
    public var internalErrorCode: Int?

    /// Creates an error dictionary.
    public init(
        recordName: String? = nil,
        zoneID: ZoneIDDictionary? = nil,
        subscriptionID: String? = nil,
        serverErrorCode: ServerErrorCode,
        reason: String? = nil,
        retryAfter: Double? = nil,
        uuid: String? = nil,
        redirectURL: String? = nil,
        serverRecord: RecordDictionary? = nil,
        omitsServerRecord: Bool? = nil,
        omitsAncestorRecord: Bool? = nil,
        userDidResetEncryptedData: Bool? = nil,
        internalErrorCode: Int? = nil
    ) {
        self.recordName = recordName
        self.zoneID = zoneID
        self.subscriptionID = subscriptionID
        self.serverErrorCode = serverErrorCode
        self.reason = reason
        self.retryAfter = retryAfter
        self.uuid = uuid
        self.redirectURL = redirectURL
        self.serverRecord = serverRecord
        self.omitsServerRecord = omitsServerRecord
        self.omitsAncestorRecord = omitsAncestorRecord
        self.userDidResetEncryptedData = userDidResetEncryptedData
        self.internalErrorCode = internalErrorCode
    }
}

extension ErrorDictionary: Codable {
    private enum CodingKeys: String, CodingKey {
        case recordName, zoneID, subscriptionID, reason, retryAfter, uuid, redirectURL
        case serverRecord, omitsServerRecord, omitsAncestorRecord, userDidResetEncryptedData
        case internalErrorCode
    }

    /// Decodes an error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<T: Decodable>(_ key: CodingKeys) throws -> T? {
            try container.decodeIfPresent(T.self, forKey: key)
        }
        self.init(
            recordName: try value(.recordName), zoneID: try value(.zoneID),
            subscriptionID: try value(.subscriptionID),
            serverErrorCode: try ServerErrorCode(ofDictionary: decoder),
            reason: try value(.reason), retryAfter: try value(.retryAfter),
            uuid: try value(.uuid), redirectURL: try value(.redirectURL),
            serverRecord: try value(.serverRecord),
            omitsServerRecord: try value(.omitsServerRecord),
            omitsAncestorRecord: try value(.omitsAncestorRecord),
            userDidResetEncryptedData: try value(.userDidResetEncryptedData),
            internalErrorCode: try value(.internalErrorCode))
    }

    /// Encodes the error.
    public func encode(to encoder: any Encoder) throws {
        try serverErrorCode.encode(intoDictionary: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(recordName, forKey: .recordName)
        try container.encodeIfPresent(zoneID, forKey: .zoneID)
        try container.encodeIfPresent(subscriptionID, forKey: .subscriptionID)
        try container.encodeIfPresent(reason, forKey: .reason)
        try container.encodeIfPresent(retryAfter, forKey: .retryAfter)
        try container.encodeIfPresent(uuid, forKey: .uuid)
        try container.encodeIfPresent(redirectURL, forKey: .redirectURL)
        try container.encodeIfPresent(serverRecord, forKey: .serverRecord)
        try container.encodeIfPresent(omitsServerRecord, forKey: .omitsServerRecord)
        try container.encodeIfPresent(omitsAncestorRecord, forKey: .omitsAncestorRecord)
        try container.encodeIfPresent(
            userDidResetEncryptedData, forKey: .userDidResetEncryptedData)
        try container.encodeIfPresent(internalErrorCode, forKey: .internalErrorCode)
    }
}
