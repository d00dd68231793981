import CoreData
import LocalCloud
import Seam3
import Testing

/// A relationship becomes to-many, and devices get the new model one after the other.
@Suite("A to-one relationship that becomes to-many", .allMigrationKinds)
struct FormerReferenceTests {
    let cloud = LocalCloud.inMemory()

    /// How a plant leaves a garden.
    enum Removal: CaseIterable {
        case move, remove
    }

    private let new = PlantModel.make(isToMany: true)

    private func pair() async throws -> (a: Device, b: Device) {
        let devices = try await Device.withFern(["a", "b"], on: cloud)
        return (devices[0], devices[1])
    }

    private func rename(_ name: String, on device: Device) throws {
        try device.edit { context in
            for plant in try Device.all("Plant", in: context) {
                plant.setValue(name, forKey: "name")
            }
        }
    }

    private func leave(_ removal: Removal, on device: Device) throws {
        try device.put("fern", in: removal == .move ? ["back"] : [])
    }

    private func gardens(_ removal: Removal) -> [String] { removal == .move ? ["back"] : [] }

    private func expect(
        _ expected: [String]?, of plant: String = "fern", on devices: Device...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for device in devices {
            #expect(
                try device.gardens(of: plant) == expected, "\(device.name)",
                sourceLocation: sourceLocation)
            #expect(
                try device.store.syncStatus().pendingChangeCount == 0,
                sourceLocation: sourceLocation)
            #expect(
                try device.store.checkInvariants().isEmpty, sourceLocation: sourceLocation)
        }
    }

    @Test(
        "keeps what a device with the new model has removed, on devices that get it later",
        arguments: Removal.allCases, [true, false])
    func removedByTheFirst(removal: Removal, isSynced: Bool) async throws {
        let (a, b) = try await pair()
        try a.relaunch(model: new)
        if isSynced { try await a.store.sync() }
        try leave(removal, on: a)
        try await a.store.sync()
        try b.relaunch(model: new)
        try await Device.settle(b, a)
        try expect(gardens(removal), on: a, b)
        let fresh = try Device("fresh", on: cloud, model: new)
        try await fresh.store.sync()
        try expect(gardens(removal), on: fresh)
    }

    @Test(
        "shows devices with the former model that a pair was removed", arguments: Removal.allCases)
    func shownToFormerModel(removal: Removal) async throws {
        let (a, b) = try await pair()
        try a.relaunch(model: new)
        try leave(removal, on: a)
        try await Device.settle(a, b)
        try expect([], on: b)
        try b.relaunch(model: new)
        try await Device.settle(b, a)
        try expect(gardens(removal), on: a, b)
    }

    @Test(
        "keeps what a device had removed before it got the new model, although another has sent the pair",
        arguments: Removal.allCases, [true, false])
    func removedBeforeMigration(removal: Removal, isSynced: Bool) async throws {
        let (a, b) = try await pair()
        try a.relaunch(model: new)
        try await a.store.sync()
        try leave(removal, on: b)
        if isSynced { try await b.store.sync() }
        try b.relaunch(model: new)
        try await Device.settle(b, a)
        try expect(gardens(removal), on: a, b)
    }

    @Test(
        "follows what a device with the former model removes", arguments: Removal.allCases,
        [true, false])
    func followed(removal: Removal, isEarlier: Bool) async throws {
        let (a, b) = try await pair()
        if !isEarlier { try a.relaunch(model: new) }
        if !isEarlier { try await a.store.sync() }
        try leave(removal, on: b)
        try await b.store.sync()
        if isEarlier { try a.relaunch(model: new) }
        try await Device.settle(a, b)
        try expect(gardens(removal), on: a, b)
    }

    /// When a device that has got the new model is told to forget the server.
    enum Reset: CaseIterable {
        case beforeRemoval, afterRemoval
    }

    /// Whether a device syncs with the new model before that.
    private static let resets = Reset.allCases.flatMap { [($0, true), ($0, false)] }

    @Test(
        "keeps what a device removes that is told to forget the server",
        arguments: Removal.allCases, Self.resets)
    func removedAndReset(removal: Removal, reset: (moment: Reset, isSynced: Bool)) async throws {
        let (a, b) = try await pair()
        try a.relaunch(model: new)
        if reset.isSynced { try await a.store.sync() }
        if reset.moment == .beforeRemoval { try a.store.resetCloudFieldsInBackingStore() }
        try leave(removal, on: a)
        if reset.moment == .afterRemoval { try a.store.resetCloudFieldsInBackingStore() }
        try await Device.settle(a, b)
        try expect([], on: b)
        try b.relaunch(model: new)
        try await Device.settle(b, a)
        try expect(gardens(removal), on: a, b)
    }

    @Test(
        "shows devices with the former model a pair that is removed and made again before the sync",
        arguments: Reset.allCases)
    func madeAgainAndReset(reset: Reset) async throws {
        let (a, b) = try await pair()
        try a.relaunch(model: new)
        if reset == .beforeRemoval { try a.store.resetCloudFieldsInBackingStore() }
        try a.put("fern", in: [])
        if reset == .afterRemoval { try a.store.resetCloudFieldsInBackingStore() }
        try a.put("fern", in: ["front"])
        try await Device.settle(a, b)
        try expect(["front"], on: a, b)
    }

    @Test("has the pairs that devices with the former model make")
    func madeByFormerModel() async throws {
        let (a, b) = try await pair()
        try a.relaunch(model: new)
        try await a.store.sync()
        try b.add("Plant", ["name": "moss"])
        try b.put("moss", in: ["back"])
        try await Device.settle(b, a)
        try expect(["back"], of: "moss", on: a, b)
        try b.relaunch(model: new)
        try await Device.settle(b, a)
        try expect(["back"], of: "moss", on: a, b)
    }

    @Test("keeps a pair that is removed and made again", arguments: [true, false])
    func madeAgain(isSynced: Bool) async throws {
        let devices = try await Device.withFern(["a", "b", "c"], on: cloud)
        let (a, b, c) = (devices[0], devices[1], devices[2])
        for device in [a, b] { try device.relaunch(model: new) }
        try await Device.settle(a, b)
        try a.put("fern", in: [])
        if isSynced { try await a.store.sync() }
        try a.put("fern", in: ["front"])
        try await a.store.sync()
        // The plant's record now comes after the link's.
        try rename("fern ", on: a)
        try await a.store.sync()
        try rename("fern", on: a)
        try await Device.settle(a, b)
        try expect(["front"], on: a, b)
        try c.relaunch(model: new)
        try await Device.settle(c, a, b)
        try expect(["front"], on: a, b, c)
    }

    @Test(
        "keeps a pair that is removed and made again before the first sync",
        arguments: [true, false])
    func madeAgainUnsent(isRemovedBefore: Bool) async throws {
        let (a, b) = try await pair()
        if isRemovedBefore { try a.put("fern", in: []) }
        try a.relaunch(model: new)
        if !isRemovedBefore { try a.put("fern", in: []) }
        try a.put("fern", in: ["front"])
        try await Device.settle(a, b)
        try expect(["front"], on: a)
        let fresh = try Device("fresh", on: cloud, model: new)
        try await fresh.store.sync()
        try b.relaunch(model: new)
        try await Device.settle(b, a)
        try expect(["front"], on: a, b, fresh)
    }

    @Test("keeps what a device removes that knows only the new model, if one knows both")
    func removedByFreshDevice() async throws {
        let (a, b) = try await pair()
        try a.relaunch(model: new)
        try await a.store.sync()
        let fresh = try Device("fresh", on: cloud, model: new)
        try await fresh.store.sync()
        try fresh.put("fern", in: ["back"])
        try await Device.settle(fresh, a)
        try b.relaunch(model: new)
        try await Device.settle(b, a, fresh)
        try expect(["back"], on: a, b, fresh)
    }

    @Test("keeps an edit of the object while a pair is removed", arguments: Removal.allCases)
    func conflict(removal: Removal) async throws {
        let (a, b) = try await pair()
        try a.relaunch(model: new)
        try await a.store.sync()
        try rename("tree", on: b)
        try await b.store.sync()
        try leave(removal, on: a)
        try await Device.settle(a, b)
        try expect(gardens(removal), of: "tree", on: a)
        try expect([], of: "tree", on: b)
        try b.relaunch(model: new)
        try await Device.settle(b, a)
        try expect(gardens(removal), of: "tree", on: a, b)
    }

    @Test("keeps a removal that waits when the model changes once more")
    func secondMigration() async throws {
        let (a, b) = try await pair()
        try a.relaunch(model: new)
        try await a.store.sync()
        try a.put("fern", in: [])
        let next = PlantModel.make(isToMany: true)
        next.entitiesByName["Plant"]?.properties.append(
            NSAttributeDescription("height", .doubleAttributeType))
        try a.relaunch(model: next)
        try await a.store.sync()
        try b.relaunch(model: next)
        try await Device.settle(b, a)
        try expect([], on: a, b)
    }

    @Test("leaves the former field alone once another property has it")
    func takenField() async throws {
        let (a, b) = try await pair()
        func next(hasMainGarden: Bool) -> NSManagedObjectModel {
            let plant = NSEntityDescription(
                "Plant", [NSAttributeDescription("name", .stringAttributeType)])
            let garden = NSEntityDescription(
                "Garden", [NSAttributeDescription("name", .stringAttributeType)])
            NSRelationshipDescription.join((plant, "gardens", 0), (garden, "plants", 0))
            plant.relationshipsByName["gardens"]?.renamingIdentifier = "garden"
            if hasMainGarden {
                NSRelationshipDescription.join((plant, "garden", 1), (garden, "mainPlants", 0))
            }
            return NSManagedObjectModel(plant, garden)
        }
        for device in [a, b] { try device.relaunch(model: next(hasMainGarden: false)) }
        try await Device.settle(a, b)
        for device in [a, b] { try device.relaunch(model: next(hasMainGarden: true)) }
        try await Device.settle(a, b)
        try a.put("fern", in: ["back"])
        try await Device.settle(a, b)
        try b.edit { context in
            for plant in try Device.all("Plant", in: context) {
                plant.setValue(NSSet(), forKey: "gardens")
            }
        }
        try await Device.settle(b, a)
        for device in [a, b] {
            #expect(try device.gardens() == ["back"])
            let count = try device.read { context in
                let plant = try Device.all("Plant", in: context).first
                return (plant?.value(forKey: "gardens") as? NSSet)?.count
            }
            #expect(count == 0)
        }
    }

    @Test("keeps its order valid where pairs come from the former field")
    func ordered() async throws {
        let devices = try await Device.withFern(["a", "b"], on: cloud, isOrdered: true)
        let (a, b) = (devices[0], devices[1])
        let new = PlantModel.make(isToMany: true, isOrdered: true)
        try a.add("Plant", ["name": "moss"])
        try a.put("moss", in: ["front"])
        try await Device.settle(a, b)
        try a.relaunch(model: new)
        try await a.store.sync()
        for name in ["fern", "moss"] { try b.put(name, in: ["back"]) }
        try await Device.settle(b, a)
        try expect(["back"], on: a, b)
        try b.relaunch(model: new)
        try await Device.settle(b, a)
        for name in ["fern", "moss"] { try expect(["back"], of: name, on: a, b) }
    }

    @Test("removes no pair of an object whose garden is deleted but that one")
    func deletedDestination() async throws {
        let (a, b) = try await pair()
        try a.relaunch(model: new)
        try a.put("fern", in: ["front", "back"])
        try await a.store.sync()
        try a.edit { context in
            for garden in try Device.objects("Garden", ["front"], in: context) {
                context.delete(garden)
            }
        }
        try await a.store.sync()
        try b.relaunch(model: new)
        try await Device.settle(b, a)
        try expect(["back"], on: a, b)
    }

    @Test("keeps a removal that is made while its object is being sent")
    func removedDuringSending() async throws {
        let (a, b) = try await pair()
        try a.relaunch(model: new)
        try await a.store.sync()
        try rename("tree", on: a)
        cloud.faults.add(
            .call(.beforeCommit) { _ in
                #expect(throws: Never.self) { try a.put("tree", in: []) }
            }, for: .kind(.modifyRecords, device: a.cloudContainer.device))
        try await Device.settle(a, b)
        try expect([], of: "tree", on: a, b)
        try b.relaunch(model: new)
        try await Device.settle(b, a)
        try expect([], of: "tree", on: a, b)
    }

    /// How the relationship was stored before.
    enum Kind: CaseIterable {
        case oneToOne, ownInverse
    }

    private static func model(_ kind: Kind, isToMany: Bool) -> NSManagedObjectModel {
        let count = isToMany ? 0 : 1
        let plant = NSEntityDescription(
            "Plant", [NSAttributeDescription("name", .stringAttributeType)])
        guard kind == .oneToOne else {
            NSRelationshipDescription.addOwnInverse("neighbor", count, to: plant)
            return NSManagedObjectModel(plant)
        }
        let pot = NSEntityDescription("Pot")
        NSRelationshipDescription.join((plant, "pot", count), (pot, "plants", count))
        return NSManagedObjectModel(plant, pot)
    }

    @Test("keeps what was removed, whatever the other end was", arguments: Kind.allCases)
    func otherKinds(kind: Kind) async throws {
        let (old, new) = (
            Self.model(kind, isToMany: false), Self.model(kind, isToMany: true)
        )
        let (a, b) = (
            try Device("a", on: cloud, model: old), try Device("b", on: cloud, model: old)
        )
        let (name, entity) = kind == .oneToOne ? ("pot", "Pot") : ("neighbor", "Plant")
        try a.edit { context in
            let plant = NSEntityDescription.insertNewObject(forEntityName: "Plant", into: context)
            plant.setValue("fern", forKey: "name")
            plant.setValue(
                NSEntityDescription.insertNewObject(forEntityName: entity, into: context),
                forKey: name)
        }
        try await Device.settle(a, b)
        try a.relaunch(model: new)
        try await a.store.sync()
        try a.edit { context in
            for plant in try Device.all("Plant", in: context) {
                plant.setValue(NSSet(), forKey: name)
            }
        }
        try await a.store.sync()
        try b.relaunch(model: new)
        try await Device.settle(b, a)
        for device in [a, b] {
            let counts = try device.read { context in
                try Device.all("Plant", in: context).map {
                    ($0.value(forKey: name) as? NSSet)?.count
                }
            }
            #expect(Set(counts) == [0], "\(device.name)")
            #expect(try device.store.checkInvariants().isEmpty)
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }
}
