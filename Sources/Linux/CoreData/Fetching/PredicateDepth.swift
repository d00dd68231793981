import FoundationGaps

extension NSPredicate {
    /// So deep a predicate may be nested in a fetch; the same as an expression of SQLite.
    ///
    /// What goes over a predicate does so step by step into its parts, and each step takes memory of the
    /// thread's stack.
    static let depthLimit = 1000

    /// Whether the predicate is nested deeper than a number of levels; found without going into them
    /// step by step.
    final func isNested(deeperThan limit: Int) -> Bool {
        var predicates: [NSPredicate] = [self]
        var expressions: [NSExpression] = []
        for _ in 0...limit {
            var deeper: [NSPredicate] = []
            var operands: [NSExpression] = []
            for predicate in predicates {
                if let compound = predicate as? NSCompoundPredicate {
                    deeper += compound.subpredicates
                } else if let comparison = predicate as? NSComparisonPredicate {
                    operands += [comparison.leftExpression, comparison.rightExpression]
                }
            }
            for expression in expressions where expression.expressionType == .function {
                operands += expression.arguments ?? []
            }
            if deeper.isEmpty, operands.isEmpty { return false }
            (predicates, expressions) = (deeper, operands)
        }
        return true
    }
}

extension NSFetchRequest {
    /// Fails if the predicate is nested too deep to be gone over.
    ///
    /// - Throws: `CocoaError.coreData` (134060).
    final func requireShallowPredicate() throws {
        guard let predicate, predicate.isNested(deeperThan: NSPredicate.depthLimit) else { return }
        let reason =
            "The predicate is nested deeper than \(NSPredicate.depthLimit) levels."
        throw CocoaError(
            .coreData, userInfo: ["reason": reason, NSLocalizedFailureReasonErrorKey: reason])
    }
}
