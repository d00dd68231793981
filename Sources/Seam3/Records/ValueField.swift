import CloudKit
import CoreData

/// A field of a record that has a value of an object.
final class ValueField {
    /// What the field contains.
    enum Content {
        case attribute(RecordMapping.Attribute)
        case reference
        case orderKey
    }

    /// The value's name in ``PropertyValues``.
    let name: String
    /// The field's name.
    let field: String
    let content: Content
    /// The number of the field's edit stamp.
    let stampKey: UInt32
    /// Whether only devices with a former model write it.
    let isFormer: Bool

    init(name: String, field: String, content: Content, isFormer: Bool = false) {
        (self.name, self.field, self.content, self.isFormer) = (name, field, content, isFormer)
        stampKey = EditStamps.key(ofField: field)
    }

    var isOrderKey: Bool {
        if case .orderKey = content { true } else { false }
    }

    /// Whether the server encrypts the value.
    var isEncrypted: Bool {
        guard case .attribute(let attribute) = content else { return false }
        return attribute.isEncrypted
    }

    /// The digest of the field's value in a record; nil if it is encrypted, or if its asset cannot be read.
    func digest(in record: CKRecord) -> UInt32? {
        switch content {
        case .attribute(let attribute):
            return attribute.isEncrypted ? nil : Self.digest(of: attribute, in: record)
        case .reference:
            let target: CKRecord.Reference? = record[field]
            return target.map { FieldDigest.of(referenceTo: $0.recordID.recordName) }
                ?? FieldDigest.ofNothing
        case .orderKey:
            let key: String? = record[field]
            return key.map { FieldDigest.of($0) } ?? FieldDigest.ofNothing
        }
    }

    private static func digest(
        of attribute: RecordMapping.Attribute, in record: CKRecord
    ) -> UInt32? {
        let field = attribute.field
        switch attribute.kind {
        case .integer16, .integer32, .integer64, .boolean:
            let number: Int64? = record[field]
            return number.map { FieldDigest.of($0) } ?? FieldDigest.ofNothing
        case .double, .float:
            let number: Double? = record[field]
            return number.map { FieldDigest.of($0) } ?? FieldDigest.ofNothing
        case .decimal:
            guard let double: Double = record[field] else { return FieldDigest.ofNothing }
            return FieldDigest.of(decimal: double, digits: record[field + DecimalField.suffix])
        case .string, .uri, .uuid:
            let text: String? = record[field]
            return text.map { FieldDigest.of($0) } ?? FieldDigest.ofNothing
        case .date:
            let date: Date? = record[field]
            return date.map { FieldDigest.of($0) } ?? FieldDigest.ofNothing
        case .binaryData, .transformable:
            if let data: Data = record[field] { return FieldDigest.of(data) }
            let asset: CKAsset? = record[attribute.isAsset ? field : attribute.assetField]
            guard let asset else { return FieldDigest.ofNothing }
            return asset.fileURL.flatMap { FieldDigest.of(file: $0) }
        }
    }
}
