import CoreData
import LocalCloud
import Seam3
import Testing

extension MergedDeletionTests {
    @Test(
        "shows the object no longer in an unsaved object that refers to it, and can save that",
        arguments: Kind.allCases, Deletion.allCases)
    func unsavedOwner(kind: Kind, deletion: Deletion) throws {
        let device = try device(kind)
        nonisolated(unsafe) let shown = try device.read { context in
            let (owner, songID) = try show(kind, in: context)
            let new = NSEntityDescription.insertNewObject(forEntityName: kind.owner, into: context)
            new.setValue("new", forKey: "name")
            // With a to-one inverse, the songs leave the other owner.
            new.setValue(owner.value(forKey: kind.key), forKey: kind.key)
            #expect(Self.names(kind, of: new) == Self.all(kind))
            return (new: new, songID: songID)
        }
        try Self.delete(shown.songID, deletion, on: device)
        try device.read { context in
            #expect(Self.names(kind, of: shown.new) == Self.left(kind))
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            try context.save()
            context.refreshAllObjects()
            #expect(Self.names(kind, of: shown.new) == Self.left(kind))
        }
        #expect(try device.store.checkInvariants() == [])
    }

    @Test(
        "tells observers of the objects that referred to the deleted one",
        arguments: Kind.allCases, Deletion.allCases)
    func observers(kind: Kind, deletion: Deletion) throws {
        let device = try device(kind)
        nonisolated(unsafe) let shown = try device.read { try show(kind, in: $0) }
        let ids = ObjectIDs()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: device.context, queue: nil
        ) { notification in
            for key in [NSUpdatedObjectsKey, NSRefreshedObjectsKey] {
                let objects = notification.userInfo?[key] as? Set<NSManagedObject> ?? []
                ids.add(objects.map(\.objectID))
            }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try Self.delete(shown.songID, deletion, on: device)
        try device.read { _ in #expect(ids.all.contains(shown.owner.objectID)) }
    }

    /// Object IDs that arrive on any thread.
    private final class ObjectIDs: @unchecked Sendable {
        // Unchecked because the lock guards all state.
        private let lock = NSLock()
        private var ids: Set<NSManagedObjectID> = []

        var all: Set<NSManagedObjectID> { lock.withLock { ids } }
        func add(_ more: [NSManagedObjectID]) { lock.withLock { ids.formUnion(more) } }
    }

    @Test(
        "shows the object no longer in several objects that refer to it",
        arguments: [Kind.manyToMany, .orderedManyToMany, .toOne], Deletion.allCases)
    func severalOwners(kind: Kind, deletion: Deletion) throws {
        let device = try device(kind)
        nonisolated(unsafe) let shown = try device.edit { context in
            let (owner, songID) = try show(kind, in: context)
            let second = NSEntityDescription.insertNewObject(
                forEntityName: kind.owner, into: context)
            second.setValue("second", forKey: "name")
            second.setValue(owner.value(forKey: kind.key), forKey: kind.key)
            return (owners: [owner, second], songID: songID)
        }
        try Self.delete(shown.songID, deletion, on: device)
        try device.read { _ in
            for owner in shown.owners {
                #expect(Self.names(kind, of: owner) == Self.left(kind))
            }
        }
    }

    @Test("shows nothing of a deleted list in its songs", arguments: [Deletion.byID, .fetched])
    func deletedOwner(deletion: Deletion) throws {
        for kind in Kind.allCases where kind != .related && kind != .toOne {
            let device = try device(kind)
            let ends = [
                "songs": "list", "orderedSongs": "orderedList", "tagged": "taggedBy",
                "queue": "queuedBy", "favorite": "favoriteOf",
            ]
            let end = try #require(ends[kind.key])
            nonisolated(unsafe) let shown = try device.read { context in
                let (owner, songID) = try show(kind, in: context)
                let song = context.object(with: songID)
                switch song.value(forKey: end) {
                case let set as NSSet: #expect(set.count == 1)
                case let set as NSOrderedSet: #expect(set.count == 1)
                case let value: #expect(value as? NSManagedObject == owner)
                }
                return (song: song, ownerID: owner.objectID)
            }
            let deleter = device.container.newBackgroundContext()
            try deleter.performAndWait {
                let owner =
                    deletion == .byID
                    ? deleter.object(with: shown.ownerID)
                    : try Device.object("List", "owner", in: deleter)
                deleter.delete(owner)
                try deleter.save()
            }
            try device.read { _ in
                switch shown.song.value(forKey: end) {
                case let set as NSSet: #expect(set.count == 0, "\(kind)")
                case let set as NSOrderedSet: #expect(set.count == 0, "\(kind)")
                case let value: #expect(value == nil, "\(kind)")
                }
            }
        }
    }
}
