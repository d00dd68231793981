import CloudKitService
import CoreData
import LocalCloud
import Seam3
import SeededRandom
import Testing

/// A few devices with one kind of relationship or attribute, to which anything happens in any order.
final class RelationWorld: @unchecked Sendable {
    // Unchecked because everything happens in one task, and in a request for which that task waits.

    /// The deletion that a device can still undo.
    private struct Undoable: @unchecked Sendable {
        // Unchecked because the undo manager is only used on the context's queue.
        let context: NSManagedObjectContext
        let undoManager: UndoManager
    }

    let fleet: RelationFleet
    let seed: UInt64
    private(set) var log: [String] = []
    private(set) var failures: [String] = []
    private(set) var history: RelationHistory
    private var random: SeededGenerator
    private var views: [RelationViews] = []
    private var undoable: [String: Undoable] = [:]
    private var held: Set<String> = []
    /// Device → owner → member, of a relationship that stays on the device.
    private var local: [String: [String: [String]]] = [:]
    private var created = 0
    private let faults: [(RequestKind, String, Fault.Effect)] = [
        (.modifyRecords, "the connection fails", .fail(.networkFailure)),
        (.modifyRecords, "the response is lost", .loseAnswer()),
        (.modifyRecords, "the zone is busy", .fail(.zoneBusy, retryAfter: 0.1)),
        (.modifyRecords, "the response ends early", .interrupt(after: 1, interruption)),
        (.fetchZoneChanges, "the connection fails", .fail(.networkFailure)),
        (.fetchZoneChanges, "the page ends early", .interrupt(after: 1, interruption)),
    ]

    private static let interruption = CloudKitServiceError(.networkFailure)

    init(_ kind: RelationKind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let policies: [SMSyncConflictResolutionPolicy] = [.serverRecordWins, .mergeByProperty]
        fleet = try RelationFleet(
            kind, count: 2 + Int(seed % 3), policy: policies[Int(seed / 3 % 2)],
            pageSize: [1, 3, 200].randomElement(using: &random) ?? 1)
        self.seed = seed
        self.random = random
        history = RelationHistory(kind)
        HarshCloud.spare(fleet.cloud)
        views = try fleet.devices.map { try RelationViews(kind, of: $0) }
        note("seed \(seed), \(kind.name), \(fleet.policy), \(fleet.devices.count) devices")
    }

    private var kind: RelationKind { fleet.kind }
    var text: String { log.joined(separator: "\n") }

    func note(_ line: String) { log.append(line) }

    func fail(_ line: String) {
        failures.append(line)
        note("FAILED: \(line)")
    }

    private func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    private func pick<C: Collection>(_ elements: C) -> C.Element? {
        elements.randomElement(using: &random)
    }

    // MARK: - Steps

