/// The name of a record and its zone; unique within a database.
///
/// It is spelled `CKRecord.ID`. The class is at the top level because a keyed archiver cannot name
/// a nested one on Linux.
open class CKRecordID: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// The record's name, unique in its zone: ASCII, at most 255 characters, no leading underscore.
    public let recordName: String

    /// The zone that the record is in.
    public let zoneID: CKRecordZone.ID

    /// Creates an ID.
    ///
    /// - Parameters:
    ///   - recordName: The name; by default a UUID string. An empty one, or one of more than 255
    ///     UTF-16 code units, raises an exception, as on Apple's systems. The characters are
    ///     checked when a record is saved.
    ///   - zoneID: The zone; by default the default zone.
    public init(
        recordName: String = UUID().uuidString, zoneID: CKRecordZone.ID = CKRecordZone.ID.default
    ) {
        NameRules.check(recordName, "recordName")
        self.recordName = recordName
        self.zoneID = zoneID
    }

    /// An ID from a server or an archive, with any name.
    init(received recordName: String, zoneID: CKRecordZone.ID = .default) {
        self.recordName = recordName
        self.zoneID = zoneID
    }

    /// Creates an ID in the default zone. A name that is empty or too long raises an exception.
    public convenience init(recordName: String) {
        self.init(recordName: recordName, zoneID: CKRecordZone.ID.default)
    }

    // MARK: - NSSecureCoding, NSCopying

    private enum Key {
        static let recordName = "RecordName"
        static let zoneID = "ZoneID"
    }

    /// Record IDs decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes an ID that ``encode(with:)`` or Apple's framework wrote.
    public required init?(coder: NSCoder) {
        guard let recordName = coder.decodeString(forKey: Key.recordName), !recordName.isEmpty,
            let zoneID = coder.decode(CKRecordZoneID.self, forKey: Key.zoneID)
        else { return nil }
        self.recordName = recordName
        self.zoneID = zoneID
    }

    /// Encodes the name and the zone, for a keyed archive.
    public func encode(with coder: NSCoder) {
        coder.encode(recordName, forKey: Key.recordName)
        coder.encode(zoneID, forKey: Key.zoneID)
    }

    /// Returns the receiver: IDs never change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - NSObject

    /// Whether the other object is the ID of the same record.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordID else { return false }
        return self === other || (recordName == other.recordName && zoneID.isEqual(other.zoneID))
    }

    /// A hash that agrees with ``isEqual(_:)``.
    open override var hash: Int { recordName.hashValue }

    /// The name and the zone.
    open override var description: String {
        "<CKRecordID; recordName=\(recordName), zoneID=\(zoneID.zoneName):\(zoneID.ownerName)>"
    }
}
