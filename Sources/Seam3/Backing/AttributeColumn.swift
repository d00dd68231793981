import CoreData

#if SWIFT_PACKAGE
import SeamSQLite
#endif

/// One persistent attribute and the column that keeps it.
struct AttributeColumn {
    let attribute: NSAttributeDescription
    let name: String
    /// The column's name, unquoted.
    let column: String
    /// The column's place among the table's columns.
    let index: Int
    let type: NSAttributeType
    let isOptional: Bool

    init(_ attribute: NSAttributeDescription, table: TableSchema, column: String) {
        self.attribute = attribute
        self.name = attribute.name
        self.column = column
        self.type = attribute.attributeType
        self.isOptional = attribute.isOptional
        index = table.index(
            of: column, declaration: Self.declaration(attribute.attributeType), isToOne: false)
    }

    /// Whether the column keeps bytes that may be many.
    var isBinary: Bool {
        type == .binaryDataAttributeType || type == .transformableAttributeType
    }

    /// The SQL type of a column, with its collation.
    private static func declaration(_ type: NSAttributeType) -> String {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .booleanAttributeType:
            return "INTEGER"
        case .doubleAttributeType, .floatAttributeType, .dateAttributeType:
            return "REAL"
        case .decimalAttributeType:
            return "TEXT COLLATE \(DecimalCollation.name)"
        case .stringAttributeType, .URIAttributeType:
            return "TEXT"
        default:
            return "BLOB"
        }
    }
}
