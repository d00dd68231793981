import CloudKitService
import Foundation
import SeamSQLite

/// An index over one field, or one system field, of one record type.
///
/// It is created when a query first needs it, as CloudKit's development environment marks fields as
/// queryable automatically, and SQLite maintains it from then on. Record types that are only
/// fetched by name and through the feed have no indexes.
struct RecordIndex {
    /// The SQL function that extracts a field's value from the stored form of a record.
    private static let functionName = "field_value"

    /// The SQL expression that is indexed.
    let expression: String
    private let name: String
    private let recordType: String

    /// An index over a field.
    ///
    /// - Returns: nil if SQLite cannot order the type's values: locations, bytes, lists.
    init?(field: String, type: FieldType, recordType: String) {
        guard [.string, .timestamp, .reference, FieldType.int64.columnType].contains(type) else {
            return nil
        }
        expression = "\(Self.functionName)(fields, \(field.sqlText))"
        name = "query.\(recordType).\(field)"
        self.recordType = recordType
    }

    /// An index over a system field.
    init?(systemField: SystemField, recordType: String) {
        guard let column = systemField.column else { return nil }
        expression = column
        name = "query.\(recordType)..\(systemField.rawValue)"
        self.recordType = recordType
    }

    /// Whether the index exists.
    func exists(in connection: SQLiteConnection) throws -> Bool {
        try connection.firstRow(
            "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?", [.text(name)]
        ) { _ in true } ?? false
    }

    /// Creates the index. An index has no parameters: the names are quoted, and were checked to be
    /// words before.
    func make(in connection: SQLiteConnection) throws {
        try connection.execute(
            """
            CREATE INDEX IF NOT EXISTS \(name.sqlIdentifier) ON record (zone_id, \(expression))
            WHERE \(Self.condition(recordType: recordType))
            """)
    }

    /// The exact condition that all queries for a record type contain, so that SQLite can use the
    /// indexes.
    static func condition(recordType: String) -> String {
        "type = \(recordType.sqlText) AND is_deleted = 0"
    }

    /// Registers the function of the indexes with a connection that reads or writes records.
    static func register(with connection: SQLiteConnection) throws {
        try connection.createFunction(functionName, argumentCount: 2) { arguments in
            guard case .blob(let fields) = arguments[0], case .text(let key) = arguments[1] else {
                return .null
            }
            let field = try FieldCoding.decode(fields, desiredKeys: [key])[key]
            return field?.value?.indexed ?? .null
        }
    }
}

extension FieldValue {
    /// The value in an index, with the order of ``ordering(_:_:)``; nil if it has none.
    var indexed: SQLiteValue? {
        switch self {
        // Strings are equal if they look the same, however their accents are encoded.
        case .string(let text): .text(text.precomposedStringWithCanonicalMapping)
        case .int64(let number), .timestamp(let number): .integer(number)
        case .double(let number): .real(number)
        case .reference(let reference):
            .text(reference.recordName.precomposedStringWithCanonicalMapping)
        case .bytes, .location, .asset, .list: nil
        }
    }
}

extension SystemField {
    /// The column with the field; nil if records have none.
    fileprivate var column: String? {
        switch self {
        case .recordName: "name"
        case .createdTimestamp: "created_at"
        case .createdUserRecordName: "created_by"
        case .modifiedTimestamp: "modified_at"
        case .modifiedUserRecordName: "modified_by"
        case .parent: "parent"
        case .share: nil
        }
    }
}

extension String {
    /// The string as a quoted SQL text.
    fileprivate var sqlText: String {
        "'" + replacingOccurrences(of: "'", with: "''") + "'"
    }
}
