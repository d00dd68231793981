import CoreData

/// The contexts that follow the store by themselves: those seen in requests, weakly, with what each is
/// yet to merge.
final class ContextRegistry: @unchecked Sendable {
    // Unchecked because the lock guards all state; the contexts are only used on their queues.

    /// A context on its way to its queue.
    struct Follower: @unchecked Sendable {
        // Unchecked because contexts are not Sendable on all systems; used only on its queue.

        weak var context: NSManagedObjectContext?
    }

    private struct Entry {
        weak var context: NSManagedObjectContext?
        /// Whether the app has registered it.
        let isNamed: Bool
        /// What its queue is to merge; nil if nothing is on its way there.
        var awaited: SMSyncSummary?
    }

    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]

    /// Notes a root context that sent a request.
    func note(_ context: NSManagedObjectContext) {
        let key = ObjectIdentifier(context)
        lock.locked {
            // A dead context's address may be another's now.
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

    /// Merges changes into all contexts that follow, each on its queue when it comes to that: before
    /// whatever is given to the queue from now on.
    ///
    /// A context has one merge on its way at most, which takes along what comes meanwhile. It is not kept
    /// alive for that.
    func merge(_ changes: SMSyncSummary) {
        for follower in followersWithoutMerge(noting: changes) {
            follower.context?.perform { [self] in
                guard let context = follower.context else { return }
                mergeAwaited(into: context)
            }
        }
    }

    /// Adds changes to what each context is to merge.
    ///
    /// - Returns: The contexts without a pending merge.
    private func followersWithoutMerge(noting changes: SMSyncSummary) -> [Follower] {
        // A context whose last reference is one of these ends when the lock is free again: its end may
        // lead here.
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
