import CloudKitService

/// Converts a predicate to the filters of a query, all of which must match.
///
/// CloudKit's predicates support AND but not OR, and compare a field with a constant. Everything
/// else is an `invalidArguments` error, as on the server.
struct PredicateCompiler {
    /// The filters of a predicate, or nil if nothing can match it.
    func filters(of predicate: NSPredicate) throws -> [FilterDictionary]? {
        switch _PredicateNode(predicate) {
        case .constant(let isTrue):
            return isTrue ? [] : nil
        case .comparison(let comparison):
            return try comparisonFilters(comparison)
        case .compound(.and, let subpredicates):
            var filters: [FilterDictionary] = []
            for subpredicate in subpredicates {
                guard let part = try self.filters(of: subpredicate) else { return nil }
                filters += part
            }
            return filters
        case .compound(.not, let subpredicates):
            guard let subpredicate = subpredicates.first else {
                throw Self.unsupported(predicate)
            }
            return try negation(of: subpredicate)
        case .compound, .block, .unknown:
            throw Self.unsupported(predicate)
        }
    }

    private static func unsupported(_ predicate: NSPredicate) -> CKError {
        CKError(
            .invalidArguments,
            "CKQuery does not allow this predicate: "
                + predicate._structuralFormat)
    }

    private func negation(of predicate: NSPredicate) throws -> [FilterDictionary]? {
        guard let filters = try filters(of: predicate) else { return [] }
        if filters.isEmpty { return nil }
        guard filters.count == 1, var filter = filters.first,
            let comparator = filter.comparator.negation
        else { throw Self.unsupported(predicate) }
        filter.comparator = comparator
        return [filter]
    }

    // MARK: - Comparisons

    private func comparisonFilters(_ comparison: NSComparisonPredicate) throws -> [FilterDictionary]
    {
        guard comparison.options.isEmpty, comparison.comparisonPredicateModifier != .all else {
            throw Self.unsupported(comparison)
        }
        let left = comparison.leftExpression
        let right = comparison.rightExpression
        if let filter = try nearFilter(of: comparison) { return [filter] }
        if left.expressionType == .evaluatedObject, let words = try value(of: right) as? String {
            guard comparison.predicateOperatorType == .contains else {
                throw Self.unsupported(comparison)
            }
            let value = RecordFieldDictionary(.string(words))
            return [FilterDictionary(comparator: .containsAnyTokens, fieldValue: value)]
        }
        if let key = Self.key(of: left) {
            return try comparisonFilters(comparison, key: key, value: try value(of: right))
        }
        guard let key = Self.key(of: right) else { throw Self.unsupported(comparison) }
        let value = try value(of: left)
        if comparison.predicateOperatorType == .in {
            return [try filter(.listContains, key, value)]
        }
        guard let comparator = Self.plainComparator(comparison.predicateOperatorType) else {
            throw Self.unsupported(comparison)
        }
        return [try filter(comparator.mirrored, key, value)]
    }

    /// The filters of a comparison of a field with a value.
    private func comparisonFilters(
        _ comparison: NSComparisonPredicate, key: String, value: Any?
    ) throws -> [FilterDictionary] {
        let isAny = comparison.comparisonPredicateModifier == .any
        switch comparison.predicateOperatorType {
        case .equalTo where isAny, .contains:
            return [try filter(.listContains, key, value)]
        case .in where isAny:
            return [try filter(.listContainsAny, key, value)]
        case .beginsWith where isAny:
            return [try filter(.listMemberBeginsWith, key, value)]
        case _ where isAny:
            throw Self.unsupported(comparison)
        case .in:
            return [try filter(.in, key, value)]
        case .beginsWith:
            return [try filter(.beginsWith, key, value)]
        case .between:
            guard let bounds = value as? [Any], bounds.count == 2 else {
                throw Self.unsupported(comparison)
            }
            return [
                try filter(.greaterThanOrEquals, key, bounds[0]),
                try filter(.lessThanOrEquals, key, bounds[1]),
            ]
        case let type:
            guard let comparator = Self.plainComparator(type) else {
                throw Self.unsupported(comparison)
            }
            return [try filter(comparator, key, value)]
        }
    }

    /// The filter of `distanceToLocation:fromLocation:(key, place) < radius`.
    private func nearFilter(of comparison: NSComparisonPredicate) throws -> FilterDictionary? {
        let left = comparison.leftExpression
        guard left.expressionType == .function,
            left.function == "distanceToLocation:fromLocation:"
        else { return nil }
        guard let arguments = left.arguments, arguments.count == 2,
            let key = Self.key(of: arguments[0]),
            let place = try value(of: arguments[1]) as? CLLocation,
            let radius = try value(of: comparison.rightExpression) as? NSNumber,
            [.lessThan, .lessThanOrEqualTo].contains(comparison.predicateOperatorType)
        else { throw Self.unsupported(comparison) }
        return FilterDictionary(
            comparator: .near, fieldName: key,
            fieldValue: RecordFieldDictionary(.location(LocationDictionary(place))),
            distance: radius.doubleValue)
    }

