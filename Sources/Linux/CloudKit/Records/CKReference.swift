/// A field's value that refers to another record of the same zone.
///
/// It is spelled `CKRecord.Reference`. References are equal if they refer to the same record,
/// whatever their actions.
open class CKReference: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// The former name of `CKRecord.ReferenceAction`.
    public typealias Action = CKRecord.ReferenceAction

    /// The record that the reference refers to.
    public let recordID: CKRecord.ID

    /// What happens to the record with the reference when its target is deleted.
    public let action: CKRecord.ReferenceAction

    /// Creates a reference to the record with the given ID, saved or not.
    public init(recordID: CKRecord.ID, action: CKRecord.ReferenceAction) {
        self.recordID = recordID
        self.action = action
    }

    /// Creates a reference to a record.
    public convenience init(record: CKRecord, action: CKRecord.ReferenceAction) {
        self.init(recordID: record.recordID, action: action)
    }

    // MARK: - NSSecureCoding, NSCopying

    private enum Key {
        static let recordID = "RecordID"
        static let action = "ReferenceAction"
    }

    /// References decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes a reference that ``encode(with:)`` wrote.
    public required init?(coder: NSCoder) {
        guard let recordID = coder.decode(CKRecordID.self, forKey: Key.recordID),
            let rawAction = UInt(exactly: coder.decodeInt64(forKey: Key.action)),
            let action = CKRecord.ReferenceAction(rawValue: rawAction)
        else { return nil }
        self.recordID = recordID
        self.action = action
    }

    /// Encodes the target and the action, for a keyed archive.
    public func encode(with coder: NSCoder) {
        coder.encode(recordID, forKey: Key.recordID)
        coder.encode(Int64(action.rawValue), forKey: Key.action)
    }

    /// Returns the receiver: references never change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - NSObject

    /// Whether the other object is a reference to the same record.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKReference else { return false }
        return recordID.isEqual(other.recordID)
    }

    /// A hash that agrees with ``isEqual(_:)``.
    open override var hash: Int { recordID.hash }

    /// The target and the action.
    open override var description: String {
        "<CKReference; recordID=\(recordID), action=\(action)>"
    }
}
