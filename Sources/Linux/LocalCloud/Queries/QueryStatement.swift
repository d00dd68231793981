import CloudKitService
import SeamSQLite

/// The SQL statement that finds the candidates of a query in one zone, in the query's order.
///
/// Its conditions may select too many records, but never too few: ``RecordMatcher`` decides.
struct QueryStatement {
    /// The indexes that the statement needs.
    private(set) var indexes: [RecordIndex] = []
    /// Whether the candidates come in the query's order. If not, they must be sorted afterward.
    private(set) var isSorted = true
    private var conditions: [String] = []
    private var values: [SQLiteValue] = []
    private var order: [String] = []
    private let recordType: String
    private let fieldTypes: [String: FieldType]

    /// Longer lists are not looked up element by element.
    private static let maximumListLength = 100

    /// - Parameters:
    ///   - query: A query that was checked.
    ///   - fieldTypes: The types of the record type's fields.
    ///   - ignoresCase: Whether strings that differ only in case are equal.
    init(_ query: QueryDictionary, fieldTypes: [String: FieldType], ignoresCase: Bool) {
        recordType = query.recordType
        self.fieldTypes = fieldTypes
        for filter in query.filterBy ?? [] { add(filter, ignoresCase: ignoresCase) }
        for sort in query.sortBy ?? [] { add(sort) }
    }

    /// The statement's text. Its first parameter is the zone.
    var sql: String {
        let conditions =
            ["zone_id = ?", RecordIndex.condition(recordType: recordType)] + conditions
        return """
            SELECT \(StoredRecord.columns) FROM record
            WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(((isSorted ? order : []) + ["id"]).joined(separator: ", "))
            """
    }

    /// The statement's parameters.
    func values(in zone: Zone) -> [SQLiteValue] { [.integer(zone.id)] + values }

    private func index(fieldName: String?, systemFieldName: String?) -> RecordIndex? {
        if let field = systemFieldName.flatMap(SystemField.init) {
            return RecordIndex(systemField: field, recordType: recordType)
        }
        guard let fieldName, let type = fieldTypes[fieldName] else { return nil }
        return RecordIndex(field: fieldName, type: type, recordType: recordType)
    }

    private mutating func add(_ filter: FilterDictionary, ignoresCase: Bool) {
        guard let wanted = filter.fieldValue?.value,
            let index = index(
                fieldName: filter.fieldName, systemFieldName: filter.systemFieldName),
            let (condition, parameters) = Self.condition(
                filter.comparator, index.expression, wanted, ignoresCase: ignoresCase)
        else { return }
        conditions.append(condition)
        values += parameters
        indexes.append(index)
    }

    private mutating func add(_ sort: SortDictionary) {
        guard sort.relativeLocation == nil,
            let index = index(fieldName: sort.fieldName, systemFieldName: sort.systemFieldName)
        else {
            isSorted = false
            return
        }
        order.append(index.expression + (sort.ascending == false ? " DESC" : ""))
        indexes.append(index)
    }

    private static func condition(
        _ comparator: FilterDictionary.Comparator, _ expression: String, _ wanted: FieldValue,
        ignoresCase: Bool
    ) -> (String, [SQLiteValue])? {
        let isText = if case .string = wanted.elements.first { true } else { false }
        func compared(_ sign: String) -> (String, [SQLiteValue])? {
            wanted.indexed.map { ("\(expression) \(sign) ?", [$0]) }
        }
        switch comparator {
        case .equals where !(isText && ignoresCase): return compared("=")
        case .lessThan: return compared("<")
        case .lessThanOrEquals: return compared("<=")
        case .greaterThan: return compared(">")
        case .greaterThanOrEquals: return compared(">=")
        case .in where !(isText && ignoresCase):
            let elements = wanted.elements.compactMap(\.indexed)
            guard elements.count == wanted.elements.count, elements.count <= maximumListLength
            else { return nil }
            let parameters = elements.map { _ in "?" }.joined(separator: ", ")
            return ("\(expression) IN (\(parameters))", elements)
        case .beginsWith:
            guard case .text(let prefix) = wanted.indexed else { return nil }
            return (
                "\(expression) >= ? AND \(expression) < ?",
                [.text(prefix), .text(prefix + "\u{10FFFF}")]
            )
        default:
            return nil
        }
    }
}
