/// The body of `assets/upload`: the fields that will get a file.
public struct AssetUploadsRequest: Hashable, Sendable, Codable {
    /// The zone. Absent: the default zone.
    public var zoneID: ZoneIDDictionary?
    /// The fields.
    public var tokens: [AssetField]

    /// Creates a request.
    public init(zoneID: ZoneIDDictionary? = nil, tokens: [AssetField]) {
        self.zoneID = zoneID
        self.tokens = tokens
    }

    /// Identifies the field of a record.
    public struct AssetField: Hashable, Sendable, Codable {
        /// The record. It need not exist.
        public var recordName: String?
        /// The record's type.
        public var recordType: String
        /// The field.
        public var fieldName: String

        /// Creates a name.
        public init(recordName: String? = nil, recordType: String, fieldName: String) {
            self.recordName = recordName
            self.recordType = recordType
            self.fieldName = fieldName
        }
    }
}

/// The answer to `assets/upload`.
public struct AssetUploadsResponse: Hashable, Sendable, Codable {
    /// The upload URLs, in the order of the request.
    public var tokens: [AssetUploadToken]

    /// Creates a response.
    public init(tokens: [AssetUploadToken]) { self.tokens = tokens }
}

/// The upload URL for one field.
public struct AssetUploadToken: Hashable, Sendable, Codable {
    /// The record.
    public var recordName: String
    /// The field.
    public var fieldName: String
    /// The URL. It is valid for one upload and a limited time.
    public var url: String

    /// Creates a token.
    public init(recordName: String, fieldName: String, url: String) {
        self.recordName = recordName
        self.fieldName = fieldName
        self.url = url
    }
}
