/// The ID of a zone of a database.
public struct ZoneIDDictionary: Hashable, Sendable, Codable {
    /// The name of the zone that every database has.
    public static let defaultZoneName = "_defaultZone"
    /// The owner name that stands for the calling user.
    public static let defaultOwnerName = "__defaultOwner__"

    /// The zone's name.
    public var zoneName: String
    /// The record name of the zone's owner. Absent and `__defaultOwner__` both mean the caller.
    public var ownerRecordName: String?
    /// The kind of zone, in responses of live servers.
    public var zoneType: String?

    /// Creates a zone ID.
    public init(
        zoneName: String = ZoneIDDictionary.defaultZoneName,
        ownerRecordName: String? = nil,
        zoneType: String? = nil
    ) {
        self.zoneName = zoneName
        self.ownerRecordName = ownerRecordName
        self.zoneType = zoneType
    }
}

extension ZoneIDDictionary {
    /// Decodes a zone ID. Some clients use the key `ownerName` for the owner.
    public init(from decoder: any Decoder) throws {
        enum Key: String, CodingKey { case zoneName, ownerRecordName, ownerName, zoneType }
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            zoneName: try container.decode(String.self, forKey: .zoneName),
            ownerRecordName: try container.decodeIfPresent(String.self, forKey: .ownerRecordName)
                ?? container.decodeIfPresent(String.self, forKey: .ownerName),
            zoneType: try container.decodeIfPresent(String.self, forKey: .zoneType))
    }
}
