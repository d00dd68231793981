import Synchronization

/// Parse trees by format string, so that a format in a loop is parsed once.
final class PredicateSyntaxCache: Sendable {
    static let shared = PredicateSyntaxCache()

    /// Apps have few formats, but some build them by interpolation; these must not pile up.
    private static let capacity = 512

    private let predicates = Mutex<[String: PredicateSyntax]>([:])

    /// The tree of a predicate format, parsed now or earlier.
    func predicate(_ format: String) throws(PredicateFormatError) -> PredicateSyntax {
        if let known = predicates.withLock({ $0[format] }) { return known }
        let syntax = try PredicateParser.predicate(format)
        predicates.withLock { cache in
            if cache.count >= Self.capacity { cache.removeAll() }
            cache[format] = syntax
        }
        return syntax
    }
}
