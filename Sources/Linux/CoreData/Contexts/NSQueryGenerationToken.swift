import FoundationGaps

/// A state of the stores that a context can be pinned to.
///
/// No store here keeps old states, so pinning has no effect, as with Apple's stores other than the
/// SQLite one.
///
/// Unchecked because it has no state.
open class NSQueryGenerationToken: NSObject, NSCopying, @unchecked Sendable {
    /// The state of the stores when the context reads next.
    open class var current: NSQueryGenerationToken { shared }

    private static let shared = NSQueryGenerationToken()

    /// The token itself: it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSManagedObjectContext {
    /// The state that the context is pinned to; always nil.
    public var queryGenerationToken: NSQueryGenerationToken? { nil }

    /// Pins the context to a state of the stores. No store here can do that, so nothing happens.
    public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {}
}
