import CoreData
import LocalCloud
import Seam3
import Testing

/// One device deletes an object, and another one has edited it, so that it comes back.
@Suite("A link of an object whose deletion loses to an edit")
struct RestoredLinkTests {
    /// How the object is deleted.
    enum Deletion: CaseIterable {
        case save, batch
    }

    /// A many-to-many relationship, from an owner to members.
    enum Kind: CaseIterable {
        case plain, inverse, ordered, reflexive

        var owner: String { ["Article", "Tag", "Article", "Person"][place] }
        var name: String { ["tags", "articles", "readers", "friends"][place] }
        var member: String { ["Tag", "Article", "Reader", "Person"][place] }
        private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    private let cloud = LocalCloud.inMemory()
    private let client: RawClient

    init() { client = RawClient(cloud) }

    /// Two devices with an owner that has the members "one", "two" and "three" in another order.
    private func devices(
        _ kind: Kind, _ policy: SMSyncConflictResolutionPolicy = .serverRecordWins
    ) async throws -> (Device, Device) {
        let a = try Device("a", on: cloud, policy: policy, model: LibraryModel.make())
        let b = try Device("b", on: cloud, policy: policy, model: LibraryModel.make())
        try a.addAll(kind.owner, "owner")
        try a.addAll(kind.member, "one", "two", "three")
        try a.setMembers(kind.owner, "owner", kind.name, ["two", "one", "three"])
        try await Device.settle(a, b)
        return (a, b)
    }

    private func rename(_ entity: String, _ name: String, on device: Device) throws {
        try device.edit { context in
            try Device.object(entity, name, in: context).setValue("edited", forKey: "name")
        }
    }

    private func delete(
        _ entity: String, _ name: String, on device: Device, _ deletion: Deletion = .save
    ) throws {
        try device.edit { context in
            let object = try Device.object(entity, name, in: context)
            switch deletion {
            case .save: context.delete(object)
            case .batch:
                try context.execute(NSBatchDeleteRequest(objectIDs: [object.objectID]))
                context.reset()
            }
        }
    }

    private func names(_ names: [String], _ kind: Kind) -> [String] {
        kind == .ordered ? names : names.sorted()
    }

    private func expect(
        _ members: [String], of owner: String = "owner", _ kind: Kind, on devices: Device...
    ) throws {
        for device in devices {
            #expect(try device.members(kind.owner, owner, kind.name) == names(members, kind))
            #expect(try device.store.checkInvariants() == [])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test(
        "comes back with the object, in its place", arguments: Kind.allCases, Deletion.allCases)
    func restored(kind: Kind, deletion: Deletion) async throws {
        let (a, b) = try await devices(kind)
        try rename(kind.member, "one", on: b)
        try await b.store.sync()
        try delete(kind.member, "one", on: a, deletion)
        try await Device.settle(a, b)
        try expect(["two", "edited", "three"], kind, on: a, b)
        #expect(try await client.records().filter { $0.recordType.hasPrefix("SM_Link") }.count == 3)
    }

    @Test("comes back under each policy", arguments: RestoredReferenceTests.surviving)
    func policies(policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(.ordered, policy)
        try rename("Article", "owner", on: b)
        try await b.store.sync()
        try delete("Article", "owner", on: a)
        try await Device.settle(a, b)
        try expect(["two", "one", "three"], of: "edited", .ordered, on: a, b)
    }

    @Test("stays removed if the deletion wins", arguments: Kind.allCases)
    func deletionWins(kind: Kind) async throws {
        let (a, b) = try await devices(kind, .clientRecordWins)
        try rename(kind.member, "one", on: b)
        try await b.store.sync()
        try delete(kind.member, "one", on: a)
        try await Device.settle(a, b)
        try expect(["two", "three"], kind, on: a, b)
    }

    @Test("stays removed if a user has removed it before", arguments: Kind.allCases)
    func removedByUser(kind: Kind) async throws {
        let (a, b) = try await devices(kind)
        try rename(kind.member, "one", on: b)
        try await b.store.sync()
        try a.setMembers(kind.owner, "owner", kind.name, ["two", "three"])
        try delete(kind.member, "one", on: a)
        try await Device.settle(a, b)
        try expect(["two", "three"], kind, on: a, b)
        #expect(try b.count(kind.member) == (kind == .reflexive ? 4 : 3))
    }

    @Test("stays removed if the other end was deleted, too", arguments: Kind.allCases)
    func otherEnd(kind: Kind) async throws {
        let (a, b) = try await devices(kind)
        try rename(kind.owner, "owner", on: b)
        try await b.store.sync()
        try delete(kind.owner, "owner", on: a)
        try delete(kind.member, "one", on: a)
        try await Device.settle(a, b)
        try expect(["two", "three"], of: "edited", kind, on: a, b)
    }

    @Test("comes back if both ends do", arguments: Kind.allCases)
    func bothEnds(kind: Kind) async throws {
        let (a, b) = try await devices(kind)
        try rename(kind.owner, "owner", on: b)
        try rename(kind.member, "one", on: b)
        try await b.store.sync()
        try delete(kind.owner, "owner", on: a)
        try delete(kind.member, "one", on: a)
        try await Device.settle(a, b)
        for device in [a, b] {
            // Both have the same name now.
            let members = try device.read { context in
                try Device.all(kind.owner, in: context).map { owner in
                    (owner.value(forKey: kind.name) as? NSOrderedSet)?.count
                        ?? (owner.value(forKey: kind.name) as? NSSet)?.count ?? 0
                }
            }
            #expect(members.sorted() == (kind == .reflexive ? [1, 1, 1, 3] : [3]))
            #expect(try device.store.checkInvariants() == [])
        }
    }

    @Test("comes back at the place to which another device has moved it")
    func moved() async throws {
        let (a, b) = try await devices(.ordered)
        try rename("Reader", "one", on: b)
        try b.setMembers("Article", "owner", "readers", ["edited", "two", "three"])
        try await b.store.sync()
        try delete("Reader", "one", on: a)
        try await Device.settle(a, b)
        try expect(["edited", "two", "three"], .ordered, on: a, b)
    }

    @Test("stays removed if another device has removed it", arguments: Kind.allCases)
    func removedElsewhere(kind: Kind) async throws {
        let (a, b) = try await devices(kind)
        try rename(kind.member, "one", on: b)
        try b.setMembers(kind.owner, "owner", kind.name, ["two", "three"])
        try await b.store.sync()
        try delete(kind.member, "one", on: a)
        try await Device.settle(a, b)
        try expect(["two", "three"], kind, on: a, b)
    }

    @Test("stays removed if its removal was sent, perhaps in vain", arguments: LostAnswer.allCases)
    func removalSent(loss: LostAnswer) async throws {
        let (a, b) = try await devices(.plain, .mergeByProperty)
        try delete("Tag", "one", on: a)
        try rename("Tag", "one", on: b)
        try await a.syncLosingAnswer(loss, on: cloud, model: LibraryModel.make())
        try await Device.settle(b, a)
        try expect(["three", "two"], .plain, on: a, b)
        #expect(try b.count("Tag") == 3)
    }

    @Test("comes back after a relaunch between the deletion and the sync", arguments: Kind.allCases)
    func relaunch(kind: Kind) async throws {
        let (a, b) = try await devices(kind)
        try rename(kind.member, "one", on: b)
        try await b.store.sync()
        try delete(kind.member, "one", on: a)
        try a.relaunch(model: LibraryModel.make())
        try await Device.settle(a, b)
        try expect(["two", "edited", "three"], kind, on: a, b)
    }
}
