import FoundationGaps

/// The contexts whose blocks are running on the present thread, the innermost last.
enum ContextStack {
    private static let key = "CoreData.ContextStack"

    private final class Entries {
        var contexts: [NSManagedObjectContext] = []
        var isOnMainQueue = false
    }

    /// The innermost context.
    static var current: NSManagedObjectContext? { entries?.contexts.last }

    static func contains(_ context: NSManagedObjectContext) -> Bool {
        entries?.contexts.contains { $0 === context } ?? false
    }

    /// Runs a block as a block of a context.
    static func with<T>(_ context: NSManagedObjectContext, _ block: () throws -> T) rethrows -> T {
        let entries = entries ?? makeEntries()
        entries.contexts.append(context)
        defer { entries.contexts.removeLast() }
        return try block()
    }

    /// Whether the thread was on the main queue before it entered a context's queue.
    static var isOnMainQueue: Bool { entries?.isOnMainQueue ?? false }

    /// Runs a block of a context's queue for a thread that was on the main queue. The thread may
    /// use everything that the main queue guards as long as it waits here.
    static func onMainQueue<T>(_ block: () throws -> T) rethrows -> T {
        let entries = entries ?? makeEntries()
        let outer = entries.isOnMainQueue
        entries.isOnMainQueue = true
        defer { entries.isOnMainQueue = outer }
        return try block()
    }

    private static var entries: Entries? {
        Thread.current.threadDictionary[key] as? Entries
    }

    private static func makeEntries() -> Entries {
        let entries = Entries()
        Thread.current.threadDictionary[key] = entries
        return entries
    }
}
