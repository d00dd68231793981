import CoreData

/// Compiles predicates and expressions to SQL.
///
/// It traverses their trees through the public API of `NSPredicate` and `NSExpression`. Every
/// condition that it creates is two-valued like `NSPredicate` itself: 0 or 1, never NULL. NOT, OR
/// and comparisons with nil therefore mean the same in SQL and in memory.
struct QueryCompiler {
    // What Apple's frameworks do here is an assumption: CD-29.

    let schema: StoreSchema
    /// The object that `SELF` and key paths refer to.
    let source: RowSource
    /// The `pk` of an object of this store; nil for a temporary ID or another store's.
    let keyOf: (NSManagedObjectID) -> Int64?
    /// The values of a SUBQUERY's variables.
    var variables: [String: QueryOperand] = [:]
    /// The computed columns of a dictionary fetch, which its sort descriptors and its having
    /// predicate can refer to by name.
    var namedColumns: [String: QueryOperand] = [:]
    /// Whether `sum:` and other aggregate functions apply to the statement's rows or groups, as
    /// they do in the columns of a dictionary fetch.
    var aggregatesRows = false
    /// Whether integer sums are computed in two halves, which is slower and cannot overflow.
    var sumsInHalves = false

    // MARK: - Predicates

    /// Compiles a predicate to a condition.
    ///
    /// - Throws: ``Inexpressible`` if SQL cannot express a part of it.
    func condition(_ predicate: NSPredicate) throws -> SQL {
        if let comparison = predicate as? NSComparisonPredicate {
            return try condition(comparison)
        }
        if let compound = predicate as? NSCompoundPredicate {
            return try condition(compound)
        }
        if let constant = Self.constant(predicate) { return constant ? .one : .zero }
        throw Inexpressible("a predicate of class \(type(of: predicate))")
    }

    private func condition(_ compound: NSCompoundPredicate) throws -> SQL {
        let predicates = Self.subpredicates(of: compound)
        switch compound.compoundPredicateType {
        case .and: return try conjunction(predicates)
        case .or: return try disjunction(predicates)
        case .not: return "NOT \(Self.all(try predicates.map(condition)))"
        @unknown default: throw Inexpressible("a compound of an unknown kind")
        }
    }

    /// Splits a predicate into conditions that SQL can express, and predicates that must be
    /// evaluated in memory for the rows that SQL finds. The conjunction of both is the predicate.
    func split(_ predicate: NSPredicate) throws -> (conditions: [SQL], residual: [NSPredicate]) {
        if let compound = predicate as? NSCompoundPredicate,
            compound.compoundPredicateType == .and
        {
            var predicates = Self.subpredicates(of: compound)
            let excluding = predicates.filter(excludesMembers)
            var joined: [SQL] = []
            if excluding.count > 1, let condition = try expressible(excluding) {
                joined = [condition]
                predicates.removeAll(where: excludesMembers)
            }
            return try predicates.reduce(into: (joined, [])) { parts, part in
                let (conditions, residual) = try split(part)
                parts.0 += conditions
                parts.1 += residual
            }
        }
        do {
            return ([try condition(predicate)], [])
        } catch is Inexpressible {
            return ([], [predicate])
        }
    }

    /// The conjunction of predicates; nil if SQL cannot express one of them.
    private func expressible(_ predicates: [NSPredicate]) throws -> SQL? {
        do {
            return try conjunction(predicates)
        } catch is Inexpressible {
            return nil
        }
    }

    static func subpredicates(of compound: NSCompoundPredicate) -> [NSPredicate] {
        // Apple's property is an array of Any.
        let subpredicates: [Any] = compound.subpredicates
        return subpredicates.compactMap { $0 as? NSPredicate }
    }

    /// The value of TRUEPREDICATE and FALSEPREDICATE, whose classes have no public names.
    private static func constant(_ predicate: NSPredicate) -> Bool? {
        for value in [true, false] {
            let constant = NSPredicate(value: value)
            if type(of: predicate) == type(of: constant), predicate.isEqual(constant) {
                return value
            }
        }
        return nil
    }

    // MARK: - Joining conditions

    static func all(_ conditions: [SQL]) -> SQL {
        joined(conditions[...], by: " AND ")
    }

    static func any(_ conditions: [SQL]) -> SQL {
        joined(conditions[...], by: " OR ")
    }

    /// The maximum number of conditions in a chain. Each condition adds a level, and SQLite allows
    /// 1000. Longer lists become a balanced tree.
    private static let longestChain = 100

    private static func joined(_ conditions: ArraySlice<SQL>, by connective: String) -> SQL {
        if conditions.count == 1, let only = conditions.first { return only }
        guard conditions.count > longestChain else {
            return "(\(conditions.joined(separator: connective)))"
        }
        let middle = conditions.startIndex + conditions.count / 2
        let halves = [conditions[..<middle], conditions[middle...]]
        return "(\(halves.map { joined($0, by: connective) }.joined(separator: connective)))"
    }

    // MARK: - Scopes

    /// The layout of a relationship's destination.
    ///
    /// - Throws: ``Inexpressible`` if this store does not hold the entity.
    func entity(_ name: String) throws -> EntitySchema {
        guard let entity = schema.entity(named: name) else {
            throw Inexpressible("the entity \(name), which another store holds")
        }
        return entity
    }
}
