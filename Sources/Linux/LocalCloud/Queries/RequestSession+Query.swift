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
        let query =
            options.convertsValuesWithoutType
            ? try request.query.converted(to: try fieldTypes(of: request.query.recordType))
            : request.query
        try RecordMatcher.check(query, options: options)
        try checkFields(of: query)
        let offset = try request.continuationMarker.map(Self.offset) ?? 0
        let limit = request.resultsLimit.flatMap { $0 > 0 ? $0 : nil } ?? options.pageSize
        let pageEnd = offset + min(limit, options.pageSize)
        // One more record than needed shows whether there is another page.
        let matches = try matches(of: query, in: zones(of: request), count: pageEnd + 1)
        let page = page(matches.dropFirst(offset).prefix(pageEnd - offset))
        let end = offset + page.count
        let desiredKeys = request.desiredKeys.map(Set.init)
        return QueryRecordsResponse(
            records: page.map { match in
                let fields = desiredKeys.map { keys in
                    match.fields.filter { keys.contains($0.key) }
                }
                return .success(
                    dictionary(of: match.record, in: match.zone, fields: fields ?? match.fields))
            },
            continuationMarker: matches.count > end ? Self.marker(offset: end) : nil)
    }

    /// The first records that are together no larger than a page may be, and at least one.
    private func page(_ matches: ArraySlice<Match>) -> ArraySlice<Match> {
        guard let limit = options.maximumPageBytes else { return matches }
        var bytes = 0
        return matches.prefix { match in
            let isFirst = bytes == 0
            bytes += max(1, Int(match.record.bytes))
            return isFirst || bytes <= limit
        }
    }

    private func zones(of request: QueryRecordsRequest) throws -> [Zone] {
        guard request.zoneWide == true, request.zoneID == nil else {
            return [try zone(request.zoneID)]
        }
        guard scope != .shared else {
            throw ItemFailure(.badRequest, "A query of the shared database must name a zone")
        }
        guard options.queriesWithoutZoneSearchAllZones else { return [try zone(nil)] }
        return try connection.rows(
            """
            SELECT \(Zone.columns) FROM zone
            WHERE database_id = ? AND deletion_reason IS NULL ORDER BY id
            """, [.integer(database.id)], Zone.init)
    }

    /// The first matches in the query's order.
    private func matches(
        of query: QueryDictionary, in zones: [Zone], count: Int
    ) throws -> [Match] {
        let matcher = RecordMatcher(
            query: query, options: options, userRecordName: caller.userRecordName)
        let statement = QueryStatement(
            matcher.query, fieldTypes: try fieldTypes(of: query.recordType),
            ignoresCase: options.queriesIgnoreCase)
        for index in statement.indexes where try !index.exists(in: connection) {
            guard isWriting else { throw WriteNeeded() }
            try index.make(in: connection)
        }
        var matches: [Match] = []
        for zone in zones {
            let isEnough = statement.isSorted ? count : Int.max
            matches += try self.matches(of: statement, matcher, in: zone, count: isEnough)
            // Without an order, the zones are searched one after another.
            if query.sortBy?.isEmpty ?? true, matches.count >= count { break }
        }
        if zones.count > 1 || !statement.isSorted { sort(&matches, by: query.sortBy ?? []) }
        return matches
    }

    private func matches(
        of query: QueryStatement, _ matcher: RecordMatcher, in zone: Zone, count: Int
    ) throws -> [Match] {
        try connection.withStatement(query.sql) { statement in
            try statement.bind(query.values(in: zone))
            var matches: [Match] = []
            while matches.count < count, try statement.step() {
                let record = StoredRecord(row: statement)
                let fields = try record.fields.map { try FieldCoding.decode($0) } ?? [:]
                guard matcher.matches(record, fields: fields) else { continue }
                matches.append(Match(zone: zone, record: record, fields: fields))
            }
            return matches
        }
    }

    private func fieldTypes(of recordType: String) throws -> [String: FieldType] {
        let types = try connection.rows(
            "SELECT name, type FROM record_field WHERE record_type = ? AND is_encrypted = 0",
            [.text(recordType)]
        ) { ($0.text(at: 0), FieldType(rawValue: $0.text(at: 1))) }
        return Dictionary(types) { first, _ in first }
    }

    /// Checks that the fields exist, have comparable types, and the indexes that the query needs.
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
            (query.filterBy ?? []).map { ($0.fieldName, SchemaDescription.Index.queryable) }
            + (query.sortBy ?? []).map { ($0.fieldName, .sortable) }
        for case (let name?, let index) in names {
            let field = try connection.firstRow(
                "SELECT type, indexes FROM record_field WHERE record_type = ? AND name = ?",
                [.text(query.recordType), .text(name)]
            ) {
                (
                    type: FieldType(rawValue: $0.text(at: 0)),
                    indexes: SchemaDescription.Index.indexes(in: $0.text(at: 1))
                )
            }
            guard let field else {
                throw ItemFailure(.badRequest, "Unknown field '\(name)'", code: 2016)
            }
            guard field.indexes.contains(index) else {
                throw ItemFailure(
                    .badRequest,
                    "Field '\(name)' is not marked \(index.rawValue.lowercased())", code: 2015)
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

    /// A cursor is an offset into the results of the same query run again, as in CloudKit.
    private static func marker(offset: Int) -> String {
        Data("offset:\(offset)".utf8).base64EncodedString()
    }

    private static func offset(of marker: String) throws -> Int {
        guard let data = Data(base64Encoded: marker),
            let offset = Int(String(decoding: data, as: UTF8.self).dropFirst("offset:".count)),
            (0...Int(Int32.max)).contains(offset)
        else {
            throw ItemFailure(.badRequest, "Invalid continuation marker")
        }
        return offset
    }
}
