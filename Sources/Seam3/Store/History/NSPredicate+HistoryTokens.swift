import CoreData

extension NSPredicate {
    /// The predicate with the numbers of transactions in place of their tokens, which a predicate cannot order.
    ///
    /// - Parameter number: The number of a token's transaction.
    func comparingTokens(
        by number: (NSPersistentHistoryToken) throws -> Int64
    ) rethrows -> NSPredicate {
        switch self {
        case let compound as NSCompoundPredicate:
            return NSCompoundPredicate(
                type: compound.compoundPredicateType,
                subpredicates: try QueryCompiler.subpredicates(of: compound).map {
                    try $0.comparingTokens(by: number)
                })
        case let comparison as NSComparisonPredicate
        where comparison.predicateOperatorType != .customSelector:
            return NSComparisonPredicate(
                leftExpression: try comparison.leftExpression.numberOfToken(number),
                rightExpression: try comparison.rightExpression.numberOfToken(number),
                modifier: comparison.comparisonPredicateModifier,
                type: comparison.predicateOperatorType, options: comparison.options)
        default:
            return self
        }
    }
}

extension NSExpression {
    /// The number of a transaction in place of its token; any other expression as it is.
    fileprivate func numberOfToken(
        _ number: (NSPersistentHistoryToken) throws -> Int64
    ) rethrows -> NSExpression {
        switch expressionType {
        case .keyPath where keyPath == "token":
            return NSExpression(forKeyPath: "transactionNumber")
        case .keyPath where keyPath == "transaction.token":
            return NSExpression(forKeyPath: "transaction.transactionNumber")
        case .constantValue:
            guard let token = constantValue as? NSPersistentHistoryToken else { return self }
            return NSExpression(forConstantValue: NSNumber(value: try number(token)))
        default:
            return self
        }
    }
}
