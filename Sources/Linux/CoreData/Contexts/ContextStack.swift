import FoundationGaps

/// The contexts whose blocks are running on the present thread, the innermost last.
enum ContextStack {
    private static let key = "CoreData.ContextStack"

    private final class Entries {
        var contexts: [NSManagedObjectContext] = []
    }

    /// The innermost context.
    static var current: NSManagedObjectContext? { entries?.contexts.last }

    static func contains(_ context: NSManagedObjectContext) -> Bool {
        entries?.contexts.contains { $0 === context } ?? false
    }

    /// Runs a block as one of a context's.
    static func with<T>(_ context: NSManagedObjectContext, _ block: () throws -> T) rethrows -> T {
        let entries = entries ?? makeEntries()
        entries.contexts.append(context)
        defer { entries.contexts.removeLast() }
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
