import CloudKit

/// Encodes an object, and all objects that it refers to, as records that refer to each other.
///
/// | property | field |
/// |---|---|
/// | integers, `Bool`, `Double`, `Float`, `Date`, enumerations by their raw value | the same |
/// | `String` | String; see ``coordinateForm`` |
/// | `UUID`, `Decimal`, any URL but a file's | String |
/// | `Data` | Bytes; see ``dataForm`` |
/// | the URL of a file | Asset |
/// | an object with a record of its own | Reference |
/// | a list or set of any of these | a list of the same |
/// | anything else: dictionaries, structures, lists in lists, enumerations with values | Bytes (JSON) |
///
/// An integer above `Int64.max` is an error, except inside JSON. The names of properties (their
/// coding keys) must be a letter, followed by letters, digits and underscores, all of them ASCII.
///
/// Version 1 of this library writes the same fields, so existing schemas accept them. A nil value
/// has no field. An empty list is written only if the record that is updated already has the field,
/// because CloudKit refuses an empty list as the first value of a field. Otherwise it has no field,
/// and the decoder creates an empty list.
public final class CKRecordEncoder {
    /// The forms in which a record can store data.
    public enum DataForm: Sendable {
        /// In the record itself, which has a limit of 1 MB in total.
        case bytes
        /// As a file beside the record.
        case asset
    }

    /// The forms in which a record can store a string of coordinates, `"latitude;longitude"`.
    public enum CoordinateForm: Sendable {
        /// As a string.
        case text
        /// As a location, if the string consists of exactly two coordinates.
        case location
    }

    /// The form of data; by default in the record itself. A schema with one form refuses the other;
    /// the decoder reads both.
    public var dataForm = DataForm.bytes

    /// The form of coordinate strings; by default strings. A schema with one form refuses the
    /// other; the decoder reads both.
    public var coordinateForm = CoordinateForm.text

    /// The zone of the records; nil for the default zone.
    public var zoneID: CKRecordZone.ID?

    /// What happens to an object's record when a record that it refers to is deleted, unless the
    /// object specifies it in ``CKRecordRepresentable/cloudKitReferenceActions()``. `.none` by
    /// default, so a deletion affects no other records.
    public var referenceAction: CKRecord.ReferenceAction = .none

    /// The folder for the files of assets that are created from data. The files must exist until
    /// the records are saved; ``removeAssetFiles()`` removes them.
    public var assetDirectory: URL

    /// The `userInfo` of the encoders that objects receive.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    private var assetFiles: [URL] = []

    /// Creates an encoder.
    ///
    /// - Parameter zoneID: The zone of the records; nil for the default zone.
    public init(zoneID: CKRecordZone.ID? = nil) {
        self.zoneID = zoneID
        assetDirectory = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
    }

    /// Encodes an object as new records.
    ///
    /// An object that occurs several times has one record. The graph may contain cycles.
    ///
    /// - Parameter value: The outermost object.
    /// - Returns: The records. Where possible, each comes before those that refer to it. The
    ///   outermost object's record is the last.
    /// - Throws: A ``CKCodableError`` that names the property that cannot be stored in a record, or
    ///   the error of an object's own `encode(to:)`.
    public func encode(_ value: any CKEncodable) throws -> [CKRecord] {
        try encode(value, updating: [])
    }

    /// Encodes objects that may already have records.
    ///
    /// A given record is changed where its object differs from it. It keeps its change tag, so
    /// saving it replaces the server's version. Records without differences have no
    /// `changedKeys()`.
    ///
    /// Fields that an object's type does not know are left alone: those of newer versions of the
    /// app, of other clients, and of ignored properties. A type knows the names for which one of
    /// the coding key types has a key with which the object encodes itself. The field of a name
    /// that is known and has no value is removed.
    ///
    /// - Parameters:
    ///   - value: The outermost object.
    ///   - records: The records of these objects as they were last fetched or saved. They are
    ///     changed. Records whose objects are no longer in the graph are neither changed nor
    ///     returned.
    /// - Returns: The records of all objects, given and new ones, in the order of ``encode(_:)``.
    /// - Throws: A ``CKCodableError`` that names the property that cannot be stored in a record, or
    ///   the error of an object's own `encode(to:)`. The records are then unchanged.
    public func encode(
        _ value: any CKEncodable, updating records: [CKRecord]
    ) throws -> [CKRecord] {
        let graph = RecordGraphEncoder(
            zoneID: zoneID ?? CKRecordZone.ID.default,
            form: RecordField.Form(
                referenceAction: referenceAction, dataForm: dataForm,
                coordinateForm: coordinateForm),
            userInfo: userInfo)
        let entries = try graph.entries(of: value)
        var known: [CKRecord.ID: CKRecord] = [:]
        for record in records { known[record.recordID] = record }
        for entry in entries {
            guard let record = known[entry.recordID], record.recordType != entry.recordType else {
                continue
            }
            throw CKCodableError(
                .conflictingIdentifier, at: [],
                reason: "The record \"\(entry.recordID.recordName)\" is of type "
                    + "\(record.recordType), its object of type \(entry.recordType).")
        }
        let writer = RecordFieldWriter(directory: assetDirectory)
        defer { assetFiles += writer.files }
        let changes = try entries.map { entry in
            try writer.changes(of: known[entry.recordID], to: entry)
        }
        return zip(entries, changes).map { entry, changes in
            let record =
                known[entry.recordID]
                ?? CKRecord(recordType: entry.recordType, recordID: entry.recordID)
            for (name, value) in changes { RecordFieldWriter.set(value, for: name, in: record) }
            return record
        }
    }

    /// Removes the files that this encoder has written for assets. Call it after the records have
    /// been saved.
    ///
    /// - Throws: The file system's error; the next call tries to remove the remaining files again.
    public func removeAssetFiles() throws {
        while let file = assetFiles.last {
            try FileManager.default.removeItem(at: file)
            assetFiles.removeLast()
        }
    }
}
