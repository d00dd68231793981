/// A reference to another record.
public struct ReferenceDictionary: Hashable, Sendable, Codable {
    /// The name of the record referred to.
    public var recordName: String
    /// Its zone. Absent: the zone of the record that refers.
    public var zoneID: ZoneIDDictionary?
    /// What happens to the record that refers when the other is deleted.
    public var action: Action?

    /// Creates a reference.
    public init(recordName: String, zoneID: ZoneIDDictionary? = nil, action: Action? = nil) {
        self.recordName = recordName
        self.zoneID = zoneID
        self.action = action
    }

    /// What happens to the record that refers when the other is deleted.
    public enum Action: String, Hashable, Sendable, Codable {
        /// Nothing.
        case none = "NONE"
        /// It is deleted, too.
        case deleteSelf = "DELETE_SELF"
        /// The other cannot be deleted, and must exist in the first place.
        case validate = "VALIDATE"
    }
}