    /// Does something on a device, and compares what it shows with its file.
    func step() async throws {
        let index = Int.random(in: 0..<fleet.devices.count, using: &random)
        let device = fleet.devices[index]
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12: try edit(device, "insert") { try self.insert(on: device, in: $0) }
        case 12..<44: try edit(device, "change") { try self.change(device, in: $0) }
        case 44..<52: try edit(device, "delete") { try self.delete(device, in: $0) }
        case 52..<57: try deleteUndoably(on: device)
        case 57..<63: try undo(on: device)
        case 63..<68: try hold(on: device)
        case 68..<73: try saveHeld(on: device)
        case 73..<77: try relaunch(index)
        default: await sync(device)
        }
        for difference in try views[index].differences() { fail("\(device.name): \(difference)") }
    }

    private func table(_ device: Device) throws -> RelationTable {
        try RelationTable(kind, inFileOf: device)
    }

    /// Saves an edit, and notes what it has changed.
    private func edit(
        _ device: Device, _ what: String, isDecided: Bool = true,
        _ body: (NSManagedObjectContext) throws -> String?
    ) throws {
        if held.contains(device.name) { return try saveHeld(on: device) }
        let before = try table(device)
        guard let line = try device.edit(body) else { return }
        try noteEdit(on: device, from: before, "\(what) \(line)", isDecided)
    }

    private func noteEdit(
        on device: Device, from before: RelationTable, _ line: String, _ isDecided: Bool
    ) throws {
        let after = try table(device)
        note("\(device.name): \(line)")
        guard kind.hasInverse || kind.attribute != nil else {
            for (name, values) in after.objects {
                local[device.name, default: [:]][name] = values["children"] ?? []
            }
            return history.noteEdit(
                on: device.name, from: before.without("children"),
                to: after.without("children"), isDecided: isDecided)
        }
        history.noteEdit(on: device.name, from: before, to: after, isDecided: isDecided)
    }

    /// An object, chosen by its name.
    private func object(
        _ entity: String, besides other: NSManagedObject? = nil, in context: NSManagedObjectContext
    ) throws -> NSManagedObject? {
        let objects = try Device.all(entity, in: context).filter { $0 != other && !$0.isDeleted }
        return pick(objects.sorted { Self.name($0) < Self.name($1) })
    }

    private static func name(_ object: NSManagedObject?) -> String {
        object?.value(forKey: "name") as? String ?? "nobody"
    }

    private func insert(
        on device: Device, in context: NSManagedObjectContext
    ) throws -> String? {
        created += 1
        let entity = pick(kind.entities) ?? "Owner"
        let object = RelationKind.insert(
            entity, "\(entity.first ?? "?")\(created)", in: context)
        if kind.attribute != nil {
            if chance(50) { object.setValue("new \(created)", forKey: "value") }
            return Self.name(object)
        }
        guard chance(60) else { return Self.name(object) }
        let isOwner = entity == kind.ownerEntity
        let partner = try self.object(
            isOwner ? kind.memberEntity : kind.ownerEntity, besides: object, in: context)
        guard let partner else { return Self.name(object) }
        RelationKind.relate(isOwner ? object : partner, "children", isOwner ? partner : object)
        return "\(Self.name(object)) with \(Self.name(partner))"
    }

    private func change(_ device: Device, in context: NSManagedObjectContext) throws -> String? {
        let usesInverse = !kind.isOwnInverse && kind.hasInverse && chance(40)
        let (key, entity, other) =
            usesInverse
            ? ("parents", kind.memberEntity, kind.ownerEntity)
            : ("children", kind.ownerEntity, kind.memberEntity)
        guard let object = try object(entity, in: context) else { return nil }
        if kind.attribute != nil {
            let isNil = kind.attribute == .optional && chance(30)
            let value = isNil ? nil : "text \(Int.random(in: 0..<1000, using: &random))"
            object.setValue(value, forKey: "value")
            return "\(Self.name(object)).value = \(value ?? "nil")"
        }
        let partner = try self.object(other, besides: object, in: context)
        guard kind.isToMany(key) else {
            let value = chance(35) ? nil : partner
            object.setValue(value, forKey: key)
            return "\(Self.name(object)).\(key) = \(Self.name(value))"
        }
        guard kind.isOrdered(key) else {
            let members = (object.value(forKey: key) as? Set<NSManagedObject> ?? [])
                .sorted { Self.name($0) < Self.name($1) }
            if chance(40), let member = pick(members) {
                RelationKind.separate(object, key, member)
                return "\(Self.name(object)).\(key) without \(Self.name(member))"
            }
            guard let partner else { return nil }
            RelationKind.relate(object, key, partner)
            return "\(Self.name(object)).\(key) with \(Self.name(partner))"
        }
        return changeList(object, key, partner)
    }

    /// Inserts, moves or removes a member of an ordered relationship.
    private func changeList(
        _ object: NSManagedObject, _ key: String, _ partner: NSManagedObject?
    ) -> String? {
        let list = object.mutableOrderedSetValue(forKey: key)
        let last = list.count - 1
        if last > 0, chance(45) {
            let (from, to) = (
                Int.random(in: 0...last, using: &random), Int.random(in: 0...last, using: &random)
            )
            list.moveObjects(at: IndexSet(integer: from), to: to)
            return "\(Self.name(object)).\(key): \(from) to \(to)"
        }
        if last >= 0, chance(25) {
            list.removeObject(at: Int.random(in: 0...last, using: &random))
            return "\(Self.name(object)).\(key) without one"
        }
        guard let partner else { return nil }
        let place = Int.random(in: 0...(last + 1), using: &random)
        RelationKind.relate(object, key, partner, at: place)
        return "\(Self.name(object)).\(key) with \(Self.name(partner)) at \(place)"
    }

    private func delete(_ device: Device, in context: NSManagedObjectContext) throws -> String? {
        guard let object = try object(pick(kind.entities) ?? "Owner", in: context) else {
            return nil
        }
        defer { context.delete(object) }
        return Self.name(object)
    }
}

// MARK: - Steps of several parts

extension RelationWorld {
    /// Deletes an object in a context of its own with an undo manager.
    private func deleteUndoably(on device: Device) throws {
        guard undoable[device.name] == nil, !held.contains(device.name) else { return }
        let before = try table(device)
        let context = device.container.newBackgroundContext()
        let result = try context.performAndWait { () -> (Undoable, String)? in
            context.automaticallyMergesChangesFromParent = true
            let entity = self.pick(self.kind.entities) ?? "Owner"
            guard let object = try self.object(entity, in: context) else { return nil }
            let name = Self.name(object)
            let undoManager = context.undoable { context.delete(object) }
            try context.save()
            return (Undoable(context: context, undoManager: undoManager), name)
        }
        guard let (deletion, name) = result else { return }
        undoable[device.name] = deletion
        try noteEdit(on: device, from: before, "delete \(name), which can be undone", true)
    }

