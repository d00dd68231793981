import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import SeededRandom
import Testing

@Suite(
    "Devices that do anything in any order converge",
    .tags(.convergenceWithoutLuck, .acknowledgedOnly, .everyLoopEnds))
struct RandomConvergenceTests {
    /// Three devices and a cloud, with random events.
    private final class World {
        let cloud = LocalCloud.inMemory()
        let devices: [Device]
        var random: SeededGenerator
        var log: [String] = []
        private var created = 0

        init(seed: UInt64, policy: SMSyncConflictResolutionPolicy) throws {
            random = SeededGenerator(seed: seed)
            let cloud = cloud
            devices = try ["a", "b", "c"].map { try Device($0, on: cloud, policy: policy) }
            for device in devices {
                device.store.recordConflictResolutionBlock = { server, client, _ in
                    let note: String? = client["note"]
                    server["note"] = note
                    return server
                }
            }
        }

        func note(_ line: String) { log.append(line) }

        func pick<C: Collection>(_ elements: C) -> C.Element {
            elements[
                elements.index(
                    elements.startIndex,
                    offsetBy: Int.random(in: 0..<elements.count, using: &random))]
        }

        func step() async throws {
            let device = pick(devices)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<5: try insert(on: device)
            case 5..<10: try edit(on: device)
            case 10..<12: try relate(on: device)
            case 12..<14: try delete(on: device)
            case 14: try device.relaunch()
            case 15: try await fail(device)
            default: try await sync(device, complete: Int.random(in: 0..<8, using: &random) == 0)
            }
        }

        private func insert(on device: Device) throws {
            created += 1
            let entity = pick(["Zone", "Folder", "Clock", "Clock", "Clock"])
            let key = entity == "Clock" ? "label" : "name"
            let name = "\(entity.lowercased()) \(created) of \(device.name)"
            note("\(device.name): insert \(name)")
            try device.add(entity, [key: name])
        }

        /// A number for each object of an entity, derived from its name, so that it is the same in
        /// every run.
        private func pickObject(_ entity: String, in context: NSManagedObjectContext) throws
            -> NSManagedObject?
        {
            let key = entity == "Clock" ? "label" : "name"
            let objects = try Device.all(entity, in: context).sorted {
                ($0.value(forKey: key) as? String ?? "") < ($1.value(forKey: key) as? String ?? "")
            }
            return objects.isEmpty ? nil : pick(objects)
        }

        private func edit(on device: Device) throws {
            let number = Int.random(in: 0..<1000, using: &random)
            let what = Int.random(in: 0..<4, using: &random)
            try device.edit { context in
                guard let clock = try pickObject("Clock", in: context) else { return }
                note("\(device.name): edit \(clock.value(forKey: "label") ?? "") \(what) \(number)")
                switch what {
                case 0: clock.setValue("note \(number)", forKey: "note")
                case 1: clock.setValue(number % 3 == 0 ? nil : number, forKey: "position")
                case 2: clock.setValue(nil, forKey: "note")
                default: clock.setValue(Data("\(number)".utf8), forKey: "chime")
                }
            }
        }

        private func relate(on device: Device) throws {
            let (relationship, entity) = pick([("timeZone", "Zone"), ("folder", "Folder")])
            let clears = Int.random(in: 0..<4, using: &random) == 0
            try device.edit { context in
                guard let clock = try pickObject("Clock", in: context) else { return }
                let target = clears ? nil : try pickObject(entity, in: context)
                note("\(device.name): relate \(clock.value(forKey: "label") ?? "") \(relationship)")
                clock.setValue(target, forKey: relationship)
            }
        }

        private func delete(on device: Device) throws {
            let entity = pick(["Zone", "Folder", "Clock", "Clock"])
            try device.edit { context in
                guard let object = try pickObject(entity, in: context) else { return }
                note("\(device.name): delete a \(entity)")
                context.delete(object)
            }
        }

        private func sync(_ device: Device, complete: Bool) async throws {
            note("\(device.name): sync\(complete ? " complete" : "")")
            do {
                try await device.store.sync(complete: complete)
            } catch {
                note("\(device.name): \(error)")
            }
        }

        /// Makes one of a device's next requests fail in a random way, and makes another device act
        /// during a pass.
        private func fail(_ device: Device) async throws {
            let kind = pick([
                RequestKind.modifyRecords, .fetchZoneChanges, .fetchDatabaseChanges, .uploadAsset,
            ])
            let effects: [(String, Fault.Effect)] = [
                ("fails", .fail(.networkFailure)), ("loses its answer", .loseAnswer()),
                ("is busy", .fail(.zoneBusy, retryAfter: 0.1)),
            ]
            let effect = pick(effects)
            note("\(device.name): next \(kind) \(effect.0)")
            cloud.faults.add(
                effect.1, for: .kind(kind, device: device.cloudContainer.device))
            try await sync(device, complete: false)
        }

        /// The contents of the cloud, with names instead of keys.
        func cloudTable() async throws -> [String] {
            let records = try await RawClient(cloud).records()
            return records.map { record in
                let label: String? = record["label"] ?? record["name"]
                let note: String? = record["note"]
                let position: Int64? = record["position"]
                return "\(record.recordType) \(label ?? "?") \(note ?? "-") \(position ?? -1)"
            }.sorted()
        }

        static func table(_ device: Device) throws -> [String] {
            try device.read { context in
                var lines: [String] = []
                for entity in ["Zone", "Folder", "Clock"] {
                    for object in try Device.all(entity, in: context) {
                        guard entity == "Clock" else {
                            lines.append("\(entity) \(object.value(forKey: "name") ?? "?") - -1")
                            continue
                        }
                        let note = object.value(forKey: "note") as? String ?? "-"
                        let position = object.value(forKey: "position") as? Int ?? -1
                        lines.append(
                            "Clock \(object.value(forKey: "label") ?? "?") \(note) \(position)")
                    }
                }
                return lines.sorted()
            }
        }
    }

    /// To replay a failure, put its seed here.
    private static let seeds: [UInt64] = [UInt64.random(in: 0..<1_000_000)]

    @Test("under each policy, with faults", arguments: SMSyncConflictResolutionPolicy.allCases)
    func convergence(policy: SMSyncConflictResolutionPolicy) async throws {
        for seed in Self.seeds {
            let world = try World(seed: seed, policy: policy)
            do {
                for _ in 0..<100 { try await world.step() }
                world.cloud.faults.removeAll()
                for _ in 1...3 {
                    for device in world.devices { try await device.store.sync() }
                }
            } catch {
                Issue.record("seed \(seed), policy \(policy): \(error)\n\(Self.text(world))")
                continue
            }
            let tables = try world.devices.map { try $0.table() }
            #expect(tables[0] == tables[1], "seed \(seed), policy \(policy)\n\(Self.text(world))")
            #expect(tables[0] == tables[2], "seed \(seed), policy \(policy)\n\(Self.text(world))")
            let local = try World.table(world.devices[0])
            let remote = try await world.cloudTable()
            #expect(local == remote, "seed \(seed), policy \(policy)\n\(Self.text(world))")
            for device in world.devices {
                #expect(try device.store.syncStatus().pendingChangeCount == 0, "seed \(seed)")
            }
            if policy != .keepBoth {
                let names = remote.map { $0.split(separator: " ").prefix(5).joined(separator: " ") }
                #expect(Set(names).count == names.count, "duplicates; seed \(seed)")
            }
        }
    }

    private static func text(_ world: World) -> String {
        world.log.joined(separator: "\n")
    }
}
