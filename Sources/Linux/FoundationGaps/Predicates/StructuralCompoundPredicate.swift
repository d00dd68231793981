/// The compound predicate that formats produce.
///
/// Foundation's own class considers all compounds equal, and copies and prints each as the same
/// constant. This one compares, copies and prints its actual parts.
final class StructuralCompoundPredicate: NSCompoundPredicate {
    override func evaluate(
        with object: Any?, substitutionVariables bindings: [String: Any]?
    ) -> Bool {
        holds(in: EvaluationScope(object: object, variables: bindings))
    }

    /// Whether the predicate holds in a scope.
    func holds(in scope: EvaluationScope) -> Bool {
        switch compoundPredicateType {
        case .and: subpredicates.allSatisfy { $0.evaluate(in: scope) }
        case .or: subpredicates.contains { $0.evaluate(in: scope) }
        case .not: !subpredicates[0].evaluate(in: scope)
        }
    }

    override func copy(with zone: NSZone? = nil) -> Any {
        StructuralCompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
    }

    override func copy() -> Any { copy(with: nil) }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return StructuralComparison.areEqual(self, other)
    }

    override var hash: Int { _structuralHash }

    override var predicateFormat: String { _structuralFormat }

    override var description: String { _structuralFormat }
}

extension NSPredicate {
    /// Whether the predicate is true in a scope. This module's classes are evaluated directly,
    /// without bindings.
    final func evaluate(in scope: EvaluationScope) -> Bool {
        if type(of: self) == NSComparisonPredicate.self,
            let comparison = self as? NSComparisonPredicate
        {
            return comparison.holds(in: scope)
        }
        if let compound = self as? StructuralCompoundPredicate { return compound.holds(in: scope) }
        return evaluate(with: scope.object, substitutionVariables: scope.variables)
    }
}
