import CloudKitService
import Foundation
import SeamSQLite

/// `records/query`.
extension RequestSession {
    private struct Match {
        var zone: Zone
        var record: StoredRecord
        var fields: [String: RecordFieldDictionary]
    }

    func queryRecords(_ request: QueryRecordsRequest) throws -> QueryRecordsResponse {
        let query = request.query
        try RecordMatcher.check(query, options: options)
        try checkFields(of: query)
        var matches = try matches(of: query, in: zones(of: request))
        sort(&matches, by: query.sortBy ?? [])
        let offset = try request.continuationMarker.map(Self.offset) ?? 0
        let limit = request.resultsLimit.flatMap { $0 > 0 ? $0 : nil } ?? options.pageSize
        let page = matches.dropFirst(offset).prefix(min(limit, options.pageSize))
        let end = offset + page.count
        let desiredKeys = request.desiredKeys.map(Set.init)
        return QueryRecordsResponse(
            records: try page.map {
                .success(try dictionary(of: $0.record, in: $0.zone, desiredKeys: desiredKeys))
            },
            continuationMarker: end < matches.count ? Self.marker(offset: end) : nil)
    }

    private func zones(of request: QueryRecordsRequest) throws -> [Zone] {
        if request.zoneWide == true, request.zoneID == nil {
            return try connection.rows(
                """
                SELECT \(Zone.columns) FROM zone
                WHERE database_id = ? AND deletion_reason IS NULL ORDER BY id
                """, [.integer(database.id)], Zone.init)
        }
        return [try zone(request.zoneID)]
    }

    private func matches(of query: QueryDictionary, in zones: [Zone]) throws -> [Match] {
        let matcher = RecordMatcher(query: query, options: options)
        return try zones.flatMap { zone in
            try connection.rows(
                """
                SELECT \(StoredRecord.columns) FROM record
                WHERE zone_id = ? AND type = ? AND fields IS NOT NULL ORDER BY id
                """, [.integer(zone.id), .text(query.recordType)], StoredRecord.init
            ).compactMap { record in
                let fields = try record.fields.map { try FieldCoding.decode($0) } ?? [:]
                guard matcher.matches(record, fields: fields) else { return nil }
                return Match(zone: zone, record: record, fields: fields)
            }
        }
    }

    /// Checks that the fields exist, have comparable types, and are not encrypted.
    private func checkFields(of query: QueryDictionary) throws {
        let isKnown =
            try connection.firstRow(
                "SELECT 1 FROM record_type WHERE name = ?", [.text(query.recordType)],
                { _ in true }) ?? false
        guard isKnown else {
            throw ItemFailure(
                .notFound, "Did not find record type: \(query.recordType)", code: 2003)
        }
        let names =
            (query.filterBy ?? []).map { ($0.fieldName, "queryable") }
            + (query.sortBy ?? []).map { ($0.fieldName, "sortable") }
        for case (let name?, let index) in names {
            let field = try connection.firstRow(
                "SELECT type, is_encrypted FROM record_field WHERE record_type = ? AND name = ?",
                [.text(query.recordType), .text(name)]
            ) { (type: FieldType(rawValue: $0.text(at: 0)), encrypted: $0.integer(at: 1) != 0) }
            guard let field else {
                throw ItemFailure(.badRequest, "Unknown field '\(name)'", code: 2016)
            }
            let isIndexed = ![.bytes, .asset].contains(field.type) && !field.encrypted
            guard isIndexed else {
                throw ItemFailure(
                    .badRequest, "Field '\(name)' is not marked \(index)", code: 2015)
            }
            for filter in query.filterBy ?? [] where filter.fieldName == name {
                try checkType(field.type, filter)
            }
        }
    }

    private func checkType(_ type: FieldType, _ filter: FilterDictionary) throws {
        guard let wanted = filter.fieldValue?.value?.type.columnType,
            let name = filter.fieldName
        else { return }
        let actual = type.element ?? type
        let value = wanted.element ?? wanted
        guard value == actual || wanted == .unknownList else {
            throw ItemFailure(
                .badRequest,
                "Field '\(name)' has a value type of \(type.rawValue) and cannot be queried "
                    + "using filter value type \(wanted.rawValue)", code: 2016)
        }
    }

    // MARK: - Order

    private func sort(_ matches: inout [Match], by keys: [SortDictionary]) {
        guard !keys.isEmpty else { return }
        matches.sort { left, right in
            for key in keys {
                let order = Self.order(left, right, key)
                if order == .orderedSame { continue }
                return (order == .orderedAscending) == (key.ascending ?? true)
            }
            return left.record.id < right.record.id
        }
    }

    private static func order(
        _ left: Match, _ right: Match, _ key: SortDictionary
    ) -> ComparisonResult {
        switch (value(in: left, key), value(in: right, key)) {
        case (nil, nil): return .orderedSame
        case (nil, _): return .orderedAscending
        case (_, nil): return .orderedDescending
        case (let left?, let right?): return ordering(left, right) ?? .orderedSame
        }
    }

    private static func value(in match: Match, _ key: SortDictionary) -> FieldValue? {
        let value =
            key.systemFieldName.flatMap { SystemField(rawValue: $0)?.value(in: match.record) }
            ?? key.fieldName.flatMap { match.fields[$0]?.value }
        switch value {
        case .location(let place):
            return key.relativeLocation.map { .double(place.distance(to: $0)) }
        case .reference(let reference):
            return .string(reference.recordName)
        default:
            return value
        }
    }

    // MARK: - Cursor

    /// A cursor is an offset into the same query run again, as CloudKit's is.
    private static func marker(offset: Int) -> String {
        Data("offset:\(offset)".utf8).base64EncodedString()
    }

    private static func offset(of marker: String) throws -> Int {
        guard let data = Data(base64Encoded: marker),
            let offset = Int(String(decoding: data, as: UTF8.self).dropFirst("offset:".count)),
            offset >= 0
        else {
            throw ItemFailure(.badRequest, "Invalid continuation marker")
        }
        return offset
    }
}
