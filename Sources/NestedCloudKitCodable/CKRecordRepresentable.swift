import CloudKit

/// An object that has a record of its own.
public protocol CKRecordRepresentable {
    /// The type of the object's record.
    var cloudKitRecordType: String { get }

    /// The name of the object's record, unique among the objects of a zone: 1 to 255 ASCII
    /// characters, of which the first is not an underscore.
    ///
    /// Two objects with one identifier are one record. An identifier that changes makes a new one.
    var cloudKitIdentifier: String { get }

    /// The names of the properties (their coding keys) that are not written into the record.
    ///
    /// They are missing when the object is decoded, so they have to be optional or decoded by
    /// hand. By default there are none.
    func ignoredProperties() -> [String]

    /// What happens to this object's record when a record that a property refers to is deleted, by
    /// the names of the properties (their coding keys).
    ///
    /// `.deleteSelf` deletes this object's record with the one it refers to. A property that is not
    /// listed takes the encoder's ``CKRecordEncoder/referenceAction``. By default none is listed.
    func cloudKitReferenceActions() -> [String: CKRecord.ReferenceAction]
}

extension CKRecordRepresentable {
    /// Leaves nothing out.
    public func ignoredProperties() -> [String] { [] }

    /// Leaves all to the encoder.
    public func cloudKitReferenceActions() -> [String: CKRecord.ReferenceAction] { [:] }
}

/// An object that can be made into records.
public typealias CKEncodable = CKRecordRepresentable & Encodable

/// An object that can be made from records.
public typealias CKDecodable = CKRecordRepresentable & Decodable

/// An object that can be made into records and back.
public typealias CKCodable = CKEncodable & CKDecodable
