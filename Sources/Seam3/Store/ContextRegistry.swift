import CoreData

/// The contexts that follow the store: weak references to those seen in requests, with the changes
/// that each has not merged yet.
final class ContextRegistry: @unchecked Sendable {
    // Unchecked because the lock guards all state; the contexts are only used on their queues.

    /// A context that is passed to its queue.
    struct Follower: @unchecked Sendable {
        // Unchecked because contexts are not Sendable on all systems; used only on its queue.

        weak var context: NSManagedObjectContext?
    }

    private struct Entry {
        weak var context: NSManagedObjectContext?
        /// Whether the app has registered the context.
        let isNamed: Bool
        /// The changes that its queue is about to merge.
        var awaited = PendingMerges()
    }

    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// How many objects a context merges at once. In between, its queue does what else is waiting.
    private let largestMerge: Int

    init(largestMerge: Int) {
        self.largestMerge = largestMerge
    }

    /// Notes a root context that sent a request.
    func note(_ context: NSManagedObjectContext) {
        let key = ObjectIdentifier(context)
        lock.locked {
            // A new context may have the address of a deallocated one.
            if entries[key]?.context !== context {
                entries[key] = Entry(context: context, isNamed: false)
            }
        }
    }

    /// Notes a context that the app has registered.
    func name(_ context: NSManagedObjectContext) {
        let key = ObjectIdentifier(context)
        lock.locked {
            var entry = Entry(context: context, isNamed: true)
            if let known = entries[key], known.context === context {
                entry.awaited = known.awaited
            }
            entries[key] = entry
        }
    }

    /// Merges changes into all contexts that follow the store. Each merges on its own queue, before
    /// any work that is added to the queue after this call.
    ///
    /// A few changes are added to the last merge that is pending. Pending merges do not retain the context.
    func merge(_ changes: ChangedObjectIDs) {
        for (follower, count) in followers(noting: changes) {
            for _ in 0..<count {
                follower.context?.perform { [self] in
                    guard let context = follower.context else { return }
                    mergeAwaited(into: context)
                }
            }
        }
    }

    /// Adds changes to the pending changes of each context.
    ///
    /// - Returns: How many more merges each context has to make.
    private func followers(noting changes: ChangedObjectIDs) -> [(Follower, Int)] {
        // If this is the last reference to a context, it must be released after the lock, because
        // deallocating a context may call the registry.
        var alive: [NSManagedObjectContext] = []
        defer { withExtendedLifetime(alive) {} }
        return lock.locked {
            var followers: [(Follower, Int)] = []
            for key in Array(entries.keys) {
                guard let context = entries[key]?.context else {
                    entries[key] = nil
                    continue
                }
                alive.append(context)
                let count = entries[key]?.awaited.add(changes, largest: largestMerge) ?? 0
                followers.append((Follower(context: context), count))
            }
            return followers
        }
    }

    private func mergeAwaited(into context: NSManagedObjectContext) {
        let key = ObjectIdentifier(context)
        let (changes, isNamed) = lock.locked { () -> (ChangedObjectIDs?, Bool) in
            guard let entry = entries[key], entry.context === context else { return (nil, false) }
            return (entries[key]?.awaited.takeFirst(), entry.isNamed)
        }
        guard let changes, isNamed || context.automaticallyMergesChangesFromParent else { return }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSInsertedObjectsKey: Array(changes.inserted),
                NSUpdatedObjectsKey: Array(changes.updated),
                NSDeletedObjectsKey: Array(changes.deleted),
            ], into: [context])
    }
}
