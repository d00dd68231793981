import CoreData
import LocalCloud
import Seam3
import SeededRandom
import Testing

/// An object may be a member of its own ordered relationship. If the store does not accept that, it refuses the save
/// with an error of validation, and nothing changes.
@Suite("An object in its own ordered relationship", .tags(.everyRelationshipRoundTrips))
struct OwnMemberTests {
    static let kinds: [RelationKind] = [.orderedOwnInverse, .orderedParentAndChildren]

    /// How the members are set.
    enum Way: CaseIterable, Sendable {
        /// As a whole.
        case asAWhole
        /// By inserting, moving, removing and replacing single ones.
        case oneByOne
    }

    /// The members of the object "me" before and after an edit.
    struct Edit: Sendable, CustomTestStringConvertible {
        let name: String
        let before: [String]
        let after: [String]

        var testDescription: String { name }
    }

    static let edits = [
        Edit(name: "inserted alone", before: [], after: ["me"]),
        Edit(name: "inserted first", before: ["a", "b"], after: ["me", "a", "b"]),
        Edit(name: "inserted in the middle", before: ["a", "b"], after: ["a", "me", "b"]),
        Edit(name: "inserted last", before: ["a", "b"], after: ["a", "b", "me"]),
        Edit(name: "moved to the beginning", before: ["a", "b", "me"], after: ["me", "a", "b"]),
        Edit(name: "moved to the end", before: ["me", "a", "b"], after: ["a", "b", "me"]),
        Edit(name: "moved to the middle", before: ["me", "a", "b"], after: ["a", "me", "b"]),
        Edit(name: "others moved around it", before: ["a", "me", "b"], after: ["b", "me", "a"]),
        Edit(name: "others inserted around it", before: ["me"], after: ["a", "me", "b", "c"]),
        Edit(name: "others removed around it", before: ["a", "me", "b"], after: ["me"]),
        Edit(name: "removed", before: ["a", "me", "b"], after: ["a", "b"]),
        Edit(name: "removed with all", before: ["a", "me"], after: []),
        Edit(name: "replaced by another", before: ["a", "me", "b"], after: ["a", "c", "b"]),
        Edit(name: "replacing another", before: ["a", "c", "b"], after: ["a", "me", "b"]),
    ]

    // MARK: - Steps

    /// Two devices that have "me", a, b and c.
    private func fleet(_ kind: RelationKind, pageSize: Int = 200) async throws -> RelationFleet {
        let fleet = try RelationFleet(kind, count: 2, policy: .mergeByProperty, pageSize: pageSize)
        try fleet.devices[0].edit { context in
            for name in ["me", "a", "b", "c"] {
                RelationKind.insert(kind.ownerEntity, name, in: context)
            }
        }
        try await fleet.settle(rounds: 1)
        return fleet
    }

    /// Sets the members of an object.
    private static func set(
        _ name: String, _ members: [String], _ way: Way, in context: NSManagedObjectContext
    ) throws {
        let owner = try Device.object("Owner", name, in: context)
        let objects = try members.map { try Device.object("Owner", $0, in: context) }
        guard way == .oneByOne else {
            return owner.setValue(NSOrderedSet(array: objects), forKey: "children")
        }
        func list() -> NSMutableOrderedSet { owner.mutableOrderedSetValue(forKey: "children") }
        let present = list().array.compactMap { $0 as? NSManagedObject }
        let places = present.indices.filter { $0 < objects.count && present[$0] != objects[$0] }
        if present.count == objects.count, places.count == 1, !present.contains(objects[places[0]])
        {
            return list().replaceObject(at: places[0], with: objects[places[0]])
        }
        for object in present where !objects.contains(object) { list().remove(object) }
        for (index, object) in objects.enumerated() {
            let place = list().index(of: object)
            if place == NSNotFound {
                list().insert(object, at: index)
            } else if place != index {
                list().moveObjects(at: IndexSet(integer: place), to: index)
            }
        }
    }

    /// Saves an edit.
    ///
    /// - Returns: Whether it was saved. If not, an error of validation says why, and the context is rolled back.
    private func attempt(
        on device: Device, _ body: (NSManagedObjectContext) throws -> Void
    ) throws -> Bool {
        do {
            try device.edit(body)
            return true
        } catch let error as CocoaError where (1550..<1700).contains(error.code.rawValue) {
            #expect(!error.localizedDescription.isEmpty)
            try device.read { $0.rollback() }
            return false
        }
    }