    private static func plainComparator(
        _ type: NSComparisonPredicate.Operator
    ) -> FilterDictionary.Comparator? {
        switch type {
        case .equalTo: .equals
        case .notEqualTo: .notEquals
        case .lessThan: .lessThan
        case .lessThanOrEqualTo: .lessThanOrEquals
        case .greaterThan: .greaterThan
        case .greaterThanOrEqualTo: .greaterThanOrEquals
        default: nil
        }
    }

    // MARK: - Operands

    /// The field that an expression names, if any.
    private static func key(of expression: NSExpression) -> String? {
        guard expression.expressionType == .keyPath else { return nil }
        let key = expression.keyPath
        return key.contains(".") ? nil : key
    }

    /// The constant value of an expression.
    private func value(of expression: NSExpression) throws -> Any? {
        switch expression.expressionType {
        case .constantValue:
            return expression.constantValue
        case .aggregate:
            let elements = expression.collection as? [NSExpression] ?? []
            return try elements.map { try value(of: $0) ?? NSNull() }
        case .function where expression.function == "now":
            return Date()
        case .function where (expression.arguments ?? []).allSatisfy { $0.isConstant }:
            return expression.expressionValue(with: nil, context: nil)
        default:
            throw CKError(
                .invalidArguments,
                "CKQuery compares fields with constants only, not with "
                    + expression.description)
        }
    }

    private func filter(
        _ comparator: FilterDictionary.Comparator, _ key: String, _ value: Any?
    ) throws -> FilterDictionary {
        guard let systemField = SystemField(key: key) else {
            return FilterDictionary(
                comparator: comparator, fieldName: key,
                fieldValue: RecordFieldDictionary(try fieldValue(value)))
        }
        return FilterDictionary(
            comparator: comparator, systemFieldName: systemField.wireName,
            fieldValue: RecordFieldDictionary(try fieldValue(value)))
    }

    /// A constant in the form in which it is sent. A record or its ID becomes a reference.
    private func fieldValue(_ value: Any?) throws -> FieldValue {
        switch value {
        case let record as CKRecord:
            return .reference(ReferenceDictionary(recordName: record.recordID.recordName))
        case let recordID as CKRecord.ID:
            return .reference(ReferenceDictionary(recordName: recordID.recordName))
        case let reference as CKRecord.Reference:
            return .reference(
                ReferenceDictionary(recordName: reference.recordID.recordName))
        case let values as [Any]:
            return .list(try values.map(fieldValue))
        case let values as NSSet:
            return .list(try values.allObjects.map(fieldValue))
        case .some(let value):
            guard let stored = RecordValue(untyped: value) else { break }
            var noUploads: ArraySlice<AssetDictionary> = []
            return stored.fieldValue(uploads: &noUploads)
        case nil:
            break
        }
        throw CKError(
            .invalidArguments,
            "CKQuery does not allow a value of the type \(type(of: value)) in a predicate")
    }
}

extension NSExpression {
    fileprivate var isConstant: Bool { expressionType == .constantValue }
}

extension FilterDictionary.Comparator {
    /// The negated comparison.
    var negation: Self? {
        switch self {
        case .equals: .notEquals
        case .notEquals: .equals
        case .lessThan: .greaterThanOrEquals
        case .lessThanOrEquals: .greaterThan
        case .greaterThan: .lessThanOrEquals
        case .greaterThanOrEquals: .lessThan
        case .in: .notIn
        case .notIn: .in
        case .listContains: .notListContains
        case .notListContains: .listContains
        case .listContainsAny: .notListContainsAny
        case .notListContainsAny: .listContainsAny
        case .listContainsAll: .notListContainsAll
        case .notListContainsAll: .listContainsAll
        case .beginsWith: .notBeginsWith
        case .notBeginsWith: .beginsWith
        case .listMemberBeginsWith: .notListMemberBeginsWith
        case .notListMemberBeginsWith: .listMemberBeginsWith
        case .near, .containsAllTokens, .containsAnyTokens: nil
        }
    }

    /// The comparison with exchanged operands.
    fileprivate var mirrored: Self {
        switch self {
        case .lessThan: .greaterThan
        case .lessThanOrEquals: .greaterThanOrEquals
        case .greaterThan: .lessThan
        case .greaterThanOrEquals: .lessThanOrEquals
        default: self
        }
    }
}
