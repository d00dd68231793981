import CloudKit
import CoreData

/// The contents of an object's record from the server.
///
/// A class, because a record is passed on often, and a copy of so many properties costs as much as a statement.
final class ReceivedRecord {
    let recordName: String
    let changeTag: String?
    let mapping: RecordMapping
    /// All synced properties; NULL for one that the record lacks.
    let fields: PropertyValues
    /// The values of former fields, by field; see ``RecordMapping/formerParts``.
    let formerFields: PropertyValues
    /// What the record has in the present fields of the properties whose values were taken from
    /// former fields.
    let replaced: PropertyValues
    /// The numbers of the stamps of those former fields, by property.
    let formerKeys: [String: UInt32]
    /// The to-one relationships whose references would make the server cascade, as Seam3 1 wrote
    /// them. They are rewritten.
    let cascadingReferences: [String]
    /// What the record says about its edits.
    let edits: KnownEdits
    /// The record itself, with its dates, for apps that resolve conflicts.
    let source: SMCloudRecord

    var record: CKRecord { source.record }
    /// Computed on demand, because the echo of a save from this device does not need them.
    var systemFields: Data { SystemFields.data(of: source) }

    init(
        recordName: String, changeTag: String?, mapping: RecordMapping, fields: PropertyValues,
        formerFields: PropertyValues, replaced: PropertyValues = PropertyValues(),
        formerKeys: [String: UInt32] = [:], cascadingReferences: [String], edits: KnownEdits,
        source: SMCloudRecord
    ) {
        self.recordName = recordName
        self.changeTag = changeTag
        self.mapping = mapping
        self.fields = fields
        self.formerFields = formerFields
        self.replaced = replaced
        self.formerKeys = formerKeys
        self.cascadingReferences = cascadingReferences
        self.edits = edits
        self.source = source
    }

    /// The number of the stamp of the field that a property's value is from.
    func stampKey(_ name: String) -> UInt32? {
        formerKeys[name] ?? mapping.stampKeys[name]?.first
    }

    /// The record with other values, from the former fields of a property.
    func taking(_ values: PropertyValues, from property: FormerProperty) -> ReceivedRecord {
        if values.values.isEmpty { return self }
        let present = PropertyValues(fields.values.filter { values.values[$0.key] != nil })
        let keys = property.parts.map { ($0.name, $0.stampKey) }
        return ReceivedRecord(
            recordName: recordName, changeTag: changeTag, mapping: mapping,
            fields: values.adding(fields), formerFields: formerFields,
            replaced: replaced.adding(present),
            formerKeys: formerKeys.merging(keys) { $1 },
            cascadingReferences: cascadingReferences, edits: edits, source: source)
    }
}

/// A link's record from the server.
struct ReceivedLink {
    let recordName: String
    let changeTag: String?
    let content: LinkRecord
    /// The record itself, with its dates.
    let source: SMCloudRecord

    /// See ``ReceivedRecord/systemFields``.
    var systemFields: Data { SystemFields.data(of: source) }
}

/// A record from the server that the store keeps.
enum ServerRecord {
    case object(ReceivedRecord)
    case link(ReceivedLink)

    var recordName: String {
        switch self {
        case .object(let object): return object.recordName
        case .link(let link): return link.recordName
        }
    }

    /// The approximate size of the fields in bytes.
    var byteCount: Int {
        switch self {
        case .object(let object): return object.fields.byteCount
        // Two names, and perhaps two order keys.
        case .link: return 200
        }
    }
}

/// Reads the fields of records.
struct RecordReader {
    let mappings: RecordMappings
    /// Takes over the files of assets that stay files; if nil, assets are read into memory.
    var externalFiles: ExternalFiles?

    /// Reads a complete record.
    ///
    /// - Parameter received: A record with all its fields and with its assets' files.
    /// - Returns: nil for a record type that belongs to no entity and no relationship.
    /// - Throws: An error if an asset's file cannot be read.
    func serverRecord(_ received: SMCloudRecord) throws -> ServerRecord? {
        let record = received.record
        guard let link = mappings.schema.link(recordType: record.recordType) else {
            return try read(received).map(ServerRecord.object)
        }
        guard mappings.isSynced(link), let content = LinkRecord(record, link: link) else {
            return nil
        }
        return .link(
            ReceivedLink(
                recordName: record.recordID.recordName, changeTag: received.changeTag,
                content: content, source: received))
    }

