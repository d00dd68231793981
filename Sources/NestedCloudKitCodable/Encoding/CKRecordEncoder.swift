import CloudKit

/// Encodes an object, and all objects that it refers to, as records that refer to each other.
///
/// | property | field |
/// |---|---|
/// | integers, `Bool`, `Double`, `Float`, `Date`, enumerations by their raw value | the same |
/// | `String` | String; see ``coordinateForm`` |
/// | `UUID`, `Decimal`, a URL of the web | String |
/// | `Data` | Bytes; see ``dataForm`` |
/// | the URL of a file | Asset |
/// | an object with a record of its own | Reference |
/// | a list or set of any of these | a list of the same |
/// | anything else: dictionaries, structures, lists in lists, enumerations with values | Bytes (JSON) |
///
/// These are the fields that version 1 of this library writes, so that the schemas of its apps take
/// them. What is nil has no field. An empty list is written where the record that is updated has a
/// field for it: CloudKit refuses it as the first value of a field. Elsewhere it has no field, and
/// the decoder makes an empty list of that.
public final class CKRecordEncoder {
    /// The forms in which a record can hold data.
    public enum DataForm: Sendable {
        /// In the record itself, which may have 1 MB in all.
        case bytes
        /// As a file beside the record.
        case asset
    }

    /// The forms in which a record can hold a text of coordinates, `"latitude;longitude"`.
    public enum CoordinateForm: Sendable {
        /// As the text that it is.
        case text
        /// As a location, if the text is exactly two coordinates.
        case location
    }

    /// The form of data; in the record itself unless this is set. A schema that has one form
    /// refuses the other, and the decoder reads both.
    public var dataForm = DataForm.bytes

    /// The form of texts of coordinates; texts unless this is set. A schema that has one form
    /// refuses the other, and the decoder reads both.
    public var coordinateForm = CoordinateForm.text

    /// The zone of the records; nil for the default zone.
    public var zoneID: CKRecordZone.ID?

    /// What happens to an object's record when a record it refers to is deleted, where the object
    /// does not say in ``CKRecordRepresentable/cloudKitReferenceActions()``. `.none` by default, so
    /// that no deletion reaches further than it says.
    public var referenceAction: CKRecord.ReferenceAction = .none

    /// The folder for the files of assets that are made from data. They have to be there until the
    /// records are saved; ``removeAssetFiles()`` removes them.
    public var assetDirectory: URL

    /// What the objects find as their encoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    private var assetFiles: [URL] = []

    /// An encoder of records.
    ///
    /// - Parameter zoneID: The zone of the records; nil for the default zone.
    public init(zoneID: CKRecordZone.ID? = nil) {
        self.zoneID = zoneID
        assetDirectory = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
    }

    /// Makes new records.
    ///
    /// An object that is met several times is one record. Cycles of objects are taken.
    ///
    /// - Parameter value: The outermost object.
    /// - Returns: The records, each before those that refer to it as far as that is possible; the
    ///   outermost object's is the last.
    /// - Throws: A ``CKCodableError`` that tells which property cannot be put into a record, or the
    ///   error of an object's own `encode(to:)`.
    public func encode(_ value: any CKEncodable) throws -> [CKRecord] {
        try encode(value, updating: [])
    }

    /// Makes records from objects that may have records already.
    ///
    /// A record that is given is changed where its object differs from it, and keeps its change
    /// tag, so that saving it replaces what the server has. Those that do not differ have no
    /// `changedKeys()`.
    ///
    /// - Parameters:
    ///   - value: The outermost object.
    ///   - records: Records of these objects as they were fetched or saved last. They are changed.
    ///     Those whose objects are gone from the graph are neither changed nor returned.
    /// - Returns: The records of all objects, given and new ones, in the order of ``encode(_:)``.
    /// - Throws: A ``CKCodableError`` that tells which property cannot be put into a record, or the
    ///   error of an object's own `encode(to:)`. The records are then as they were.
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
            try writer.changes(of: known[entry.recordID], to: entry.fields)
        }
        return zip(entries, changes).map { entry, changes in
            let record =
                known[entry.recordID]
                ?? CKRecord(recordType: entry.recordType, recordID: entry.recordID)
            for (name, value) in changes { RecordFieldWriter.set(value, for: name, in: record) }
            return record
        }
    }

    /// Removes the files that this encoder has written for assets. Call it when the records have
    /// been saved.
    ///
    /// - Throws: The file system's error; the files not yet removed are tried again the next time.
    public func removeAssetFiles() throws {
        while let file = assetFiles.last {
            try FileManager.default.removeItem(at: file)
            assetFiles.removeLast()
        }
    }
}
