import CloudKit
import CoreData

/// Creates the record of an object from its fields.
struct RecordWriter {
    let mapping: RecordMapping
    let zoneID: CKRecordZone.ID
    let assets: AssetFolder

    /// The record to send for a change.
    ///
    /// - Parameters:
    ///   - recordName: The object's record name.
    ///   - systemFields: The record's system fields from the server; nil for a new record.
    ///   - fields: All synced properties of the object.
    ///   - previous: The server's values, for an existing record.
    ///   - keys: The properties to send; nil for all that are not nil.
    /// - Returns: The record, with only those properties set.
    /// - Throws: An error if an asset's file cannot be written, or the system fields are damaged.
    func record(
        named recordName: String, systemFields: Data?, fields: PropertyValues,
        previous: PropertyValues = PropertyValues(), keys: Set<String>?
    ) throws -> SMCloudRecord {
        let known = try systemFields.map { try SystemFields.record(from: $0) }
        let record =
            try known?.record
            ?? CKRecord(
                recordType: mapping.recordType,
                recordID: CKRecord.ID.record(named: recordName, in: zoneID))
        try fill(record, fields: fields, previous: previous, keys: keys)
        for property in mapping.formerProperties
        where property.isRemoved(by: fields, sending: keys ?? []) {
            for part in property.parts { remove(part, from: record) }
        }
        for (_, former) in mapping.formerReferences where keys?.contains(former.name) == true {
            record.change(former.field, to: nil)
        }
        return SMCloudRecord(record, changeTag: known?.changeTag)
    }

    /// Removes a value from its former field. There it would seem to be one that was never sent to the present field,
    /// which a nil leaves empty.
    private func remove(_ part: ValueField, from record: CKRecord) {
        guard case .attribute(let attribute) = part.content else {
            record.change(part.field, to: nil)
            return
        }
        let fields = attribute.fields(of: record)
        fields.change(part.field, to: nil)
        if [.binaryData, .transformable].contains(attribute.kind) {
            record.change(attribute.assetField, to: nil)
        }
    }

    /// Sets fields of a record.
    ///
    /// - Parameters:
    ///   - record: The record to change.
    ///   - fields: All synced properties of the object.
    ///   - previous: The server's values.
    ///   - keys: The properties to set; nil for all that are not nil.
    func fill(
        _ record: CKRecord, fields: PropertyValues, previous: PropertyValues, keys: Set<String>?
    ) throws {
        for attribute in mapping.attributes {
            let name = attribute.column.name
            let value = fields[name]
            guard keys?.contains(name) ?? !value.isNull else { continue }
            try set(attribute, to: value, previous: previous[name], in: record)
        }
        for reference in mapping.references {
            let value = fields[reference.column.name]
            guard keys?.contains(reference.column.name) ?? !value.isNull else { continue }
            // Core Data's delete rules apply here, so the server must never cascade.
            let target = value.text.flatMap { CKRecord.ID.ofRecord(named: $0, in: zoneID) }
                .map { CKRecord.Reference(recordID: $0, action: .none) }
            record.change(reference.field, to: target)
        }
        for reference in mapping.references where reference.isOrdered {
            let value = fields[reference.column.orderName]
            guard keys?.contains(reference.column.orderName) ?? !value.isNull else { continue }
            record.change(reference.orderField, to: value.text)
        }
    }

    private func set(
        _ attribute: RecordMapping.Attribute, to value: SQLiteValue, previous: SQLiteValue,
        in record: CKRecord
    ) throws {
        let field = attribute.field
        let fields = attribute.fields(of: record)
        switch attribute.column.kind {
        case .date:
            fields.change(
                field, to: value.real.map { Date(timeIntervalSinceReferenceDate: $0) })
        case .double, .float:
            // CloudKit supports neither NaN nor infinity: they stay on the device.
            fields.change(field, to: value.real.flatMap { $0.isFinite ? $0 : nil })
        case .decimal:
            fields.change(field, to: value.text.flatMap(DecimalField.double))
            let digits = value.text.flatMap(DecimalField.digits)
            // The second field is set only if it is or was needed, so that the schema does not get
            // unused fields.
            if digits != nil || previous.text.flatMap(DecimalField.digits) != nil {
                fields.change(field + DecimalField.suffix, to: digits)
            }
        case .uuid:
            fields.change(field, to: value.uuid?.uuidString)
        case .string, .uri:
            fields.change(field, to: value.text)
        case .integer16, .integer32, .integer64, .boolean:
            fields.change(field, to: value.integer)
        case .binaryData, .transformable:
            try setData(value, previous: previous.blob, of: attribute, in: record)
        }
    }

    // MARK: - Data

    private func setData(
        _ value: SQLiteValue, previous: Data?, of attribute: RecordMapping.Attribute,
        in record: CKRecord
    ) throws {
        if case .text(let name) = value, attribute.isAsset,
            let file = mapping.externalData?.file(name)
        {
            // The file is uploaded from its place.
            record[attribute.field] = CKAsset(fileURL: file)
            return
        }
        let data = value.blob
        if attribute.isAsset {
            record.change(attribute.field, to: try data.map(assets.asset))
            return
        }
        let isAsset = (data?.count ?? 0) > mapping.inlineLimit
        // The limit was higher when the entity had fewer binary attributes.
        let mayHaveBeenAsset = (previous?.count ?? 0) > mapping.inlineLimit / 8
        let fields = attribute.fields(of: record)
        fields.change(attribute.field, to: isAsset ? nil : data)
        if isAsset || mayHaveBeenAsset {
            let asset: CKAsset? = isAsset ? try data.map(assets.asset) : nil
            record.change(attribute.assetField, to: asset)
        }
    }
}
