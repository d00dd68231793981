import Foundation

/// A record of CloudKit Web Services.
public struct RecordDictionary: Hashable, Sendable {
    /// The name, unique in the zone. The server names a record that is created without one.
    public var recordName: String
    /// The record's type. It never changes.
    public var recordType: String?
    /// The version; differs after every change of the record. Absent before the first save.
    public var recordChangeTag: String?
    /// The fields by name. In a request, a field without a value is cleared, and an absent one is
    /// not changed.
    public var fields: [String: RecordFieldDictionary]
    /// The record's zone. In a request it must be absent or the request's zone.
    public var zoneID: ZoneIDDictionary?
    /// When, by which user and on which device the record was created.
    public var created: RecordTimestamp?
    /// When, by which user and on which device it was changed last.
    public var modified: RecordTimestamp?
    /// Whether this is a deletion. It then contains only the name, the type and the zone.
    public var deleted: Bool?
    /// The record that this one is shared with.
    public var parent: ParentReference?
    /// In a request, whether `parent` is written even if it is nil. The JSON then contains
    /// `"parent": null`, which clears the parent.
    public var isParentChanged: Bool?
    /// The record's share.
    public var share: ReferenceDictionary?

    /// Creates a record dictionary.
    public init(
        recordName: String,
        recordType: String? = nil,
        recordChangeTag: String? = nil,
        fields: [String: RecordFieldDictionary] = [:],
        zoneID: ZoneIDDictionary? = nil,
        created: RecordTimestamp? = nil,
        modified: RecordTimestamp? = nil,
        deleted: Bool? = nil,
        parent: ParentReference? = nil,
        isParentChanged: Bool? = nil,
        share: ReferenceDictionary? = nil
    ) {
        self.recordName = recordName
        self.recordType = recordType
        self.recordChangeTag = recordChangeTag
        self.fields = fields
        self.zoneID = zoneID
        self.created = created
        self.modified = modified
        self.deleted = deleted
        self.parent = parent
        self.isParentChanged = isParentChanged
        self.share = share
    }

    /// When, by which user and on which device a record was created or changed.
    public struct RecordTimestamp: Hashable, Sendable, Codable {
        /// Milliseconds since 1970.
        public var timestamp: Int64
        /// The record name of the user.
        public var userRecordName: String?
        /// The device.
        public var deviceID: String?

        /// Creates a time stamp.
        public init(timestamp: Int64, userRecordName: String? = nil, deviceID: String? = nil) {
            self.timestamp = timestamp
            self.userRecordName = userRecordName
            self.deviceID = deviceID
        }

        /// Decodes a time stamp. Its milliseconds may have a fraction.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                timestamp: try container.decode(Milliseconds.self, forKey: .timestamp).count,
                userRecordName: try container.decodeIfPresent(
                    String.self, forKey: .userRecordName),
                deviceID: try container.decodeIfPresent(String.self, forKey: .deviceID))
        }
    }

    /// The reference to a record's parent.
    public struct ParentReference: Hashable, Sendable, Codable {
        /// The parent's name, in the same zone.
        public var recordName: String

        /// Creates a parent reference.
        public init(recordName: String) { self.recordName = recordName }
    }
}

extension RecordDictionary: Codable {
    private enum CodingKeys: String, CodingKey {
        case recordName, recordType, recordChangeTag, fields, zoneID, created, modified, deleted
        case parent, share
    }

    /// Decodes a record. A missing name becomes a new UUID, missing fields become empty, and a field
    /// that is null is cleared.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            recordName: try container.decodeIfPresent(String.self, forKey: .recordName)
                ?? UUID().uuidString,
            recordType: try container.decodeIfPresent(String.self, forKey: .recordType),
            recordChangeTag: try container.decodeIfPresent(String.self, forKey: .recordChangeTag),
            fields: try container.decodeIfPresent(
                [String: RecordFieldDictionary?].self, forKey: .fields)?
                .mapValues { $0 ?? RecordFieldDictionary(nil) } ?? [:],
            zoneID: try container.decodeIfPresent(ZoneIDDictionary.self, forKey: .zoneID),
            created: try container.decodeIfPresent(RecordTimestamp.self, forKey: .created),
            modified: try container.decodeIfPresent(RecordTimestamp.self, forKey: .modified),
            deleted: try container.decodeIfPresent(Bool.self, forKey: .deleted),
            parent: try container.decodeIfPresent(ParentReference.self, forKey: .parent),
            isParentChanged: try container.contains(.parent)
                && container.decodeNil(forKey: .parent) ? true : nil,
            share: try container.decodeIfPresent(ReferenceDictionary.self, forKey: .share))
    }

    /// Encodes a record. The fields of a deletion are left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(recordName, forKey: .recordName)
        try container.encodeIfPresent(recordType, forKey: .recordType)
        try container.encodeIfPresent(recordChangeTag, forKey: .recordChangeTag)
        if deleted != true { try container.encode(fields, forKey: .fields) }
        try container.encodeIfPresent(zoneID, forKey: .zoneID)
        try container.encodeIfPresent(created, forKey: .created)
        try container.encodeIfPresent(modified, forKey: .modified)
        try container.encodeIfPresent(deleted, forKey: .deleted)
        if parent != nil || isParentChanged == true {
            try container.encode(parent, forKey: .parent)
        }
        try container.encodeIfPresent(share, forKey: .share)
    }
}
