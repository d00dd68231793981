import CoreData

/// Compares strings for SQL with comparison predicates, which it caches.
///
/// A statement usually uses one pattern for all its rows, so the last predicate is checked first.
final class TextMatcher {
    // What Apple's frameworks do here is an assumption: FG-2.

    private struct Key: Hashable {
        let type: Int64
        let options: Int64
        let pattern: SQLiteValue
    }

    /// The predicates; nil for a pattern that is none.
    private var predicates: [Key: NSComparisonPredicate?] = [:]
    private var last: (key: Key, predicate: NSComparisonPredicate?)?

    /// Whether a comparison holds; nil if the pattern is none. A comparison predicate would raise an exception.
    ///
    /// - Parameter arguments: The text, the operator's and the options' raw values, the pattern.
    func matches(_ arguments: [SQLiteValue]) -> Bool? {
        guard arguments.count == 4, let type = arguments[1].integer,
            let options = arguments[2].integer
        else { return false }
        let key = Key(type: type, options: options, pattern: arguments[3])
        return predicate(key)?.evaluate(with: arguments[0].text)
    }

    /// Whether a text is a pattern for MATCHES, with and without its diacritics. The empty pattern is one.
    static func isPattern(_ text: String) -> Bool {
        let folded = text.folding(options: .diacriticInsensitive, locale: nil)
        return [text, folded].allSatisfy {
            $0.isEmpty || (try? NSRegularExpression(pattern: $0)) != nil
        }
    }

    private func predicate(_ key: Key) -> NSComparisonPredicate? {
        if let last, last.key == key { return last.predicate }
        let predicate = predicates[key] ?? Self.makePredicate(key)
        // A pattern from a column may differ for each row.
        if predicates.count >= 64 { predicates.removeAll() }
        predicates[key] = .some(predicate)
        last = (key, predicate)
        return predicate
    }

    private static func makePredicate(_ key: Key) -> NSComparisonPredicate? {
        guard let type = NSComparisonPredicate.Operator(rawValue: UInt(key.type)) else {
            return nil
        }
        let pattern = key.pattern.text
        if type == .matches, let pattern, !isPattern(pattern) { return nil }
        // The empty pattern matches the empty text only, but may raise an exception on Apple's systems.
        let isPlain = type == .matches && pattern?.isEmpty == true
        return NSComparisonPredicate(
            leftExpression: .expressionForEvaluatedObject(),
            rightExpression: NSExpression(forConstantValue: pattern), modifier: .direct,
            type: isPlain ? .equalTo : type,
            options: NSComparisonPredicate.Options(rawValue: UInt(key.options)))
    }
}
