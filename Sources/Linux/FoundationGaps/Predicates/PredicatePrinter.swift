/// Prints predicates and expressions as formats that can be parsed to the same tree.
///
/// Blocks, objects and unknown classes have no format; they are printed as their descriptions.
enum PredicatePrinter {
    static func text(of predicate: NSPredicate) -> String {
        switch _PredicateNode(predicate) {
        case .constant(let value):
            return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison):
            return text(of: comparison)
        case .compound(let type, let subpredicates):
            return text(of: type, subpredicates)
        case .block:
            return "BLOCKPREDICATE(\(ObjectIdentifier(predicate).hashValue))"
        case .unknown(let predicate):
            return predicate.description
        }
    }

    private static func text(of comparison: NSComparisonPredicate) -> String {
        let modifier =
            switch comparison.comparisonPredicateModifier {
            case .direct: ""
            case .any: "ANY "
            case .all: "ALL "
            }
        let left = text(of: comparison.leftExpression)
        let right = text(of: comparison.rightExpression)
        let sign = text(of: comparison.predicateOperatorType) + text(of: comparison.options)
        return "\(modifier)\(left) \(sign) \(right)"
    }

    private static func text(
        of type: NSCompoundPredicate.LogicalType, _ subpredicates: [NSPredicate]
    ) -> String {
        switch (type, subpredicates.count) {
        case (.not, _):
            return "NOT " + enclosed(subpredicates[0])
        case (.and, 0):
            return "TRUEPREDICATE"
        case (.or, 0):
            return "FALSEPREDICATE"
        case (_, 1):
            return text(of: subpredicates[0])
        default:
            return subpredicates.map(enclosed).joined(separator: type == .and ? " AND " : " OR ")
        }
    }

    private static func enclosed(_ predicate: NSPredicate) -> String {
        guard case .compound(let type, let subpredicates) = _PredicateNode(predicate),
            type == .not || subpredicates.count > 1
        else { return text(of: predicate) }
        return "(\(text(of: predicate)))"
    }

    private static func text(of type: NSComparisonPredicate.Operator) -> String {
        switch type {
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        case .equalTo: "=="
        case .notEqualTo: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .in: "IN"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        case .customSelector: "CUSTOMSELECTOR"
        }
    }

    private static func text(of options: NSComparisonPredicate.Options) -> String {
        let letters: [(NSComparisonPredicate.Options, String)] = [
            (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"),
            (._localeSensitive, "l"),
        ]
        let text = letters.filter { options.contains($0.0) }.map(\.1).joined()
        return text.isEmpty ? "" : "[\(text)]"
    }
}
