import CoreData
import LocalCloud
import Seam3
import Testing

/// One device deletes an object, and another one has edited it, so that it comes back.
@Suite("A reference to an object whose deletion loses to an edit")
struct RestoredReferenceTests {
    let cloud = LocalCloud.inMemory()

    static let surviving = SMSyncConflictResolutionPolicy.allCases.filter {
        $0 != .clientRecordWins
    }

    /// A relationship from items to boxes.
    enum Kind: CaseIterable {
        case toMany, ordered, oneToOne, decidedByInverse

        func model() -> NSManagedObjectModel {
            let item = NSEntityDescription(
                "Item",
                [
                    NSAttributeDescription("name", .stringAttributeType),
                    NSAttributeDescription("note", .stringAttributeType),
                ])
            let box = NSEntityDescription(
                "Box", [NSAttributeDescription("name", .stringAttributeType)])
            // Of a one-to-one relationship, the end whose name sorts first decides.
            let (own, inverse) = self == .decidedByInverse ? ("zbox", "aitem") : ("abox", "zitem")
            box.name = self == .decidedByInverse ? "ABox" : "ZBox"
            let count = self == .toMany || self == .ordered ? 0 : 1
            NSRelationshipDescription.join((item, own, 1), (box, inverse, count))
            box.relationshipsByName[inverse]?.isOrdered = self == .ordered
            return NSManagedObjectModel(item, box)
        }

        var box: String { self == .decidedByInverse ? "ABox" : "ZBox" }
        var reference: String { self == .decidedByInverse ? "zbox" : "abox" }
    }

    /// Two devices with an item in a box.
    private func devices(
        _ kind: Kind, _ policy: SMSyncConflictResolutionPolicy
    ) async throws -> (Device, Device) {
        let a = try Device("a", on: cloud, policy: policy, model: kind.model())
        let b = try Device("b", on: cloud, policy: policy, model: kind.model())
        try a.edit { context in
            let (item, box) = (
                NSEntityDescription.insertNewObject(forEntityName: "Item", into: context),
                NSEntityDescription.insertNewObject(forEntityName: kind.box, into: context)
            )
            item.setValue("item", forKey: "name")
            box.setValue("box", forKey: "name")
            item.setValue(box, forKey: kind.reference)
        }
        try await Device.settle(a, b)
        return (a, b)
    }

    private func set(_ entity: String, _ key: String, _ value: String, on device: Device) throws {
        try device.edit { context in
            for object in try Device.all(entity, in: context) {
                object.setValue(value, forKey: key)
            }
        }
    }

    private func values(_ key: String, on device: Device) throws -> [String] {
        try device.read { context in
            try Device.all("Item", in: context)
                .map { ($0.value(forKeyPath: key) as? String) ?? "nil" }
        }
    }

    @Test("comes back with the object", arguments: Kind.allCases, surviving)
    func restored(kind: Kind, policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(kind, policy)
        try set(kind.box, "name", "edited", on: b)
        try await b.store.sync()
        try a.deleteAll(kind.box)
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try values("\(kind.reference).name", on: device) == ["edited"])
            #expect(try device.store.checkInvariants() == [])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test(
        "competes with no edit of the object that refers to it", arguments: Kind.allCases, surviving
    )
    func editOfReferrer(kind: Kind, policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(kind, policy)
        try set(kind.box, "name", "edited", on: b)
        try await b.store.sync()
        try a.deleteAll(kind.box)
        try set("Item", "name", "edited", on: b)
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try values("name", on: device) == ["edited"]) }
    }

    @Test(
        "is nil if a user has removed it before", arguments: [Kind.toMany, .ordered, .oneToOne],
        surviving)
    func removedByUser(kind: Kind, policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(kind, policy)
        try set(kind.box, "name", "edited", on: b)
        try await b.store.sync()
        try a.edit { context in
            for item in try Device.all("Item", in: context) {
                item.setValue(nil, forKey: kind.reference)
            }
        }
        try a.deleteAll(kind.box)
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try values("\(kind.reference).name", on: device) == ["nil"])
            #expect(try device.count(kind.box) == 1)
        }
    }

    /// Gives the box to the item with a name.
    private func give(_ kind: Kind, to name: String, on device: Device) throws {
        try device.edit { context in
            let item = try Device.all("Item", in: context)
                .first { $0.value(forKey: "name") as? String == name }
            let box = try Device.all(kind.box, in: context).first
            item?.setValue(box, forKey: kind.reference)
        }
    }

    @Test(
        "is nil if another object had got the destination before, unless it was given back",
        arguments: surviving, [false, true])
    func givenUp(policy: SMSyncConflictResolutionPolicy, isGivenBack: Bool) async throws {
        let kind = Kind.oneToOne
        let (a, b) = try await devices(kind, policy)
        try a.add("Item", ["name": "other"])
        try await Device.settle(a, b)
        try set(kind.box, "name", "edited", on: b)
        try await b.store.sync()
        try give(kind, to: "other", on: a)
        if isGivenBack { try give(kind, to: "item", on: a) }
        try a.deleteAll(kind.box)
        try await Device.settle(a, b)
        for device in [a, b] {
            let boxes = try device.read { context in
                try Device.all("Item", in: context)
                    .filter { $0.value(forKey: "name") as? String == "item" }
                    .map { $0.value(forKeyPath: "\(kind.reference).name") as? String }
            }
            #expect(boxes == [isGivenBack ? "edited" : nil])
            #expect(try device.count(kind.box) == 1)
            #expect(try device.store.checkInvariants() == [])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test("comes back beside the object's own edit", arguments: Kind.allCases)
    func ownEdit(kind: Kind) async throws {
        let (a, b) = try await devices(kind, .mergeByProperty)
        try set(kind.box, "name", "edited", on: b)
        try await b.store.sync()
        try set("Item", "note", "edited", on: a)
        try a.deleteAll(kind.box)
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try values("\(kind.reference).name", on: device) == ["edited"])
            #expect(try values("note", on: device) == ["edited"])
        }
    }

    @Test(
        "comes back beside an edit that was sent without an answer", arguments: Kind.allCases,
        LostAnswer.allCases)
    func unansweredEdit(kind: Kind, loss: LostAnswer) async throws {
        let (a, b) = try await devices(kind, .mergeByProperty)
        try set("Item", "note", "edited", on: a)
        try await a.syncLosingAnswer(loss, on: cloud, model: kind.model())
        try set(kind.box, "name", "edited", on: b)
        try await b.store.sync()
        try a.deleteAll(kind.box)
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try values("\(kind.reference).name", on: device) == ["edited"])
            #expect(try values("note", on: device) == ["edited"])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }
}
