import CloudKitService

extension QueryDictionary {
    /// The query for a request.
    ///
    /// - Throws: `invalidArguments` for a predicate or an order that CloudKit does not support, and
    ///   for a predicate that nothing can match.
    init(
        recordType: CKRecord.RecordType, predicate: NSPredicate,
        sortDescriptors: [NSSortDescriptor]? = nil
    ) throws {
        guard let filters = try PredicateCompiler().filters(of: predicate) else {
            throw CKError(.invalidArguments, "Nothing can match \(predicate._structuralFormat)")
        }
        self.init(
            recordType: recordType, filterBy: filters.isEmpty ? nil : filters,
            sortBy: try sortDescriptors?.map(SortDictionary.init))
    }

    /// The order as sort descriptors.
    var sortDescriptors: [NSSortDescriptor]? {
        sortBy?.map { sort in
            let key = SystemField.key(fieldName: sort.fieldName, wireName: sort.systemFieldName)
            if let place = sort.relativeLocation {
                return CKLocationSortDescriptor(key: key, relativeLocation: CLLocation(place))
            }
            return NSSortDescriptor(key: key, ascending: sort.ascending ?? true)
        }
    }

    /// The filters as a predicate.
    func predicate(scope: CKDatabase.Scope) -> NSPredicate {
        let filters = (filterBy ?? []).map { $0.predicate(scope: scope) }
        switch filters.count {
        case 0: return NSPredicate(value: true)
        case 1: return filters[0]
        default:
            return NSCompoundPredicate(andPredicateWithSubpredicates: filters)._structuralCopy()
        }
    }
}

extension SortDictionary {
    init(_ descriptor: NSSortDescriptor) throws {
        if let descriptor = descriptor as? CKLocationSortDescriptor {
            self.init(
                fieldName: descriptor.locationKey, ascending: true,
                relativeLocation: LocationDictionary(descriptor.relativeLocation))
            return
        }
        guard let key = descriptor.key, !key.contains(".") else {
            throw CKError(.invalidArguments, "CKQuery sorts by fields only")
        }
        if let field = SystemField(key: key) {
            self.init(systemFieldName: field.wireName, ascending: descriptor.ascending)
        } else {
            self.init(fieldName: key, ascending: descriptor.ascending)
        }
    }
}

extension SystemField {
    /// The key of a field in a predicate.
    static func key(fieldName: String?, wireName: String?) -> String {
        wireName.map { SystemField(wireName: $0)?.rawValue ?? $0 } ?? fieldName ?? ""
    }
}

extension FilterDictionary {
    /// The filter as a predicate that can be converted back to it.
    fileprivate func predicate(scope: CKDatabase.Scope) -> NSPredicate {
        let key = NSExpression(
            forKeyPath: SystemField.key(fieldName: fieldName, wireName: systemFieldName))
        let value = NSExpression(forConstantValue: constant(scope: scope))
        func comparison(
            _ type: NSComparisonPredicate.Operator,
            _ modifier: NSComparisonPredicate.Modifier = .direct, left: NSExpression = key
        ) -> NSPredicate {
            NSComparisonPredicate(
                leftExpression: left, rightExpression: value, modifier: modifier, type: type)
        }
        switch comparator {
        case .equals: return comparison(.equalTo)
        case .notEquals: return comparison(.notEqualTo)
        case .lessThan: return comparison(.lessThan)
        case .lessThanOrEquals: return comparison(.lessThanOrEqualTo)
        case .greaterThan: return comparison(.greaterThan)
        case .greaterThanOrEquals: return comparison(.greaterThanOrEqualTo)
        case .in: return comparison(.in)
        case .beginsWith: return comparison(.beginsWith)
        case .listContains, .listContainsAll: return comparison(.contains)
        case .listContainsAny: return comparison(.in, .any)
        case .listMemberBeginsWith: return comparison(.beginsWith, .any)
        case .containsAllTokens, .containsAnyTokens:
            return comparison(.contains, left: .expressionForEvaluatedObject())
        case .near:
            let function = NSExpression(
                forFunction: "distanceToLocation:fromLocation:", arguments: [key, value])
            return NSComparisonPredicate(
                leftExpression: function,
                rightExpression: NSExpression(forConstantValue: distance ?? 0),
                modifier: .direct, type: .lessThan)
        case .notIn, .notListContains, .notListContainsAny, .notListContainsAll, .notBeginsWith,
            .notListMemberBeginsWith:
            var positive = self
            positive.comparator = comparator.negation ?? .equals
            return NSCompoundPredicate(
                notPredicateWithSubpredicate: positive.predicate(scope: scope)
            )
            ._structuralCopy()
        }
    }

    /// The value in the form used in predicates.
    private func constant(scope: CKDatabase.Scope) -> Any? {
        guard let value = fieldValue?.value else { return nil }
        var noFiles: ArraySlice<URL> = []
        let stored = RecordValue(value, scope: scope, zoneID: .default, files: &noFiles)
        if case .list(let elements) = stored { return elements.map(\.swiftValue) as [Any] }
        return stored.swiftValue
    }
}
