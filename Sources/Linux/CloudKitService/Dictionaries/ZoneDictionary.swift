/// A zone of a database.
public struct ZoneDictionary: Hashable, Sendable, Codable {
    /// The zone's ID.
    public var zoneID: ZoneIDDictionary
    /// The zone's current sync token.
    public var syncToken: String?
    /// Whether the zone can save records atomically, as custom zones can.
    public var atomic: Bool?
    /// Whether this is a deletion.
    public var deleted: Bool?
    /// Extension: why the zone was deleted.
    public var deletionReason: DeletionReason?
    /// Extension: the raw value of `CKRecordZone.Capabilities`.
    public var capabilities: Int?

    /// Creates a zone dictionary.
    public init(
        zoneID: ZoneIDDictionary,
        syncToken: String? = nil,
        atomic: Bool? = nil,
        deleted: Bool? = nil,
        deletionReason: DeletionReason? = nil,
        capabilities: Int? = nil
    ) {
        self.zoneID = zoneID
        self.syncToken = syncToken
        self.atomic = atomic
        self.deleted = deleted
        self.deletionReason = deletionReason
        self.capabilities = capabilities
    }

    /// Extension: why a zone was deleted.
    public enum DeletionReason: String, Hashable, Sendable, Codable {
        /// An app deleted it.
        case deleted = "DELETED"
        /// The user removed the app's data in the settings.
        case purged = "PURGED"
        /// The user's encrypted data was reset.
        case encryptedDataReset = "ENCRYPTED_DATA_RESET"
    }
}
