/// A reference to another record.
public struct ReferenceDictionary: Hashable, Sendable, Codable {
    /// The name of the referenced record.
    public var recordName: String
    /// Its zone. If absent, the zone of the referring record.
    public var zoneID: ZoneIDDictionary?
    /// What happens to the referring record when the referenced one is deleted.
    public var action: Action?

    /// Creates a reference.
    public init(recordName: String, zoneID: ZoneIDDictionary? = nil, action: Action? = nil) {
        self.recordName = recordName
        self.zoneID = zoneID
        self.action = action
    }

    /// What happens to the referring record when the referenced one is deleted.
    public enum Action: String, Hashable, Sendable, Codable {
        /// Nothing.
        case none = "NONE"
        /// It is deleted, too.
        case deleteSelf = "DELETE_SELF"
        /// The referenced record must exist and cannot be deleted.
        case validate = "VALIDATE"
    }
}
