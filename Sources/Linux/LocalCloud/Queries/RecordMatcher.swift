import CloudKitService
import Foundation

/// Decides whether a record meets a query's conditions.
struct RecordMatcher {
    let query: QueryDictionary
    let options: LocalCloudOptions
    /// The words that each condition searches for, if it searches for words.
    private let words: [Set<String>?]

    /// - Parameter userRecordName: The user that `__defaultOwner__` stands for in the query's
    ///   conditions.
    init(query: QueryDictionary, options: LocalCloudOptions, userRecordName: String?) {
        self.query = query.naming(userRecordName)
        self.options = options
        words = (query.filterBy ?? []).map(Self.words)
    }

    /// Checks that CloudKit would accept a query.
    ///
    /// - Throws: ``ItemFailure`` with `BAD_REQUEST`.
    static func check(_ query: QueryDictionary, options: LocalCloudOptions) throws {
        try NameRules.checkRecordType(query.recordType)
        guard query.recordType != RequestSession.userRecordType else {
            throw ItemFailure(.accessDenied, "Records of type Users cannot be queried")
        }
        try checkCounts(query, options: options)
        for filter in query.filterBy ?? [] {
            if let name = filter.systemFieldName {
                try checkSystemField(name, options: options)
            } else if let name = filter.fieldName {
                try NameRules.checkFieldName(name)
            } else if ![.containsAllTokens, .containsAnyTokens].contains(filter.comparator) {
                throw ItemFailure(.badRequest, "A filter needs the name of a field")
            }
            guard filter.fieldValue?.value != nil else {
                throw ItemFailure(.badRequest, "A filter needs a value")
            }
        }
        for sort in query.sortBy ?? [] {
            if let name = sort.systemFieldName {
                try checkSystemField(name, options: options)
            } else if sort.fieldName == nil {
                throw ItemFailure(.badRequest, "A sort key needs the name of a field")
            }
        }
    }

    /// Checks that the query asks for no more comparisons of each record than it may.
    private static func checkCounts(
        _ query: QueryDictionary, options: LocalCloudOptions
    ) throws {
        func check(_ count: Int, _ limit: Int, _ items: String) throws {
            guard count > limit else { return }
            throw ItemFailure(
                .limitExceeded, "The query has \(count) \(items), the limit is \(limit)")
        }
        let filters = query.filterBy ?? []
        try check(filters.count, options.maximumFilters, "filters")
        let values = filters.reduce(0) { count, filter in
            count
                + max(filter.fieldValue?.value?.elements.count ?? 0, words(of: filter)?.count ?? 0)
        }
        try check(values, options.maximumFilterValues, "values in its filters")
        try check(query.sortBy?.count ?? 0, options.maximumSortKeys, "sort keys")
    }

    private static func checkSystemField(_ name: String, options: LocalCloudOptions) throws {
        guard SystemField(rawValue: name) != nil else {
            throw ItemFailure(.badRequest, "Unknown system field '\(name)'")
        }
        if name == SystemField.recordName.rawValue, !options.recordNameIsQueryable {
            throw ItemFailure(
                .badRequest, "Field 'recordName' is not marked queryable", code: 2015)
        }
    }

    /// Whether a record meets all conditions.
    func matches(_ record: StoredRecord, fields: [String: RecordFieldDictionary]) -> Bool {
        zip(query.filterBy ?? [], words).allSatisfy { filter, words in
            guard let wanted = filter.fieldValue?.value else { return false }
            if filter.fieldName == nil, filter.systemFieldName == nil {
                return hasTokens(filter.comparator, words, in: Array(fields.values))
            }
            let actual =
                filter.systemFieldName.map { SystemField(rawValue: $0)?.value(in: record) ?? nil }
                ?? filter.fieldName.flatMap { fields[$0]?.value }
            if filter.searchesWords {
                return hasTokens(filter.comparator, words, in: [RecordFieldDictionary(actual)])
            }
            return matches(actual, filter, wanted)
        }
    }

    private func matches(
        _ actual: FieldValue?, _ filter: FilterDictionary, _ wanted: FieldValue
    ) -> Bool {
        func compare(_ accept: (ComparisonResult) -> Bool) -> Bool {
            actual.flatMap { ordering($0, wanted) }.map(accept) ?? false
        }
        func contains(_ value: FieldValue) -> Bool {
            actual?.elements.contains { isEqual($0, value) } ?? false
        }
        func isIn() -> Bool {
            actual.map { value in wanted.elements.contains { isEqual($0, value) } } ?? false
        }
        switch filter.comparator {
        case .equals: return actual.map { isEqual($0, wanted) } ?? false
        case .notEquals: return !(actual.map { isEqual($0, wanted) } ?? false)
        case .lessThan: return compare { $0 == .orderedAscending }
        case .lessThanOrEquals: return compare { $0 != .orderedDescending }
        case .greaterThan: return compare { $0 == .orderedDescending }
        case .greaterThanOrEquals: return compare { $0 != .orderedAscending }
        case .in: return isIn()
        case .notIn: return !isIn()
        case .listContains: return contains(wanted)
        case .notListContains: return !contains(wanted)
        case .listContainsAny: return wanted.elements.contains(where: contains)
        case .notListContainsAny: return !wanted.elements.contains(where: contains)
        case .listContainsAll: return wanted.elements.allSatisfy(contains)
        case .notListContainsAll: return !wanted.elements.allSatisfy(contains)
        case .beginsWith: return begins(actual, with: wanted)
        case .notBeginsWith: return !begins(actual, with: wanted)
        case .listMemberBeginsWith:
            return actual?.elements.contains { begins($0, with: wanted) } ?? false
        case .notListMemberBeginsWith:
            return !(actual?.elements.contains { begins($0, with: wanted) } ?? false)
        case .near: return isNear(actual, wanted, distance: filter.distance)
        // The words were searched before.
        case .containsAllTokens, .containsAnyTokens: return false
        }
    }

