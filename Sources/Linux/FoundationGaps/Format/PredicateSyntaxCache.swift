/// Parse trees by format string, so that a format in a loop is parsed only once.
///
/// Unchecked because the lock guards the only mutable property. It is an `NSLock`, because the
/// thread sanitizer does not see the synchronization of a `Mutex` on Linux.
final class PredicateSyntaxCache: @unchecked Sendable {
    static let shared = PredicateSyntaxCache()

    /// Most apps have few formats, but some create them by interpolation; these must not
    /// accumulate.
    private static let capacity = 512

    private let lock = NSLock()
    private var predicates: [String: PredicateSyntax] = [:]

    /// The tree of a predicate format, from the cache if possible.
    func predicate(_ format: String) throws(PredicateFormatError) -> PredicateSyntax {
        if let known = lock.withLock({ predicates[format] }) { return known }
        let syntax = try PredicateParser.predicate(format)
        lock.withLock {
            if predicates.count >= Self.capacity { predicates.removeAll() }
            predicates[format] = syntax
        }
        return syntax
    }
}
