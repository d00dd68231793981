import CoreData

/// The contexts that follow the store by themselves: those seen in requests, weakly.
final class ContextRegistry: @unchecked Sendable {
    // Unchecked because the lock guards all state; the contexts are only used on their queues.

    /// A context that follows the store.
    struct Follower: @unchecked Sendable {
        // Unchecked because contexts are not Sendable on all systems; used only on its queue.

        let context: NSManagedObjectContext
        /// Whether the application asked for it by name.
        let isNamed: Bool
    }

    private struct WeakContext {
        weak var context: NSManagedObjectContext?
        let isNamed: Bool
    }

    private let lock = NSLock()
    private var contexts: [ObjectIdentifier: WeakContext] = [:]

    /// Notes a root context that sent a request.
    func note(_ context: NSManagedObjectContext) {
        let key = ObjectIdentifier(context)
        lock.locked {
            // A dead context's address may be another's now.
            if contexts[key]?.context !== context {
                contexts[key] = WeakContext(context: context, isNamed: false)
            }
        }
    }

    /// Notes a context that the application wants to be merged into in any case.
    func name(_ context: NSManagedObjectContext) {
        lock.locked {
            contexts[ObjectIdentifier(context)] = WeakContext(context: context, isNamed: true)
        }
    }

    /// The contexts to merge the server's changes into, if they still are.
    var candidates: [Follower] {
        lock.locked {
            contexts = contexts.filter { $0.value.context != nil }
            return contexts.values.compactMap { entry in
                entry.context.map { Follower(context: $0, isNamed: entry.isNamed) }
            }
        }
    }
}
