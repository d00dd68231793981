/// The owner name that stands for the signed-in user.
public let CKCurrentUserDefaultName = "__defaultOwner__"

/// The former name of ``CKCurrentUserDefaultName``.
@available(*, deprecated, renamed: "CKCurrentUserDefaultName")
public let CKOwnerDefaultName = CKCurrentUserDefaultName

/// The name of a zone and its owner; unique within a database.
///
/// It is spelled `CKRecordZone.ID`.
open class CKRecordZoneID: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// The zone that every database has from the start.
    public static let `default` = CKRecordZoneID()

    /// The name of the zone that every database has from the start.
    public static let defaultZoneName = "_defaultZone"

    /// The zone's name: ASCII, at most 255 characters, no leading underscore.
    public let zoneName: String

    /// The record name of the zone's owner, or ``CKCurrentUserDefaultName`` for the user's own
    /// zones.
    public let ownerName: String

    /// Creates an ID; by default of the default zone and of the current user.
    ///
    /// A name that is empty or longer than 255 UTF-16 code units raises an exception, as on Apple's
    /// systems. The characters are checked when the zone is saved.
    public init(
        zoneName: String = CKRecordZoneID.defaultZoneName,
        ownerName: String = CKCurrentUserDefaultName
    ) {
        NameRules.check(zoneName, "zoneName")
        self.zoneName = zoneName
        self.ownerName = ownerName
    }

    /// An ID from a server or an archive, with any name.
    init(received zoneName: String, ownerName: String) {
        self.zoneName = zoneName
        self.ownerName = ownerName
    }

    /// Creates an ID; of the current user's zone if the owner is nil.
    @available(*, deprecated, message: "use an owner name that is not optional")
    @_disfavoredOverload
    public convenience init(
        zoneName: String = CKRecordZoneID.defaultZoneName,
        ownerName: String? = CKOwnerDefaultName
    ) {
        self.init(zoneName: zoneName, ownerName: ownerName ?? CKCurrentUserDefaultName)
    }

    // MARK: - NSSecureCoding, NSCopying

    private enum Key {
        static let zoneName = "ZoneName"
        static let ownerName = "OwnerName"
        /// The key in archives of Apple's framework.
        static let appleOwnerName = "ownerName"
    }

    /// Zone IDs decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes an ID that ``encode(with:)`` or Apple's framework wrote.
    public required init?(coder: NSCoder) {
        guard let zoneName = coder.decodeString(forKey: Key.zoneName), !zoneName.isEmpty,
            let ownerName = coder.decodeString(forKey: Key.ownerName)
                ?? coder.decodeString(forKey: Key.appleOwnerName)
        else { return nil }
        self.zoneName = zoneName
        self.ownerName = ownerName
    }

    /// Encodes the name and the owner, for a keyed archive.
    public func encode(with coder: NSCoder) {
        coder.encode(zoneName, forKey: Key.zoneName)
        coder.encode(ownerName, forKey: Key.ownerName)
    }

    /// Returns the receiver: IDs never change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - NSObject

    /// Whether the other object is the ID of the same zone.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordZoneID else { return false }
        return self === other || (zoneName == other.zoneName && ownerName == other.ownerName)
    }

    /// A hash that agrees with ``isEqual(_:)``.
    open override var hash: Int { zoneName.hashValue }

    /// The name and the owner.
    open override var description: String {
        "<CKRecordZoneID; zoneName=\(zoneName), ownerName=\(ownerName)>"
    }
}