    private func undo(on device: Device) throws {
        guard let deletion = undoable.removeValue(forKey: device.name) else { return }
        let before = try table(device)
        let context = deletion.context
        let failure = context.performAndWait { () -> (any Error)? in
            deletion.undoManager.undo()
            context.processPendingChanges()
            context.undoManager = nil
            do {
                try context.save()
                return nil
            } catch {
                context.rollback()
                return error
            }
        }
        let result = failure.map { ", which fails: \($0)" } ?? ""
        try noteEdit(on: device, from: before, "undo the deletion\(result)", false)
    }

    /// Makes an edit and does not save it.
    private func hold(on device: Device) throws {
        guard held.insert(device.name).inserted else { return }
        let line = try device.read { try self.change(device, in: $0) }
        note("\(device.name): unsaved \(line ?? "nothing")")
    }

    private func saveHeld(on device: Device) throws {
        guard held.remove(device.name) != nil else { return }
        let before = try table(device)
        let failure = try device.read { context -> (any Error)? in
            do {
                try context.save()
                return nil
            } catch {
                context.rollback()
                return error
            }
        }
        let result = failure.map { ", which fails: \($0)" } ?? ""
        try noteEdit(on: device, from: before, "save\(result)", false)
    }

    private func relaunch(_ index: Int) throws {
        let device = fleet.devices[index]
        note("\(device.name): relaunch")
        undoable[device.name] = nil
        held.remove(device.name)
        let before = try table(device)
        try device.read { $0.rollback() }
        try device.relaunch(model: fleet.model)
        views[index] = try RelationViews(kind, of: device)
        if try table(device) != before { fail("\(device.name) shows other objects now") }
    }

    // MARK: - Syncs

    /// Syncs a device. The connection may fail, and another device may sync meanwhile.
    private func sync(_ device: Device) async {
        let name = device.cloudContainer.device
        var canFail = false
        var ids: [FaultPlan.ID] = []
        if chance(25), let (kind, what, effect) = pick(faults) {
            canFail = true
            note("\(device.name): in its next sync \(what)")
            ids.append(fleet.cloud.faults.add(effect, for: .kind(kind, device: name)))
        }
        if chance(20), let other = pick(fleet.devices), other !== device {
            nonisolated(unsafe) let other = other
            ids.append(
                fleet.cloud.faults.add(
                    .call(.beforeCommit) { [self] _ in
                        await syncPlainly(other, complete: false, canFail: false)
                    }, for: .kind(.modifyRecords, device: name)))
        }
        await syncPlainly(device, complete: chance(12), canFail: canFail)
        for id in ids { fleet.cloud.faults.remove(id) }
    }

    private func syncPlainly(_ device: Device, complete: Bool, canFail: Bool) async {
        let start = history.server
        note("\(device.name): sync\(complete ? " complete" : "")")
        do {
            try await device.store.sync(complete: complete)
            history.noteSync(of: device.name, since: start)
        } catch {
            note("\(device.name): \(error)")
            if !canFail { fail("\(device.name) does not sync: \(error)") }
        }
    }

    // MARK: - The end

    /// Syncs all devices until nothing happens any more.
    func settle() async throws {
        fleet.cloud.faults.removeAll()
        for device in fleet.devices { try saveHeld(on: device) }
        for round in 1...8 {
            var isQuiet = true
            for device in fleet.devices {
                let start = history.server
                let summary = try await device.store.sync()
                history.noteSync(of: device.name, since: start)
                let count =
                    summary.savedRecordCount + summary.deletedRecordCount
                    + summary.insertedObjectCount + summary.updatedObjectCount
                    + summary.deletedObjectCount
                if count > 0 { isQuiet = false }
                note("\(device.name): settles, \(summary)")
            }
            if isQuiet { return }
            if round == 8 { fail("the devices do not come to rest") }
        }
    }

    /// Compares each device with its views and with what nobody disputes.
    func compareWithEdits() throws {
        for (device, views) in zip(fleet.devices, views) {
            for difference in try views.differences() { fail("\(device.name): \(difference)") }
            let table = try table(device)
            for line in history.contradictions(of: table) { fail("\(device.name): \(line)") }
            guard !kind.hasInverse else { continue }
            for (owner, members) in local[device.name] ?? [:]
            where ([owner] + members).allSatisfy(history.wasNeverDeleted) {
                let found = table[owner, "children"]
                if found != members {
                    fail("\(device.name): \(owner).children is \(found), not \(members)")
                }
            }
        }
    }
}