    private func set(
        _ members: [String], of name: String, _ way: Way, on device: Device
    ) throws -> Bool {
        try attempt(on: device) { try Self.set(name, members, way, in: $0) }
    }

    private func members(of name: String, on device: Device, refreshing: Bool) throws -> [String] {
        try device.read { context in
            if refreshing { context.refreshAllObjects() }
            return try RelationTable(.orderedOwnInverse, in: context)[name, "children"]
        }
    }

    /// Expects the members of "me" in the context, when they are read next, after a relaunch, and on the other device.
    private func expect(
        _ members: [String], in fleet: RelationFleet, _ comment: String
    ) async throws {
        let device = fleet.devices[0]
        for refreshing in [false, true] {
            #expect(
                try self.members(of: "me", on: device, refreshing: refreshing) == members,
                "refreshed \(refreshing), \(comment)")
        }
        #expect(
            try RelationTable(fleet.kind, inFileOf: device)["me", "children"] == members,
            "file, \(comment)")
        #expect(try device.store.checkInvariants() == [], "\(comment)")
        try device.relaunch(model: fleet.model)
        #expect(
            try RelationTable(fleet.kind, inFileOf: device)["me", "children"] == members,
            "relaunched, \(comment)")
        try await fleet.settle()
        let truth = try await fleet.expectOneTruth(comment)
        #expect(truth["me", "children"] == members, "\(comment)")
    }

    // MARK: - Tests

    @Test("keeps its place", arguments: kinds, edits)
    func place(kind: RelationKind, edit: Edit) async throws {
        for way in Way.allCases {
            let fleet = try await fleet(kind)
            let device = fleet.devices[0]
            guard try set(edit.before, of: "me", .asAWhole, on: device) else {
                #expect(edit.before.contains("me"))
                return try await expect([], in: fleet, "refused before: \(edit.name)")
            }
            try await fleet.settle(rounds: 1)
            let isSaved = try set(edit.after, of: "me", way, on: device)
            #expect(isSaved || edit.after.contains("me"), "\(edit.name)")
            try await expect(isSaved ? edit.after : edit.before, in: fleet, "\(edit.name), \(way)")
        }
    }

    @Test("keeps its place when it is saved with the object and its members", arguments: kinds)
    func newObject(kind: RelationKind) async throws {
        let fleet = try await fleet(kind, pageSize: 1)
        let device = fleet.devices[0]
        let isSaved = try attempt(on: device) { context in
            let new = RelationKind.insert("Owner", "new", in: context)
            let child = RelationKind.insert("Owner", "child", in: context)
            let b = try Device.object("Owner", "b", in: context)
            new.setValue(NSOrderedSet(array: [child, new, b]), forKey: "children")
        }
        try await fleet.settle()
        let truth = try await fleet.expectOneTruth(kind.name)
        #expect(truth["new", "children"] == (isSaved ? ["child", "new", "b"] : []))
        #expect(truth.objects.keys.contains("new") == isSaved)
    }

    @Test("is a member at the end if it is made its own parent")
    func ownParent() async throws {
        let fleet = try await fleet(.orderedParentAndChildren)
        let device = fleet.devices[0]
        guard try set(["a", "b"], of: "me", .asAWhole, on: device),
            try attempt(
                on: device,
                {
                    let me = try Device.object("Owner", "me", in: $0)
                    me.setValue(me, forKey: "parents")
                })
        else { return try await expect(["a", "b"], in: fleet, "refused") }
        try await expect(["a", "b", "me"], in: fleet, "own parent")
    }

    @Test("leaves the lists of two objects that have themselves and each other in order")
    func twoObjects() async throws {
        let fleet = try await fleet(.orderedOwnInverse)
        let device = fleet.devices[0]
        guard try set(["a", "me", "b"], of: "me", .asAWhole, on: device),
            try set(["b", "a", "me"], of: "a", .asAWhole, on: device)
        else { return }
        let table = try RelationTable(fleet.kind, inFileOf: device)
        #expect(table["me", "children"] == ["a", "me", "b"])
        #expect(table["a", "children"] == ["b", "a", "me"])
        #expect(table["b", "children"] == ["me", "a"])
        try await fleet.settle()
        #expect(try await fleet.expectOneTruth() == table)
        guard try set(["me", "b", "a"], of: "me", .oneByOne, on: device) else { return }
        try await fleet.settle()
        let truth = try await fleet.expectOneTruth()
        #expect(truth["me", "children"] == ["me", "b", "a"])
        #expect(truth["a", "children"] == ["b", "a", "me"])
        #expect(truth["b", "children"] == ["me", "a"])
    }

    @Test("stays there when another device edits the other members", arguments: kinds)
    func otherDevice(kind: RelationKind) async throws {
        let fleet = try await fleet(kind)
        let (device, other) = (fleet.devices[0], fleet.devices[1])
        guard try set(["a", "me", "b"], of: "me", .asAWhole, on: device) else { return }
        try await fleet.settle()
        #expect(try set(["me", "a", "b"], of: "me", .oneByOne, on: device))
        #expect(try set(["a", "me", "b", "c"], of: "me", .oneByOne, on: other))
        try await fleet.settle()
        let truth = try await fleet.expectOneTruth(kind.name)
        #expect(Set(truth["me", "children"]) == ["me", "a", "b", "c"])
        #expect(truth["me", "children"].first == "me")
        #expect(truth["me", "children"].last == "c")
    }

    @Test("is removed by another device", arguments: kinds)
    func removedElsewhere(kind: RelationKind) async throws {
        let fleet = try await fleet(kind)
        guard try set(["a", "me", "b"], of: "me", .asAWhole, on: fleet.devices[0]) else { return }
        try await fleet.settle()
        #expect(try set(["a", "b"], of: "me", .oneByOne, on: fleet.devices[1]))
        try await fleet.settle()
        try await expect(["a", "b"], in: fleet, kind.name)
    }

    @Test("is deleted with its relationship", arguments: kinds)
    func deleted(kind: RelationKind) async throws {
        let fleet = try await fleet(kind)
        guard try set(["a", "me", "b"], of: "me", .asAWhole, on: fleet.devices[0]) else { return }
        try await fleet.settle()
        try fleet.devices[1].edit { $0.delete(try Device.object("Owner", "me", in: $0)) }
        try await fleet.settle()
        let truth = try await fleet.expectOneTruth(kind.name)
        #expect(Set(truth.objects.keys) == ["a", "b", "c"])
        for name in ["a", "b", "c"] {
            for key in kind.keys(of: "Owner") { #expect(truth[name, key] == [], "\(truth)") }
        }
    }

    @Test(
        "keeps its place through random edits of all lists", arguments: kinds,
        [1, 2, 3] as [UInt64]
    )
    func randomEdits(kind: RelationKind, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let fleet = try await fleet(kind)
        let device = fleet.devices[0]
        var log = ["seed \(seed), \(kind.name)"]
        for step in 1...12 {
            let name = ["me", "a", "b", "c"].shuffled(using: &random)[0]
            var list = ["me", "a", "b", "c"].shuffled(using: &random)
            list.removeLast(Int.random(in: 0...2, using: &random))
            let way = Way.allCases[step % 2]
            log.append("\(name) = \(list.joined(separator: ", ")), \(way)")
            let isSaved = try set(list, of: name, way, on: device)
            let shown = try device.read { try RelationTable(kind, in: $0) }
            let comment = log.joined(separator: "\n")
            if isSaved { #expect(shown[name, "children"] == list, "\(comment)") }
            #expect(try RelationTable(kind, inFileOf: device) == shown, "\(comment)")
            #expect(try device.store.checkInvariants() == [], "\(comment)")
            if step % 4 == 0 {
                try device.relaunch(model: fleet.model)
                #expect(try RelationTable(kind, inFileOf: device) == shown, "\(comment)")
                try await fleet.settle(rounds: 1)
                #expect(try RelationTable(kind, inFileOf: fleet.devices[1]) == shown, "\(comment)")
            }
        }
        try await fleet.settle()
        try await fleet.expectOneTruth(log.joined(separator: "\n"))
    }
}
