/// A part of a database that keeps related records together.
open class CKRecordZone: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// The name and owner of a zone.
    public typealias ID = CKRecordZoneID

    /// The capabilities of a zone.
    public struct Capabilities: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt

        /// Creates a set of capabilities from its bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The zone's changes can be fetched with a change token.
        public static let fetchChanges = Capabilities(rawValue: 1)

        /// Changes of several records are made together or not at all.
        public static let atomic = Capabilities(rawValue: 2)

        /// Hierarchies of records can be shared.
        public static let sharing = Capabilities(rawValue: 4)

        /// The zone can be shared as a whole.
        public static let zoneWideSharing = Capabilities(rawValue: 8)
    }

    /// The zone's name and owner.
    public let zoneID: CKRecordZone.ID

    /// The zone's capabilities, which are known once the zone has been saved or fetched.
    public let capabilities: Capabilities

    /// The zone's share, if it is shared as a whole.
    public let share: CKRecord.Reference?

    /// The zone that every database has from the start.
    public class func `default`() -> CKRecordZone {
        CKRecordZone(zoneID: .default)
    }

    /// Creates a zone of the current user; it exists on the server once it is saved.
    public convenience init(zoneName: String) {
        self.init(zoneID: CKRecordZone.ID(zoneName: zoneName))
    }

    /// Creates a zone; it exists on the server once it is saved.
    public init(zoneID: CKRecordZone.ID) {
        self.zoneID = zoneID
        capabilities = []
        share = nil
    }

    /// A zone from the service.
    init(zoneID: CKRecordZone.ID, capabilities: Capabilities) {
        self.zoneID = zoneID
        self.capabilities = capabilities
        share = nil
    }

    // MARK: - NSSecureCoding, NSCopying

    private enum Key {
        static let zoneID = "ZoneID"
        static let capabilities = "Capabilities"
        static let share = "ShareReference"
    }

    /// Zones decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes a zone that ``encode(with:)`` wrote.
    public required init?(coder: NSCoder) {
        guard let zoneID = coder.decode(CKRecordZoneID.self, forKey: Key.zoneID) else {
            return nil
        }
        self.zoneID = zoneID
        capabilities = Capabilities(
            rawValue: UInt(bitPattern: Int(coder.decodeInt64(forKey: Key.capabilities))))
        share = coder.decode(CKReference.self, forKey: Key.share)
    }

    /// Encodes the ID, the capabilities and the share, for a keyed archive.
    public func encode(with coder: NSCoder) {
        coder.encode(zoneID, forKey: Key.zoneID)
        coder.encode(Int64(bitPattern: UInt64(capabilities.rawValue)), forKey: Key.capabilities)
        if let share { coder.encode(share, forKey: Key.share) }
    }

    /// Returns the receiver: zones never change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The zone's ID and what it can do.
    open override var description: String {
        "<CKRecordZone; zoneID=\(zoneID), capabilities=\(capabilities.rawValue)>"
    }
}
