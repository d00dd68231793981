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
        /// The changes that its queue is about to merge; nil if no merge is pending.
        var awaited: SMSyncSummary?
    }

    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]

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
            let awaited = entries[key]?.context === context ? entries[key]?.awaited : nil
            entries[key] = Entry(context: context, isNamed: true, awaited: awaited)
        }
    }

    /// Merges changes into all contexts that follow the store. Each merges on its own queue, before
    /// any work that is added to the queue after this call.
    ///
    /// A context has at most one pending merge, which includes the changes that arrive in the
    /// meantime. A pending merge does not retain the context.
    func merge(_ changes: SMSyncSummary) {
        for follower in followersWithoutMerge(noting: changes) {
            follower.context?.perform { [self] in
                guard let context = follower.context else { return }
                mergeAwaited(into: context)
            }
        }
    }

    /// Adds changes to the pending changes of each context.
    ///
    /// - Returns: The contexts without a pending merge.
    private func followersWithoutMerge(noting changes: SMSyncSummary) -> [Follower] {
        // If this is the last reference to a context, it must be released after the lock, because
        // deallocating a context may call the registry.
        var alive: [NSManagedObjectContext] = []
        defer { withExtendedLifetime(alive) {} }
        return lock.locked {
            var followers: [Follower] = []
            for (key, var entry) in entries {
                guard let context = entry.context else {
                    entries[key] = nil
                    continue
                }
                alive.append(context)
                if entry.awaited == nil { followers.append(Follower(context: context)) }
                entry.awaited = entry.awaited?.followed(by: changes) ?? changes
                entries[key] = entry
            }
            return followers
        }
    }

    private func mergeAwaited(into context: NSManagedObjectContext) {
        let key = ObjectIdentifier(context)
        let (changes, isNamed) = lock.locked { () -> (SMSyncSummary?, Bool) in
            guard let entry = entries[key], entry.context === context else { return (nil, false) }
            entries[key]?.awaited = nil
            return (entry.awaited, entry.isNamed)
        }
        guard let changes, isNamed || context.automaticallyMergesChangesFromParent else { return }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSInsertedObjectsKey: Array(changes.insertedObjectIDs),
                NSUpdatedObjectsKey: Array(changes.updatedObjectIDs),
                NSDeletedObjectsKey: Array(changes.deletedObjectIDs),
            ], into: [context])
    }
}
