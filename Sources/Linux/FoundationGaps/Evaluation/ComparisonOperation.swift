/// An operator with its options, ready to compare values.
///
/// A comparison has two steps, so that the work for a constant right-hand side (folding, a regular
/// expression, the members of a list) is done once instead of once for each object.
struct ComparisonOperation {
    let type: NSComparisonPredicate.Operator
    let options: NSComparisonPredicate.Options

    /// The right-hand side in the form that the operator needs.
    enum Operand {
        case value(PredicateValue)
        case pattern(LikePattern)
        case regularExpression(NSRegularExpression)
        case range(PredicateValue, PredicateValue)
        case members(Set<PredicateValue>)
        /// Nothing can match, for example because a pattern is nil.
        case unmatchable
    }

    func prepare(_ value: Any?) -> Operand {
        switch type {
        case .like:
            guard case .string(let pattern) = folded(PredicateValue(value)) else {
                return .unmatchable
            }
            return .pattern(LikePattern(pattern))
        case .matches: return regularExpression(PredicateValue(value))
        case .between: return range(value)
        case .in: return members(value)
        case .customSelector:
            _raise(invalidArgumentException, "There are no selectors to compare with on Linux")
        default: return .value(folded(PredicateValue(value)))
        }
    }

    func compare(_ left: Any?, with operand: Operand) -> Bool {
        let left = PredicateValue(left)
        switch operand {
        case .unmatchable:
            return false
        case .value(let right):
            return compare(left, right)
        case .pattern(let pattern):
            guard case .string(let text) = folded(left) else { return false }
            return pattern.matches(text)
        case .regularExpression(let expression):
            guard case .string(let text) = foldedDiacritics(left) else { return false }
            let range = NSRange(location: 0, length: text.utf16.count)
            return expression.firstMatch(in: text, options: .anchored, range: range) != nil
        case .range(let lower, let upper):
            let left = folded(left)
            guard let low = left.ordering(to: lower), let high = left.ordering(to: upper) else {
                return false
            }
            return low != .orderedAscending && high != .orderedDescending
        case .members(let members):
            return members.contains(folded(left))
        }
    }

    private func compare(_ left: PredicateValue, _ right: PredicateValue) -> Bool {
        switch type {
        case .contains, .in:
            return contains(type == .in ? right : left, type == .in ? left : right)
        case .beginsWith:
            return texts(left, right).map(LiteralSearch.text(_:hasPrefix:)) ?? false
        case .endsWith:
            return texts(left, right).map(LiteralSearch.text(_:hasSuffix:)) ?? false
        case .equalTo:
            return folded(left) == right
        case .notEqualTo:
            return folded(left) != right
        default:
            guard let order = folded(left).ordering(to: right) else { return false }
            switch type {
            case .lessThan: return order == .orderedAscending
            case .lessThanOrEqualTo: return order != .orderedDescending
            case .greaterThan: return order == .orderedDescending
            case .greaterThanOrEqualTo: return order != .orderedAscending
            default: return false
            }
        }
    }

    private func texts(_ left: PredicateValue, _ right: PredicateValue) -> (String, String)? {
        guard case .string(let left) = folded(left), case .string(let right) = right else {
            return nil
        }
        return (left, right)
    }

    /// Membership in a collection, or a substring of a string. `right` is already folded for
    /// CONTAINS.
    private func contains(_ whole: PredicateValue, _ part: PredicateValue) -> Bool {
        let part = folded(part)
        switch (folded(whole), part) {
        case (.collection(let elements, _), _):
            return elements.contains { folded(PredicateValue($0)) == part }
        case (.string(let text), .string(let part)):
            return LiteralSearch.text(text, contains: part)
        default:
            return false
        }
    }
}

// MARK: - Preparing the right-hand side

extension ComparisonOperation {
    private func folded(_ value: PredicateValue) -> PredicateValue {
        guard !options.isEmpty, case .string(let text) = value else { return value }
        return .string(text._folded(for: options))
    }

    /// A regular expression handles case itself, but cannot ignore diacritics.
    private func foldedDiacritics(_ value: PredicateValue) -> PredicateValue {
        guard options.contains(.diacriticInsensitive), case .string(let text) = value else {
            return value
        }
        return .string(text._folded(for: .diacriticInsensitive))
    }

    private func regularExpression(_ value: PredicateValue) -> Operand {
        guard case .string(let pattern) = foldedDiacritics(value) else { return .unmatchable }
        do {
            return .regularExpression(
                try NSRegularExpression(
                    pattern: "(?:\(pattern))\\z",
                    options: options.contains(.caseInsensitive) ? .caseInsensitive : []))
        } catch {
            _raise(
                invalidArgumentException,
                "Can't do regex matching, reason: (Can't open pattern U_REGEX_RULE_SYNTAX "
                    + "(string \(value), pattern \(pattern)))")
        }
    }

    private func range(_ value: Any?) -> Operand {
        guard let bounds = elements(of: value), bounds.count == 2 else {
            _raise(
                invalidArgumentException,
                "The right hand side for a BETWEEN operator must be an array of two values")
        }
        return .range(folded(PredicateValue(bounds[0])), folded(PredicateValue(bounds[1])))
    }

    private func members(_ value: Any?) -> Operand {
        if let members = elements(of: value) {
            return .members(Set(members.map { folded(PredicateValue($0)) }))
        }
        guard case .string(let text) = folded(PredicateValue(value)) else { return .unmatchable }
        return .value(.string(text))
    }
}
