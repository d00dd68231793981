import CloudKit
import CoreData

/// The record types and fields that a store needs on the server, including those that only certain
/// values need.
struct CloudKitSchema {
    /// The type of a field, by its name in CloudKit's schema language.
    enum FieldType: String {
        case integer = "INT64"
        case double = "DOUBLE"
        case text = "STRING"
        case date = "TIMESTAMP"
        case data = "BYTES"
        case asset = "ASSET"
        case reference = "REFERENCE"
    }

    struct Field {
        let name: String
        let type: FieldType
        var isEncrypted = false
    }

    struct RecordType {
        let name: String
        /// The fields, sorted by name.
        let fields: [Field]

        init(name: String, fields: [Field]) {
            self.name = name
            self.fields = fields.sorted { $0.name < $1.name }
        }
    }

    /// The record types, sorted by name.
    let recordTypes: [RecordType]

    init(_ mappings: RecordMappings) {
        let entities = mappings.ofRecords.map(RecordType.init)
        let links = mappings.schema.links.filter(mappings.isSynced).map(RecordType.init)
        recordTypes = (entities + links).sorted { $0.name < $1.name }
    }
}

extension CloudKitSchema.RecordType {
    fileprivate init(_ mapping: RecordMapping) {
        self.init(
            name: mapping.recordType,
            fields: mapping.attributes.flatMap(CloudKitSchema.Field.all)
                + mapping.references.flatMap(CloudKitSchema.Field.all)
                + [.init(name: EditStamps.field, type: .data)])
    }

    fileprivate init(_ link: LinkSchema) {
        var fields = [LinkRecord.source, LinkRecord.target].map {
            CloudKitSchema.Field(name: $0, type: .reference)
        }
        if link.target?.isOrdered == true {
            fields.append(.init(name: LinkRecord.sourceOrder, type: .text))
        }
        if link.source.isOrdered { fields.append(.init(name: LinkRecord.targetOrder, type: .text)) }
        self.init(name: link.recordType, fields: fields)
    }
}

extension CloudKitSchema.Field {
    /// The fields of an attribute.
    fileprivate static func all(of attribute: RecordMapping.Attribute) -> [Self] {
        func field(_ type: CloudKitSchema.FieldType, _ name: String? = nil) -> Self {
            // Assets are always encrypted and need no encrypted field.
            Self(
                name: name ?? attribute.field, type: type,
                isEncrypted: attribute.isEncrypted && type != .asset)
        }
        switch attribute.column.kind {
        case .integer16, .integer32, .integer64, .boolean: return [field(.integer)]
        case .double, .float: return [field(.double)]
        case .string, .uri, .uuid: return [field(.text)]
        case .date: return [field(.date)]
        case .decimal: return [field(.double), field(.text, attribute.field + DecimalField.suffix)]
        case .binaryData, .transformable:
            if attribute.isAsset { return [field(.asset)] }
            return [field(.data), field(.asset, attribute.assetField)]
        }
    }

    /// The fields of a to-one relationship.
    fileprivate static func all(of reference: RecordMapping.Reference) -> [Self] {
        let field = Self(name: reference.field, type: .reference)
        return reference.isOrdered
            ? [field, Self(name: reference.orderField, type: .text)] : [field]
    }
}
