import CoreData

/// Joining conditions on the members of the same relationship.
///
/// Each subselect has cursors, which SQLite keeps in a list and searches whenever it opens one: many
/// subselects in a statement take quadratic time. But `ANY books.pages > 9 OR ANY books.name == "a"` asks
/// for one book for which either holds, and that is one subselect.
extension QueryCompiler {
    // What Apple's frameworks do here is an assumption: FG-4.

    /// A condition on a member that a key path leads to.
    private struct MemberCondition {
        /// The keys that lead to the member.
        var keys: ArraySlice<String>
        /// The whole path, for messages.
        let path: String
        let condition: (QueryOperand) throws -> SQL
    }

    /// The condition that one of several predicates holds.
    func disjunction(_ predicates: [NSPredicate]) throws -> SQL {
        if predicates.isEmpty { return .zero }
        var conditions: [SQL] = []
        var existing: [MemberCondition] = []
        for predicate in Self.flattened(predicates, .or) {
            if let condition = existence(predicate) {
                existing.append(condition)
            } else {
                conditions.append(try condition(predicate))
            }
        }
        return Self.any(try conditions + exists(existing, from: source))
    }

    /// The condition that all of several predicates hold.
    func conjunction(_ predicates: [NSPredicate]) throws -> SQL {
        if predicates.isEmpty { return .one }
        var conditions: [SQL] = []
        var absent: [MemberCondition] = []
        for predicate in Self.flattened(predicates, .and) {
            if let condition = absence(predicate) {
                absent.append(condition)
            } else {
                conditions.append(try condition(predicate))
            }
        }
        return Self.all(try conditions + exists(absent, from: source).map { "NOT \($0)" })
    }

    /// Whether a predicate of a conjunction is best compiled together with others of its kind.
    func excludesMembers(_ predicate: NSPredicate) -> Bool { absence(predicate) != nil }

    /// The parts of nested compounds of one type.
    private static func flattened(
        _ predicates: [NSPredicate], _ type: NSCompoundPredicate.LogicalType
    ) -> [NSPredicate] {
        var parts: [NSPredicate] = []
        var rest = Array(predicates.reversed())
        while let predicate = rest.popLast() {
            if let compound = predicate as? NSCompoundPredicate,
                compound.compoundPredicateType == type,
                case let inner = subpredicates(of: compound), !inner.isEmpty
            {
                rest += inner.reversed()
            } else {
                parts.append(predicate)
            }
        }
        return parts
    }

    // MARK: - Kinds of predicates

    /// The condition on a member, for a predicate that holds if there is such a member.
    private func existence(_ predicate: NSPredicate) -> MemberCondition? {
        guard let comparison = predicate as? NSComparisonPredicate else { return nil }
        let (type, options) = (comparison.predicateOperatorType, comparison.options)
        if let keys = keysToMember(comparison.leftExpression) {
            let isDirect = comparison.comparisonPredicateModifier == .direct
            guard comparison.comparisonPredicateModifier == .any || isDirect else { return nil }
            // Without ANY, a comparison with the relationship itself may ask whether it is empty.
            if isDirect, type != .contains, !leadsToAttribute(keys) { return nil }
            guard keysToMember(comparison.rightExpression) == nil else { return nil }
            return MemberCondition(keys: keys, path: comparison.leftExpression.keyPath) { member in
                let value = try operand(comparison.rightExpression)
                if isDirect, type == .contains, case .object = member {
                    return try condition(member, .equalTo, value, options)
                }
                return try condition(member, type, value, options)
            }
        }
        guard comparison.comparisonPredicateModifier == .direct, type != .between,
            let keys = keysToMember(comparison.rightExpression)
        else { return nil }
        return MemberCondition(keys: keys, path: comparison.rightExpression.keyPath) { member in
            try condition(
                try operand(comparison.leftExpression), type == .in ? .equalTo : type, member,
                options)
        }
    }

    /// The condition on a member, for a predicate that holds if there is no such member.
    private func absence(_ predicate: NSPredicate) -> MemberCondition? {
        if let compound = predicate as? NSCompoundPredicate {
            let negated = Self.subpredicates(of: compound)
            guard compound.compoundPredicateType == .not, negated.count == 1 else { return nil }
            return existence(negated[0])
        }
        guard let comparison = predicate as? NSComparisonPredicate,
            comparison.comparisonPredicateModifier == .all,
            let keys = keysToMember(comparison.leftExpression)
        else { return nil }
        return MemberCondition(keys: keys, path: comparison.leftExpression.keyPath) { member in
            let condition = try condition(
                member, comparison.predicateOperatorType,
                try operand(comparison.rightExpression), comparison.options)
            return "NOT \(condition)"
        }
    }

    /// The keys of a path through a to-many relationship; nil for other expressions.
    private func keysToMember(_ expression: NSExpression) -> ArraySlice<String>? {
        guard expression.expressionType == .keyPath else { return nil }
        let keys = expression.keyPath.components(separatedBy: ".")
        guard !keys.contains(where: { $0.hasPrefix("@") }),
            keys.count > 1 || namedColumns[keys[0]] == nil,
            lengthToMember(keys[...], from: source.entity) != nil
        else { return nil }
        return keys[...]
    }

    /// The number of keys up to the first to-many relationship; nil if there is none.
    private func lengthToMember(_ keys: ArraySlice<String>, from entity: EntitySchema) -> Int? {
        var entity = entity
        for (index, key) in keys.enumerated() {
            if entity.toMany(named: key) != nil { return index + 1 }
            guard let toOne = entity.toOne(named: key),
                let destination = schema.entity(named: toOne.destinationName)
            else { return nil }
            entity = destination
        }
        return nil
    }

    private func leadsToAttribute(_ keys: ArraySlice<String>) -> Bool {
        var entity = source.entity
        for key in keys.dropLast() {
            let name =
                entity.toOne(named: key)?.destinationName
                ?? entity.toMany(named: key)?.destinationName
            guard let destination = schema.entity(named: name) else { return false }
            entity = destination
        }
        return keys.last.flatMap { entity.attribute(named: $0) } != nil
    }

    // MARK: - Subselects

    /// Whether there are members that meet one of the conditions: one subselect for each relationship.
    private func exists(
        _ conditions: [MemberCondition], from source: RowSource
    ) throws -> [SQL] {
        var order: [ArraySlice<String>] = []
        var groups: [ArraySlice<String>: [MemberCondition]] = [:]
        var result: [SQL] = []
        for condition in conditions {
            guard let length = lengthToMember(condition.keys, from: source.entity) else {
                let value = try operand(
                    condition.keys, from: .object(source), path: condition.path)
                result.append(try condition.condition(try Self.single(value)))
                continue
            }
            let relationship = condition.keys.prefix(length)
            var rest = condition
            rest.keys = condition.keys.dropFirst(length)
            if groups[relationship] == nil { order.append(relationship) }
            groups[relationship, default: []].append(rest)
        }
        for relationship in order {
            guard let group = groups[relationship],
                case .members(let select, .object(let member)) = try operand(
                    relationship, from: .object(source), path: group[0].path)
            else { continue }
            result.append(select.exists(where: Self.any(try exists(group, from: member))))
        }
        return result
    }
}
