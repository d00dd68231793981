import CloudKitWebServices
import Foundation
import LocalCloud

/// The condition, the order and the place in the result of a page of records.
struct RecordQuery: Sendable {
    private let fields: [LocalCloud.RecordType.Field]
    private let field: String
    private let comparator: FilterDictionary.Comparator
    /// What the field is compared with; empty for no condition.
    let value: String
    private let sort: String?
    private let isDescending: Bool
    /// Where the page begins; nil for the first.
    let marker: String?

    private static let name = "recordName"
    private static let created = "createdTimestamp"
    private static let modified = "modifiedTimestamp"

    private static let comparators: [(FilterDictionary.Comparator, String)] = [
        (.equals, "="), (.notEquals, "≠"), (.lessThan, "<"), (.lessThanOrEquals, "≤"),
        (.greaterThan, ">"), (.greaterThanOrEquals, "≥"), (.beginsWith, "begins with"),
        (.containsAllTokens, "has the words"), (.listContains, "list contains"),
    ]

    /// A comparison as people write it.
    static func text(of comparator: FilterDictionary.Comparator) -> String {
        comparators.first { $0.0 == comparator }?.1 ?? comparator.rawValue
    }

    /// - Parameters:
    ///   - form: The query of the page's address.
    ///   - fields: The fields of the record type.
    init(_ form: FormFields, fields: [LocalCloud.RecordType.Field]) {
        self.fields = fields
        field = form["field"] ?? Self.queryableNames(fields).first ?? Self.name
        comparator = form["is"].flatMap(FilterDictionary.Comparator.init) ?? .equals
        value = form["value"] ?? ""
        sort = form["sort"]
        isDescending = form["order"] == "down"
        marker = form["marker"]
    }

    /// The request for the page.
    ///
    /// - Throws: `badRequest` if the value is none of the field's type.
    func request(
        _ location: ConsoleLocation, limit: Int
    ) throws(CloudKitServiceError) -> QueryRecordsRequest {
        var query = QueryDictionary(recordType: location.recordType ?? "")
        if !value.isEmpty { query.filterBy = [try filter()] }
        if let sort {
            let isSystem = [Self.name, Self.created, Self.modified].contains(sort)
            query.sortBy = [
                SortDictionary(
                    fieldName: isSystem ? nil : sort, systemFieldName: isSystem ? sort : nil,
                    ascending: !isDescending)
            ]
        }
        return QueryRecordsRequest(
            zoneID: location.zoneID, query: query, resultsLimit: limit, continuationMarker: marker)
    }

    private func filter() throws(CloudKitServiceError) -> FilterDictionary {
        if field == Self.name {
            return FilterDictionary(
                comparator: comparator, systemFieldName: field,
                fieldValue: .init(.reference(ReferenceDictionary(recordName: value))))
        }
        let type = fields.first { $0.name == field }?.type ?? .string
        guard let typed = FieldText.value(value, as: type) else {
            throw CloudKitServiceError(
                .badRequest,
                reason: "\"\(value)\" is not a value of the type \(FieldText.name(of: type)).")
        }
        return FilterDictionary(
            comparator: comparator, fieldName: field, fieldValue: .init(typed))
    }

    /// The items of the address without the place.
    var items: [(String, String?)] {
        condition + [("sort", sort), ("order", isDescending ? "down" : nil)]
    }

    private var condition: [(String, String?)] {
        value.isEmpty
            ? [] : [("field", field), ("is", comparator.rawValue), ("value", value)]
    }

    // MARK: - For the page

    private static func queryableNames(_ fields: [LocalCloud.RecordType.Field]) -> [String] {
        fields.filter { $0.indexes.contains("QUERYABLE") }.map(\.name)
    }

    var fieldChoices: [[String: Any]] {
        (Self.queryableNames(fields) + [Self.name]).map { ["name": $0, "isChosen": $0 == field] }
    }

    var comparatorChoices: [[String: Any]] {
        Self.comparators.map {
            ["name": $0.0.rawValue, "text": $0.1, "isChosen": $0.0 == comparator]
        }
    }

    /// The headings of the table. Those of fields that can be sorted by lead to that.
    func columns(
        _ location: ConsoleLocation, _ fields: [LocalCloud.RecordType.Field]
    ) -> [[String: Any]] {
        func column(_ name: String, _ text: String, isSortable: Bool) -> [String: Any] {
            let isSorted = sort == name
            var values: [String: Any] = [
                "text": text, "arrow": isSorted ? (isDescending ? "↓" : "↑") : "",
            ]
            if isSortable {
                let order = isSorted && !isDescending ? "down" : nil
                values["sort"] = [
                    "address": location.address(
                        .records, condition + [("sort", name), ("order", order)])
                ]
            }
            return values
        }
        return [column(Self.name, "Name", isSortable: true)]
            + fields.map {
                column($0.name, $0.name, isSortable: $0.indexes.contains("SORTABLE"))
            } + [column(Self.modified, "Modified (UTC)", isSortable: true)]
    }
}
