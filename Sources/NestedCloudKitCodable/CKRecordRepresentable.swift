import CloudKit

/// An object with a record of its own.
public protocol CKRecordRepresentable {
    /// The type of the object's record: a letter, followed by letters, digits and underscores, all
    /// of them ASCII, and at most 255 in total.
    var cloudKitRecordType: String { get }

    /// The name of the object's record, unique among the objects of a zone: 1 to 255 ASCII
    /// characters, the first of which is not an underscore.
    ///
    /// Objects with the same identifier share a record. An object whose identifier changes gets a
    /// new record.
    var cloudKitIdentifier: String { get }

    /// The names of the properties (their coding keys) that are not encoded.
    ///
    /// The encoder neither writes nor removes their fields. A new record has no such fields, so
    /// the properties must be optional, or the object must decode itself. A field that someone else
    /// has written is decoded. By default there are none.
    func ignoredProperties() -> [String]

    /// What happens to this object's record when the record that a property refers to is deleted,
    /// by the names of the properties (their coding keys).
    ///
    /// `.deleteSelf` deletes this object's record together with the one it refers to. A property
    /// that is not listed uses the encoder's ``CKRecordEncoder/referenceAction``. By default none
    /// is listed.
    func cloudKitReferenceActions() -> [String: CKRecord.ReferenceAction]
}

extension CKRecordRepresentable {
    /// Excludes no property.
    public func ignoredProperties() -> [String] { [] }

    /// Leaves all actions to the encoder.
    public func cloudKitReferenceActions() -> [String: CKRecord.ReferenceAction] { [:] }
}

/// An object that can be encoded as records.
public typealias CKEncodable = CKRecordRepresentable & Encodable

/// An object that can be decoded from records.
public typealias CKDecodable = CKRecordRepresentable & Decodable

/// An object that can be encoded as records and decoded from them.
public typealias CKCodable = CKEncodable & CKDecodable
