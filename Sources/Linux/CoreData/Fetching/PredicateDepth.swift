import FoundationGaps

extension NSPredicate {
    /// The maximum nesting depth of a predicate in a fetch; the same as for an expression in
    /// SQLite.
    ///
    /// Code that traverses a predicate is recursive, and each level takes memory of the thread's
    /// stack.
    static let depthLimit = 1000

    /// Whether the predicate is nested deeper than a number of levels, determined without
    /// recursion.
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
    /// Fails if the predicate is nested too deeply to be traversed.
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
