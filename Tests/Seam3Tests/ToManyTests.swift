import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A to-many relationship", .tags(.everyRelationshipRoundTrips)) struct ToManyTests {
    let cloud = LocalCloud.inMemory()

    private func device(_ name: String = "a") throws -> Device {
        try Device(name, on: cloud, model: LibraryModel.make())
    }

    @Test("many-to-many is kept over a relaunch, seen from both ends")
    func manyToMany() throws {
        let device = try device()
        try device.addAll("Article", "one", "two")
        try device.addAll("Tag", "red", "blue")
        try device.setMembers("Article", "one", "tags", ["red", "blue"])
        try device.setMembers("Article", "two", "tags", ["red"])
        try device.relaunch(model: LibraryModel.make())
        #expect(try device.members("Article", "one", "tags") == ["blue", "red"])
        #expect(try device.members("Tag", "red", "articles") == ["one", "two"])
        try device.setMembers("Tag", "red", "articles", ["two"])
        try device.relaunch(model: LibraryModel.make())
        #expect(try device.members("Article", "one", "tags") == ["blue"])
    }

    @Test("to the same entity is the same from both ends")
    func reflexive() throws {
        let device = try device()
        try device.addAll("Person", "ann", "ben", "cat")
        try device.setMembers("Person", "ben", "friends", ["ann", "cat", "ben"])
        try device.relaunch(model: LibraryModel.make())
        #expect(try device.members("Person", "ben", "friends") == ["ann", "ben", "cat"])
        #expect(try device.members("Person", "ann", "friends") == ["ben"])
        try device.setMembers("Person", "ann", "friends", [])
        try device.relaunch(model: LibraryModel.make())
        #expect(try device.members("Person", "ben", "friends") == ["ben", "cat"])
    }

    @Test("loses a member that is deleted")
    func deletion() throws {
        let device = try device()
        try device.addAll("Article", "one", "two")
        try device.addAll("Tag", "red", "blue")
        try device.setMembers("Article", "one", "tags", ["red", "blue"])
        try device.edit { context in context.delete(try Device.object("Tag", "red", in: context)) }
        try device.relaunch(model: LibraryModel.make())
        #expect(try device.members("Article", "one", "tags") == ["blue"])
    }

    /// Orders of an album's tracks, each derived from the previous one.
    static let orders: [[String]] = [
        ["a", "b", "c", "d"], ["d", "a", "b", "c"], ["a", "c"], ["c", "b", "a", "d"], [], ["b"],
    ]

    @Test("that is ordered keeps its order through moves, insertions and removals")
    func ordered() throws {
        let device = try device()
        try device.addAll("Album", "album")
        try device.addAll("Track", "a", "b", "c", "d")
        for order in Self.orders {
            try device.setMembers("Album", "album", "tracks", order)
            try device.relaunch(model: LibraryModel.make())
            #expect(try device.members("Album", "album", "tracks") == order)
        }
    }

    @Test(
        "that is ordered appends objects that set it as their owner, without being read"
    )
    func orderedByInverse() throws {
        let device = try device()
        try device.addAll("Album", "album", "other")
        try device.addAll("Track", "a", "b", "c", "d", "e")
        try device.setMembers("Album", "album", "tracks", ["c", "a", "b"])
        // Its key in the other order is the smallest.
        try device.setMembers("Album", "other", "tracks", ["d", "e"])
        try device.relaunch(model: LibraryModel.make())
        try device.edit { context in
            let album = try Device.object("Album", "album", in: context)
            for name in ["e", "d"] {
                try Device.object("Track", name, in: context).setValue(album, forKey: "album")
            }
            let new = NSEntityDescription.insertNewObject(forEntityName: "Track", into: context)
            new.setValue("new", forKey: "name")
            new.setValue(album, forKey: "album")
        }
        try device.relaunch(model: LibraryModel.make())
        #expect(
            try device.members("Album", "album", "tracks") == ["c", "a", "b", "e", "d", "new"])
    }

    @Test("that is ordered on both sides keeps both orders")
    func orderedOnBothSides() throws {
        let device = try device()
        try device.addAll("Article", "one", "two", "three")
        try device.addAll("Reader", "x", "y", "z")
        try device.setMembers("Article", "one", "readers", ["z", "x", "y"])
        try device.setMembers("Reader", "x", "articles", ["three", "one", "two"])
        try device.relaunch(model: LibraryModel.make())
        #expect(try device.members("Article", "one", "readers") == ["z", "x", "y"])
        #expect(try device.members("Reader", "x", "articles") == ["three", "one", "two"])
    }

    @Test("is copied from the old object to the new one that keepBoth creates, in the same order")
    func keepBoth() async throws {
        let (a, b) = (
            try Device("a", on: cloud, policy: .keepBoth, model: LibraryModel.make()),
            try Device("b", on: cloud, policy: .keepBoth, model: LibraryModel.make())
        )
        try a.addAll("Article", "one")
        try a.addAll("Tag", "red", "blue")
        try a.addAll("Reader", "x", "y", "z")
        try a.addAll("Person", "ann", "ben", "cat")
        try a.setMembers("Article", "one", "tags", ["red", "blue"])
        try a.setMembers("Article", "one", "readers", ["z", "x", "y"])
        try a.setMembers("Person", "ben", "friends", ["ann", "cat"])
        try await Device.settle(a, b)
        for device in [a, b] {
            try device.edit { context in
                for (entity, name) in [("Article", "one"), ("Person", "ben")] {
                    try Device.object(entity, name, in: context)
                        .setValue("\(name) of \(device.name)", forKey: "name")
                }
            }
        }
        try await Device.settle(a, b)
        for device in [a, b] {
            for name in ["a", "b"] {
                #expect(try device.members("Article", "one of \(name)", "tags") == ["blue", "red"])
                #expect(
                    try device.members("Article", "one of \(name)", "readers") == ["z", "x", "y"])
                #expect(
                    try device.members("Person", "ben of \(name)", "friends") == ["ann", "cat"])
            }
            #expect(
                try device.members("Person", "ann", "friends") == ["ben of a", "ben of b"])
        }
    }

    @Test("of every kind reaches another device")
    func sync() async throws {
        let a = try device("a")
        let b = try device("b")
        try a.addAll("Article", "one", "two")
        try a.addAll("Tag", "red", "blue")
        try a.addAll("Reader", "x", "y", "z")
        try a.addAll("Person", "ann", "ben")
        try a.addAll("Album", "album")
        try a.addAll("Track", "t1", "t2", "t3")
        try a.setMembers("Article", "one", "tags", ["red", "blue"])
        try a.setMembers("Article", "one", "readers", ["z", "x", "y"])
        try a.setMembers("Person", "ben", "friends", ["ann", "ben"])
        try a.setMembers("Album", "album", "tracks", ["t3", "t1", "t2"])
        try await Device.settle(a, b)
        #expect(try b.members("Article", "one", "tags") == ["blue", "red"])
        #expect(try b.members("Article", "one", "readers") == ["z", "x", "y"])
        #expect(try b.members("Person", "ann", "friends") == ["ben"])
        #expect(try b.members("Person", "ben", "friends") == ["ann", "ben"])
        #expect(try b.members("Album", "album", "tracks") == ["t3", "t1", "t2"])
        try b.setMembers("Article", "one", "tags", ["blue"])
        try b.setMembers("Article", "one", "readers", ["y", "z"])
        try b.setMembers("Person", "ben", "friends", [])
        try b.setMembers("Album", "album", "tracks", ["t2", "t3", "t1"])
        try await Device.settle(b, a)
        #expect(try a.members("Article", "one", "tags") == ["blue"])
        #expect(try a.members("Tag", "red", "articles") == [])
        #expect(try a.members("Article", "one", "readers") == ["y", "z"])
        #expect(try a.members("Person", "ann", "friends") == [])
        #expect(try a.members("Album", "album", "tracks") == ["t2", "t3", "t1"])
        for device in [a, b] { #expect(try device.store.syncStatus().pendingChangeCount == 0) }
    }

    @Test("many-to-many merges additions and removals of both devices")
    func concurrentLinks() async throws {
        let a = try device("a")
        let b = try device("b")
        try a.addAll("Article", "one")
        try a.addAll("Tag", "red", "blue", "green", "gray")
        try a.setMembers("Article", "one", "tags", ["red", "blue"])
        try await Device.settle(a, b)
        try a.setMembers("Article", "one", "tags", ["blue", "green", "gray"])
        try b.setMembers("Article", "one", "tags", ["red", "blue", "gray"])
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try device.members("Article", "one", "tags") == ["blue", "gray", "green"])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test(
        "many-to-many keeps what another device has added and removed since a context read it",
        arguments: [
            ("Article", "tags", "Tag"), ("Article", "readers", "Reader"),
            ("Person", "friends", "Person"),
        ])
    func staleMembers(owner: String, relationship: String, member: String) async throws {
        let a = try device("a")
        let b = try device("b")
        try a.addAll(owner, "owner")
        try a.addAll(member, "kept", "removed", "dropped", "arrived", "added")
        try a.setMembers(owner, "owner", relationship, ["kept", "removed", "dropped"])
        try await Device.settle(a, b)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = a.container.persistentStoreCoordinator
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try await context.perform {
            try Device.setMembers(
                owner, "owner", relationship, ["kept", "removed", "added"], in: context)
        }
        try b.setMembers(owner, "owner", relationship, ["kept", "dropped", "arrived"])
        try await Device.settle(b, a)
        try await context.perform { try context.save() }
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(
                Set(try device.members(owner, "owner", relationship)) == [
                    "kept", "arrived", "added",
                ])
            #expect(try device.store.checkInvariants() == [])
        }
    }

    @Test(
        "that is ordered on both sides gets a place on both if a save keeps only one side's change",
        arguments: [("Article", "readers", "Reader"), ("Reader", "articles", "Article")])
    func oneSideKept(owner: String, relationship: String, member: String) async throws {
        let a = try device("a")
        try a.addAll(owner, "owner", "other")
        try a.addAll(member, "known", "added")
        try a.setMembers(owner, "other", relationship, ["known", "added"])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = a.container.persistentStoreCoordinator
        context.mergePolicy = NSMergePolicy.rollback
        try await context.perform {
            try Device.setMembers(owner, "owner", relationship, ["known", "added"], in: context)
        }
        // The context's version of the member is older then, and its change is discarded.
        try a.edit { context in
            try Device.object(member, "added", in: context).setValue("edited", forKey: "name")
        }
        try await context.perform { try context.save() }
        #expect(try a.store.checkInvariants() == [])
        let b = try device("b")
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try device.members(owner, "owner", relationship) == ["known", "edited"])
            #expect(try device.store.checkInvariants() == [])
        }
    }

    @Test("many-to-many that was cleared and set again before a sync is complete")
    func removedAndAddedAgain() async throws {
        let a = try device("a")
        let b = try device("b")
        try a.addAll("Article", "one")
        try a.addAll("Tag", "red")
        try a.setMembers("Article", "one", "tags", ["red"])
        try await Device.settle(a, b)
        try a.setMembers("Article", "one", "tags", [])
        try a.setMembers("Article", "one", "tags", ["red"])
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try device.members("Article", "one", "tags") == ["red"])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
        try a.setMembers("Article", "one", "tags", [])
        try await a.store.sync()
        try b.setMembers("Article", "one", "tags", [])
        try b.setMembers("Article", "one", "tags", ["red"])
        try await Device.settle(b, a)
        #expect(try a.members("Article", "one", "tags") == b.members("Article", "one", "tags"))
    }

    @Test("that is ordered on both sides merges moves, additions and removals of both devices")
    func concurrentOrders() async throws {
        let a = try device("a")
        let b = try device("b")
        try a.addAll("Article", "one", "two")
        try a.addAll("Reader", "r1", "r2", "r3", "r4")
        try a.setMembers("Article", "one", "readers", ["r1", "r2", "r3"])
        try a.setMembers("Article", "two", "readers", ["r3", "r1"])
        try await Device.settle(a, b)
        try a.setMembers("Article", "one", "readers", ["r3", "r1", "r2"])
        try a.setMembers("Reader", "r1", "articles", ["two", "one"])
        try b.setMembers("Article", "one", "readers", ["r2", "r4", "r1"])
        try b.setMembers("Reader", "r3", "articles", ["two"])
        try await Device.settle(a, b)
        for (entity, name, relationship, members) in [
            ("Article", "one", "readers", ["r1", "r2", "r4"]),
            ("Article", "two", "readers", ["r1", "r3"]),
            ("Reader", "r1", "articles", ["one", "two"]), ("Reader", "r3", "articles", ["two"]),
        ] {
            let order = try a.members(entity, name, relationship)
            #expect(try b.members(entity, name, relationship) == order)
            #expect(order.sorted() == members)
        }
        let other = try device("other")
        try await other.store.sync()
        #expect(
            try other.members("Article", "one", "readers")
                == a.members("Article", "one", "readers"))
    }

    @Test("moved by two devices at once, again and again, has the same order on both")
    func repeatedMoves() async throws {
        let a = try device("a")
        let b = try device("b")
        let tracks = (1...6).map { "t\($0)" }
        try a.addAll("Album", "album")
        for track in tracks { try a.addAll("Track", track) }
        try a.setMembers("Album", "album", "tracks", tracks)
        try await Device.settle(a, b)
        // Always at the same position, so that the keys have to grow.
        for round in 0..<8 {
            for (device, place) in [(a, 1), (b, 1 + round % 3)] {
                var order = try device.members("Album", "album", "tracks")
                order.insert(order.removeLast(), at: place)
                try device.setMembers("Album", "album", "tracks", order)
            }
            try await Device.settle(a, b)
            let order = try a.members("Album", "album", "tracks")
            #expect(try b.members("Album", "album", "tracks") == order)
            #expect(order.sorted() == tracks)
        }
    }

    @Test("moved by two devices at once has the same order on both")
    func concurrentMoves() async throws {
        let a = try device("a")
        let b = try device("b")
        try a.addAll("Album", "album")
        try a.addAll("Track", "t1", "t2", "t3", "t4")
        try a.setMembers("Album", "album", "tracks", ["t1", "t2", "t3", "t4"])
        try await Device.settle(a, b)
        try a.setMembers("Album", "album", "tracks", ["t4", "t1", "t2", "t3"])
        try b.setMembers("Album", "album", "tracks", ["t2", "t3", "t4", "t1"])
        try await Device.settle(a, b)
        let order = try a.members("Album", "album", "tracks")
        #expect(try b.members("Album", "album", "tracks") == order)
        #expect(order.sorted() == ["t1", "t2", "t3", "t4"])
    }
}
