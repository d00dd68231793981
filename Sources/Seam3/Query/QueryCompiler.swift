import CoreData

/// Writes predicates and expressions as SQL.
///
/// It walks their trees through the public API of `NSPredicate` and `NSExpression`. Every condition
/// it writes is two-valued like `NSPredicate` itself: 0 or 1, never NULL, so that NOT, OR and
/// comparisons with nil mean the same in SQL and in memory.
struct QueryCompiler {
    let schema: StoreSchema
    /// The object that `SELF` and key paths mean.
    let source: RowSource
    /// The `pk` of an object of this store; nil for a temporary ID or another store's.
    let keyOf: (NSManagedObjectID) -> Int64?
    /// What a SUBQUERY's variables stand for.
    var variables: [String: QueryOperand] = [:]
    /// The computed columns of a dictionary fetch, which its sort descriptors and its having
    /// predicate call by name.
    var namedColumns: [String: QueryOperand] = [:]
    /// Whether `sum:` and its like run over the statement's rows or groups, as they do in the
    /// columns of a dictionary fetch.
    var aggregatesRows = false
    /// Whether sums of integers are computed in two halves, which takes longer and cannot overflow.
    var sumsInHalves = false

    // MARK: - Predicates

    /// The condition that a predicate is.
    ///
    /// - Throws: ``Inexpressible`` if SQL cannot say a part of it.
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
        let conditions = try Self.subpredicates(of: compound).map(condition)
        switch compound.compoundPredicateType {
        case .and: return conditions.isEmpty ? .one : Self.all(conditions)
        case .or: return conditions.isEmpty ? .zero : Self.any(conditions)
        case .not: return "NOT \(Self.all(conditions))"
        @unknown default: throw Inexpressible("a compound of an unknown kind")
        }
    }

    /// Splits a predicate into the condition that SQL can say and the predicates that must be
    /// evaluated in memory over what SQL finds. Together, by AND, they are the predicate.
    func split(_ predicate: NSPredicate) throws -> (conditions: [SQL], residual: [NSPredicate]) {
        if let compound = predicate as? NSCompoundPredicate,
            compound.compoundPredicateType == .and
        {
            return try Self.subpredicates(of: compound).reduce(into: ([], [])) { parts, part in
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

    /// How many conditions are written one after the other. Each is one level deeper for SQLite, which
    /// has 1000; more of them are a balanced tree.
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