    // MARK: - Comparing

    private func isEqual(_ left: FieldValue, _ right: FieldValue) -> Bool {
        switch (left, right) {
        // The action of a reference does not matter.
        case (.reference(let left), .reference(let right)): left.recordName == right.recordName
        case (.reference(let left), .string(let right)): left.recordName == right
        case (.string(let left), .string(let right)) where options.queriesIgnoreCase:
            left.caseInsensitiveCompare(right) == .orderedSame
        default: ordering(left, right).map { $0 == .orderedSame } ?? (left == right)
        }
    }

    private func begins(_ value: FieldValue?, with prefix: FieldValue) -> Bool {
        guard case .string(let text) = value, case .string(let prefix) = prefix else {
            return false
        }
        return text.hasPrefix(prefix)
    }

    private func isNear(
        _ value: FieldValue?, _ center: FieldValue, distance: Double?
    ) -> Bool {
        guard case .location(let place) = value, case .location(let center) = center,
            let distance
        else { return false }
        return place.distance(to: center) < distance
    }

    /// Compares words, ignoring case and diacritics.
    private func hasTokens(
        _ comparator: FilterDictionary.Comparator, _ wanted: Set<String>?,
        in fields: [RecordFieldDictionary]
    ) -> Bool {
        guard let wanted else { return false }
        let texts = fields.filter { !$0.isEncrypted }.compactMap(\.value).flatMap(\.elements)
        let present = texts.reduce(into: Set<String>()) { tokens, value in
            if case .string(let text) = value { tokens.formUnion(Self.tokens(of: text)) }
        }
        return comparator == .containsAllTokens
            ? wanted.isSubset(of: present) : !wanted.isDisjoint(with: present)
    }

    /// The words that a condition searches for; nil if it does not search for words.
    private static func words(of filter: FilterDictionary) -> Set<String>? {
        guard filter.searchesWords, case .string(let text) = filter.fieldValue?.value else {
            return nil
        }
        return tokens(of: text)
    }

    private static func tokens(of text: String) -> Set<String> {
        let folded = text.folding(
            options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        let words = folded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return Set(words).subtracting(stopWords)
    }

    private static let stopWords: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is",
        "it", "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there",
        "these", "they", "this", "to", "was", "will", "with",
    ]
}

/// The order of two values, or nil if they cannot be compared.
func ordering(_ left: FieldValue, _ right: FieldValue) -> ComparisonResult? {
    func compare<T: Comparable>(_ left: T, _ right: T) -> ComparisonResult {
        left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
    }
    switch (left, right) {
    case (.string(let left), .string(let right)): return compare(left, right)
    case (.int64(let left), .int64(let right)): return compare(left, right)
    case (.timestamp(let left), .timestamp(let right)): return compare(left, right)
    case (.double(let left), .double(let right)): return compare(left, right)
    case (.int64(let left), .double(let right)): return compare(Double(left), right)
    case (.double(let left), .int64(let right)): return compare(left, Double(right))
    default: return nil
    }
}

extension FieldValue {
    /// The elements of a list; any other value is its own only element.
    var elements: [FieldValue] {
        if case .list(let elements) = self { elements } else { [self] }
    }
}

extension LocationDictionary {
    /// The distance along the surface of the earth, in meters.
    func distance(to other: LocationDictionary) -> Double {
        let radians = Double.pi / 180
        let (a, b) = (latitude * radians, other.latitude * radians)
        let (h, v) = ((other.longitude - longitude) * radians / 2, (b - a) / 2)
        let chord = sin(v) * sin(v) + cos(a) * cos(b) * sin(h) * sin(h)
        return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
    }
}

extension FilterDictionary {
    /// Whether the condition is about the words of texts.
    fileprivate var searchesWords: Bool {
        [.containsAllTokens, .containsAnyTokens].contains(comparator)
    }
}

extension QueryDictionary {
    /// The query with a user's own name instead of the one that stands for any caller.
    fileprivate func naming(_ userRecordName: String?) -> QueryDictionary {
        var query = self
        query.filterBy = filterBy?.map { filter in
            let fields: [SystemField] = [.createdUserRecordName, .modifiedUserRecordName]
            guard let field = filter.systemFieldName.flatMap(SystemField.init),
                fields.contains(field), let value = filter.fieldValue?.value
            else { return filter }
            var filter = filter
            filter.fieldValue?.value = value.naming(userRecordName)
            return filter
        }
        return query
    }
}

extension FieldValue {
    fileprivate func naming(_ userRecordName: String?) -> FieldValue {
        switch self {
        case .reference(var reference)
        where reference.recordName == ZoneIDDictionary.defaultOwnerName:
            reference.recordName = userRecordName ?? reference.recordName
            return .reference(reference)
        case .list(let elements):
            return .list(elements.map { $0.naming(userRecordName) })
        default:
            return self
        }
    }
}