    /// Reads the complete record of an object.
    ///
    /// - Parameter received: A record with all its fields and with its assets' files.
    /// - Returns: nil for a record type that belongs to no entity.
    /// - Throws: An error if an asset's file cannot be read.
    func read(_ received: SMCloudRecord) throws -> ReceivedRecord? {
        let record = received.record
        guard let mapping = mappings.mapping(recordType: record.recordType) else { return nil }
        // Before the files of assets are taken over.
        let edits = KnownEdits(record, mapping)
        var fields = PropertyValues()
        fields.values.reserveCapacity(mapping.propertyNames.count)
        for attribute in mapping.attributes {
            fields[attribute.column.name] = try value(of: attribute, in: record)
        }
        var cascading: [String] = []
        for reference in mapping.references {
            let target: CKRecord.Reference? = record[reference.field]
            fields[reference.column.name] = SQLiteValue(target?.destinationName)
            if target?.action == .deleteSelf { cascading.append(reference.column.name) }
            if reference.isOrdered {
                let order: String? = record[reference.orderField]
                fields[reference.column.orderName] = SQLiteValue(order)
            }
        }
        return ReceivedRecord(
            recordName: record.recordID.recordName, changeTag: received.changeTag,
            mapping: mapping, fields: fields, formerFields: try formerFields(of: record, mapping),
            cascadingReferences: cascading, edits: edits, source: received)
    }

    private func formerFields(
        of record: CKRecord, _ mapping: RecordMapping
    ) throws -> PropertyValues {
        var values = PropertyValues()
        // Few of these values are kept, so none of them becomes a file yet.
        let reader = RecordReader(mappings: mappings)
        for part in mapping.formerParts {
            switch part.content {
            case .attribute(let attribute):
                values[part.field] = try reader.value(of: attribute, in: record)
            case .reference:
                let target: CKRecord.Reference? = record[part.field]
                values[part.field] = SQLiteValue(target?.destinationName)
            case .orderKey:
                let order: String? = record[part.field]
                values[part.field] = SQLiteValue(order)
            }
        }
        return values
    }

    private func value(
        of attribute: RecordMapping.Attribute, in record: CKRecord
    ) throws -> SQLiteValue {
        let field = attribute.field
        let fields = attribute.fields(of: record)
        switch attribute.kind {
        case .string, .uri:
            let text: String? = fields[field]
            return SQLiteValue(text)
        case .uuid:
            let text: String? = fields[field]
            return text.flatMap { UUID(uuidString: $0) }.map { SQLiteValue($0) } ?? .null
        case .date:
            let date: Date? = fields[field]
            return date.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null
        case .double:
            return Self.double(field, in: fields).map(SQLiteValue.real) ?? .null
        case .float:
            return Self.double(field, in: fields).map { .real(Double(Float($0))) } ?? .null
        case .decimal:
            let digits: String? = fields[field + DecimalField.suffix]
            return SQLiteValue(
                DecimalField.text(double: Self.double(field, in: fields), digits: digits))
        case .binaryData, .transformable:
            let data: Data? = fields[field]
            let files = attribute.column.isExternal ? externalFiles : nil
            if let data { return try files?.kept(.blob(data)) ?? .blob(data) }
            let asset: CKAsset? = record[field] ?? record[attribute.assetField]
            if let files, let asset { return try files.kept(contentsOf: Self.file(of: asset)) }
            return SQLiteValue(try asset.map { try Self.contents(of: $0) })
        case .integer16, .integer32, .integer64, .boolean:
            let number: Int64? = fields[field]
            return SQLiteValue(number)
        }
    }

    /// A number field that the schema learned from an integer may return integers.
    private static func double(
        _ field: String, in fields: any CKRecordKeyValueSetting
    ) -> Double? {
        let double: Double? = fields[field]
        if let double { return double }
        let integer: Int64? = fields[field]
        return integer.map { Double($0) }
    }

    /// The file of an asset.
    ///
    /// - Throws: A `CKError` if it cannot be read, which concerns its own record only.
    static func file(of asset: CKAsset) throws -> URL {
        guard let url = asset.fileURL?.resolvingSymlinksInPath() else {
            throw CKError(.assetNotAvailable)
        }
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw CocoaError(.fileReadUnknown)
            }
            try FileHandle(forReadingFrom: url).close()
        } catch {
            throw CKError(.assetFileNotFound, userInfo: [NSUnderlyingErrorKey: error])
        }
        return url
    }

    /// The contents of an asset's file.
    ///
    /// - Throws: As ``file(of:)``.
    private static func contents(of asset: CKAsset) throws -> Data {
        guard let url = asset.fileURL else { throw CKError(.assetNotAvailable) }
        do {
            return try Data(contentsOf: url, options: .mappedIfSafe)
        } catch {
            throw CKError(.assetFileNotFound, userInfo: [NSUnderlyingErrorKey: error])
        }
    }
}
