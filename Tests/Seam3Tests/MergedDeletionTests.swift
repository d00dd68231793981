import CoreData
import LocalCloud
import Seam3
import Testing

/// One context shows objects and merges what others save. Another one, which does not merge, deletes an object to which
/// some of them refer, and has read nothing of those.
@Suite("A context that merges a deletion", .tags(.contextsFollow))
struct MergedDeletionTests {
    /// A relationship of an album or a list to the song that is deleted, and the song's end of it.
    enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case toMany, orderedToMany, manyToMany, orderedManyToMany, toOne, oneToOne
        /// A to-many relationship to the same entity.
        case related

        var testDescription: String { rawValue }

        /// The entity of the object that refers to the song.
        var owner: String { self == .toOne ? "Mark" : self == .related ? "Song" : "List" }
        var isToOne: Bool { self == .toOne || self == .oneToOne }
        var isOrdered: Bool { self == .orderedToMany || self == .orderedManyToMany }

        /// The relationship to the song, or to songs.
        var key: String {
            switch self {
            case .toMany: "songs"
            case .orderedToMany: "orderedSongs"
            case .manyToMany: "tagged"
            case .orderedManyToMany: "queue"
            case .toOne: "song"
            case .oneToOne: "favorite"
            case .related: "related"
            }
        }
    }

    /// Lists and marks of songs, which are in boxes. The songs of a box are deleted with it.
    static func model() -> NSManagedObjectModel {
        let name = { NSAttributeDescription("name", .stringAttributeType) }
        let list = NSEntityDescription(
            "List", [name(), NSAttributeDescription("note", .stringAttributeType)])
        let song = NSEntityDescription(
            "Song", [name(), NSAttributeDescription("note", .stringAttributeType)])
        let mark = NSEntityDescription(
            "Mark", [name(), NSAttributeDescription("note", .stringAttributeType)])
        let box = NSEntityDescription("Box", [name()])
        NSRelationshipDescription.join((list, "songs", 0), (song, "list", 1))
        NSRelationshipDescription.join((list, "orderedSongs", 0), (song, "orderedList", 1))
        NSRelationshipDescription.join((list, "tagged", 0), (song, "taggedBy", 0))
        NSRelationshipDescription.join((list, "queue", 0), (song, "queuedBy", 0))
        NSRelationshipDescription.join((list, "favorite", 1), (song, "favoriteOf", 1))
        NSRelationshipDescription.join((mark, "song", 1), (song, "marks", 0))
        NSRelationshipDescription.join((box, "content", 0), (song, "box", 1))
        NSRelationshipDescription.addOwnInverse("related", 0, to: song)
        list.relationshipsByName["orderedSongs"]?.isOrdered = true
        list.relationshipsByName["queue"]?.isOrdered = true
        song.relationshipsByName["queuedBy"]?.isOrdered = true
        box.relationshipsByName["content"]?.deleteRule = .cascadeDeleteRule
        return NSManagedObjectModel(list, song, mark, box)
    }

    /// How the other context deletes the song.
    enum Deletion: String, CaseIterable, Sendable, CustomTestStringConvertible {
        /// It has only the song's ID.
        case byID
        /// It has fetched the song.
        case fetched
        /// It has read the other end of each relationship.
        case read
        /// The song goes with its box.
        case cascade
        /// The other context has changed the song before, in the same save.
        case changed
        /// The song is deleted in a child of the other context. That one saves then.
        case child

        var testDescription: String { rawValue }

        func carryOut(
            _ songID: NSManagedObjectID, in context: NSManagedObjectContext
        ) throws {
            let song = context.object(with: songID)
            switch self {
            case .byID: context.delete(song)
            case .fetched:
                context.delete(try Device.object("Song", "song", in: context))
            case .read:
                for key in song.entity.relationshipsByName.keys { _ = song.value(forKey: key) }
                for entity in ["List", "Mark", "Song"] {
                    for object in try Device.all(entity, in: context) {
                        for key in object.entity.relationshipsByName.keys {
                            switch object.value(forKey: key) {
                            case let set as NSSet: _ = set.count
                            case let set as NSOrderedSet: _ = set.count
                            default: break
                            }
                        }
                    }
                }
                context.delete(song)
            case .cascade: context.delete(try Device.object("Box", "box", in: context))
            case .changed:
                song.setValue("changed", forKey: "note")
                context.delete(song)
            case .child: break
            }
            try context.save()
        }
    }

    /// A device whose context shows the owner and the songs "before", "song" and "after".
    func device(_ kind: Kind) throws -> Device {
        let device = try Device(on: LocalCloud.inMemory(), model: Self.model())
        try device.edit { context in
            let songs = ["before", "song", "after"].map { name in
                let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
                song.setValue(name, forKey: "name")
                return song
            }
            let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
            box.setValue("box", forKey: "name")
            songs[1].setValue(box, forKey: "box")
            let owner = NSEntityDescription.insertNewObject(
                forEntityName: kind.owner, into: context)
            owner.setValue("owner", forKey: "name")
            let value: Any =
                kind.isToOne
                ? songs[1] : kind.isOrdered ? NSOrderedSet(array: songs) : NSSet(array: songs)
            owner.setValue(value, forKey: kind.key)
        }
        try device.relaunch(model: Self.model())
        return device
    }

    static func owner(_ kind: Kind, in context: NSManagedObjectContext) throws
        -> NSManagedObject
    {
        try Device.object(kind.owner, "owner", in: context)
    }

    /// The names of the songs to which the owner refers, in order if they have one.
    static func names(_ kind: Kind, of owner: NSManagedObject) -> [String] {
        func name(_ object: Any) -> String {
            (object as? NSManagedObject)?.value(forKey: "name") as? String ?? "nil"
        }
        switch owner.value(forKey: kind.key) {
        case let set as NSOrderedSet: return set.array.map(name)
        case let set as NSSet: return set.allObjects.map(name).sorted()
        case let song?: return [name(song)]
        case nil: return []
        }
    }

    static func all(_ kind: Kind) -> [String] {
        kind.isToOne
            ? ["song"]
            : kind.isOrdered ? ["before", "song", "after"] : ["after", "before", "song"]
    }

    static func left(_ kind: Kind) -> [String] { all(kind).filter { $0 != "song" } }

    /// Shows the owner and its songs.
    ///
    /// - Returns: The owner, the song, and the song's ID.
    func show(
        _ kind: Kind, in context: NSManagedObjectContext
    ) throws -> (owner: NSManagedObject, songID: NSManagedObjectID) {
        let owner = try Self.owner(kind, in: context)
        #expect(Self.names(kind, of: owner) == Self.all(kind))
        return (owner, try Device.object("Song", "song", in: context).objectID)
    }

    /// Deletes the song in a context that merges nothing.
    static func delete(
        _ songID: NSManagedObjectID, _ deletion: Deletion, on device: Device
    ) throws {
        let context = device.container.newBackgroundContext()
        context.automaticallyMergesChangesFromParent = false
        if deletion == .child {
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait {
                child.delete(child.object(with: songID))
                try child.save()
            }
        }
        try context.performAndWait { try deletion.carryOut(songID, in: context) }
    }

    @Test(
        "shows the object no longer in what refers to it", arguments: Kind.allCases,
        Deletion.allCases)
    func shown(kind: Kind, deletion: Deletion) throws {
        let device = try device(kind)
        nonisolated(unsafe) let shown = try device.read { try show(kind, in: $0) }
        try Self.delete(shown.songID, deletion, on: device)
        try device.read { context in
            #expect(Self.names(kind, of: shown.owner) == Self.left(kind))
            let count = try Device.all("Song", in: context).count
            #expect(count == (kind == .related ? 3 : 2))
        }
    }

    @Test(
        "shows the object no longer in what refers to it, also in the view context",
        arguments: Kind.allCases, Deletion.allCases)
    @MainActor func shownInViewContext(kind: Kind, deletion: Deletion) async throws {
        let device = try device(kind)
        let context = device.container.viewContext
        context.automaticallyMergesChangesFromParent = true
        let (owner, songID) = try show(kind, in: context)
        try Self.delete(songID, deletion, on: device)
        // The merge is on its way to the main queue, before this.
        await context.perform {}
        #expect(Self.names(kind, of: owner) == Self.left(kind))
    }

    @Test(
        "shows the object no longer if it had read the relationship, but not the object's values",
        arguments: Kind.allCases, Deletion.allCases)
    func fault(kind: Kind, deletion: Deletion) throws {
        let device = try device(kind)
        nonisolated(unsafe) let shown = try device.read { context in
            let owner = try Self.owner(kind, in: context)
            switch owner.value(forKey: kind.key) {
            case let set as NSOrderedSet: #expect(set.count == 3)
            case let set as NSSet: #expect(set.count == 3)
            default: break
            }
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Song")
            request.resultType = .managedObjectIDResultType
            request.predicate = NSPredicate(format: "name == 'song'")
            return (owner: owner, songID: try #require(try context.fetch(request).first))
        }
        try Self.delete(shown.songID, deletion, on: device)
        try device.read { _ in
            #expect(Self.names(kind, of: shown.owner) == Self.left(kind))
        }
    }

    @Test(
        "keeps its own unsaved changes of what refers to the object", arguments: Kind.allCases,
        Deletion.allCases)
    func unsavedNote(kind: Kind, deletion: Deletion) throws {
        let device = try device(kind)
        nonisolated(unsafe) let shown = try device.read { context in
            let shown = try show(kind, in: context)
            shown.owner.setValue("unsaved", forKey: "note")
            return shown
        }
        try Self.delete(shown.songID, deletion, on: device)
        try device.read { _ in
            #expect(Self.names(kind, of: shown.owner) == Self.left(kind))
            #expect(shown.owner.value(forKey: "note") as? String == "unsaved")
        }
    }

    @Test(
        "keeps an unsaved new member, and can save it",
        arguments: Kind.allCases.filter { !$0.isToOne }, Deletion.allCases)
    func unsavedMember(kind: Kind, deletion: Deletion) throws {
        let device = try device(kind)
        nonisolated(unsafe) let shown = try device.read { context in
            let shown = try show(kind, in: context)
            let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
            song.setValue("unsaved", forKey: "name")
            if kind.isOrdered {
                shown.owner.mutableOrderedSetValue(forKey: kind.key).add(song)
            } else {
                shown.owner.mutableSetValue(forKey: kind.key).add(song)
            }
            return shown
        }
        try Self.delete(shown.songID, deletion, on: device)
        let expected = Self.left(kind) + ["unsaved"]
        try device.read { context in
            #expect(Self.names(kind, of: shown.owner) == expected)
            // What has been changed on both sides is the newer one's.
            context.mergePolicy = NSMergePolicy(
                merge: .mergeByPropertyObjectTrumpMergePolicyType)
            try context.save()
            context.refreshAllObjects()
            #expect(Self.names(kind, of: shown.owner) == expected)
        }
        #expect(try device.store.checkInvariants() == [])
    }

    @Test(
        "saves later changes of what referred to the object", arguments: Kind.allCases,
        Deletion.allCases)
    func laterSave(kind: Kind, deletion: Deletion) throws {
        let device = try device(kind)
        nonisolated(unsafe) let shown = try device.read { try show(kind, in: $0) }
        try Self.delete(shown.songID, deletion, on: device)
        try device.read { context in
            shown.owner.setValue("later", forKey: "note")
            try context.save()
        }
        let names = try device.read { context in
            context.refreshAllObjects()
            return Self.names(kind, of: try Self.owner(kind, in: context))
        }
        #expect(names == Self.left(kind))
        #expect(try device.store.checkInvariants() == [])
    }

    @Test(
        "reads what refers to the object without it if it had not read that before",
        arguments: Kind.allCases, Deletion.allCases)
    func readLater(kind: Kind, deletion: Deletion) throws {
        let device = try device(kind)
        nonisolated(unsafe) let shown = try device.read { context in
            (
                owner: try Self.owner(kind, in: context),
                songID: try Device.object("Song", "song", in: context).objectID
            )
        }
        try Self.delete(shown.songID, deletion, on: device)
        try device.read { _ in
            #expect(Self.names(kind, of: shown.owner) == Self.left(kind))
        }
    }

    @Test(
        "shows the object no longer if another device has deleted it", arguments: Kind.allCases)
    func otherDevice(kind: Kind) async throws {
        let device = try device(kind)
        let other = try Device("other", on: device.cloud, model: Self.model())
        try await Device.settle(device, other)
        nonisolated(unsafe) let shown = try device.read { try show(kind, in: $0) }
        try other.edit { $0.delete(try Device.object("Song", "song", in: $0)) }
        try await other.store.sync()
        try await device.store.sync()
        try device.read { _ in
            #expect(Self.names(kind, of: shown.owner) == Self.left(kind))
        }
    }

    @Test(
        "shows the object no longer if a batch request has deleted it, and its result is merged",
        arguments: Kind.allCases)
    func batch(kind: Kind) throws {
        let device = try device(kind)
        nonisolated(unsafe) let shown = try device.read { try show(kind, in: $0) }
        let context = device.container.newBackgroundContext()
        let deleted = try context.performAndWait {
            let request = NSBatchDeleteRequest(objectIDs: [shown.songID])
            request.resultType = .resultTypeObjectIDs
            let result = try context.execute(request) as? NSBatchDeleteResult
            return result?.result as? [NSManagedObjectID] ?? []
        }
        #expect(deleted == [shown.songID])
        try device.read { context in
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: deleted], into: [context])
            #expect(Self.names(kind, of: shown.owner) == Self.left(kind))
        }
    }

    @Test(
        "shows the object no longer if it merges the notification of the save itself",
        arguments: Kind.allCases, Deletion.allCases.filter { $0 != .child })
    func notification(kind: Kind, deletion: Deletion) throws {
        let device = try device(kind)
        let context = device.context
        nonisolated(unsafe) let shown = try device.read { context in
            context.automaticallyMergesChangesFromParent = false
            return try show(kind, in: context)
        }
        let deleter = device.container.newBackgroundContext()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: deleter, queue: nil
        ) { notification in
            nonisolated(unsafe) let notification = notification
            context.performAndWait { context.mergeChanges(fromContextDidSave: notification) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try deleter.performAndWait { try deletion.carryOut(shown.songID, in: deleter) }
        try device.read { _ in
            #expect(Self.names(kind, of: shown.owner) == Self.left(kind))
        }
    }

    @Test(
        "shows the object no longer if a context with an older copy of it has deleted it",
        arguments: Kind.allCases)
    func olderCopy(kind: Kind) throws {
        let device = try device(kind)
        let (value, songID) = try device.edit { context -> (Any?, NSManagedObjectID) in
            let (owner, songID) = try show(kind, in: context)
            let value: Any? =
                switch owner.value(forKey: kind.key) {
                case let set as NSOrderedSet: NSOrderedSet(orderedSet: set)
                case let set as NSSet: NSSet(set: set)
                case let value: value
                }
            let empty: Any? = kind.isToOne ? nil : kind.isOrdered ? NSOrderedSet() : NSSet()
            owner.setValue(empty, forKey: kind.key)
            return (value, songID)
        }
        // The deleting context knows of nobody who refers to the song.
        let deleter = device.container.newBackgroundContext()
        deleter.performAndWait {
            let song = deleter.object(with: songID)
            for key in song.entity.relationshipsByName.keys {
                switch song.value(forKey: key) {
                case let set as NSSet: _ = set.count
                case let set as NSOrderedSet: _ = set.count
                default: break
                }
            }
        }
        nonisolated(unsafe) let shown = try device.edit { context in
            try Self.owner(kind, in: context).setValue(value, forKey: kind.key)
            return try show(kind, in: context)
        }
        try deleter.performAndWait {
            deleter.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            deleter.delete(deleter.object(with: songID))
            try deleter.save()
        }
        try device.read { context in
            #expect(Self.names(kind, of: shown.owner) == Self.left(kind))
            shown.owner.setValue("later", forKey: "note")
            try context.save()
        }
        #expect(try device.store.checkInvariants() == [])
    }
}
