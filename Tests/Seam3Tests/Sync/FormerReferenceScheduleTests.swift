import CoreData
import LocalCloud
import Seam3
import SeededRandom
import Testing

@Suite(
    "A to-one relationship that becomes to-many, while users put things in any order",
    .allMigrationKinds)
struct FormerReferenceScheduleTests {
    let cloud = LocalCloud.inMemory()
    private let new = PlantModel.make(isToMany: true)

    /// To replay a failure, put its seed here.
    private static let seeds: [UInt64] = Array(0..<8) + [UInt64.random(in: 0..<1_000_000)]

    @Test("has the pairs that users have made, whichever model their devices had", arguments: seeds)
    func schedule(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let gardens = ["front", "back", "left", "right"]
        let devices = try await Device.withFern(["a", "b", "c"], gardens: gardens, on: cloud)
        var pairs: Set<String> = ["front"]
        /// What devices with the former model show.
        var former: String? = "front"
        var migrated: Set<Int> = []
        var log: [String] = []
        for _ in 0..<12 {
            let index = devices.indices.randomElement(using: &random) ?? 0
            let names = gardens.shuffled(using: &random)
            if !migrated.contains(index), Int.random(in: 0..<3, using: &random) == 0 {
                log.append("\(index) migrates")
                migrated.insert(index)
                try devices[index].relaunch(model: new)
            } else if migrated.contains(index) {
                pairs = Set(names.prefix(Int.random(in: 0...3, using: &random)))
                if let name = former, !pairs.contains(name) { former = nil }
                log.append("\(index): \(pairs.sorted())")
                try devices[index].put("fern", in: pairs)
            } else {
                let name = Bool.random(using: &random) ? names[0] : nil
                if let former { pairs.remove(former) }
                if let name { pairs.insert(name) }
                former = name
                log.append("\(index): \(name ?? "nil")")
                try devices[index].put("fern", in: Set([name].compactMap { $0 }))
            }
            // What a device follows reaches the others in the next round.
            for device in devices + devices + devices { try await device.store.sync() }
            for index in devices.indices {
                let expected =
                    migrated.contains(index) ? pairs.sorted() : [former].compactMap { $0 }
                #expect(
                    try devices[index].gardens() == expected,
                    "seed \(seed), device \(index): \(log)")
            }
        }
        for device in devices {
            #expect(try device.store.checkInvariants().isEmpty, "seed \(seed)")
            #expect(try device.store.syncStatus().pendingChangeCount == 0, "seed \(seed)")
        }
    }

    @Test("is the same on all devices, whatever they do at the same time", arguments: seeds)
    func concurrentSchedule(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let devices = try await Device.withFern(["a", "b", "c"], on: cloud)
        var migrated: Set<Int> = []
        var log: [String] = []
        for _ in 0..<20 {
            let index = devices.indices.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where migrated.insert(index).inserted:
                log.append("\(index) migrates")
                try devices[index].relaunch(model: new)
            case 1, 2:
                log.append("\(index) syncs")
                try await devices[index].store.sync()
            default:
                let names = ["front", "back"].filter { _ in Bool.random(using: &random) }
                log.append("\(index): \(names)")
                try devices[index].put("fern", in: Set(names))
            }
        }
        for index in devices.indices where !migrated.contains(index) {
            try devices[index].relaunch(model: new)
        }
        for _ in 1...4 { for device in devices { try await device.store.sync() } }
        let shown = try devices[0].gardens()
        for device in devices {
            #expect(try device.gardens() == shown, "seed \(seed): \(log)")
            #expect(try device.store.checkInvariants().isEmpty, "seed \(seed)")
            #expect(try device.store.syncStatus().pendingChangeCount == 0, "seed \(seed)")
        }
        for device in devices {
            try await device.store.sync(complete: true)
            #expect(try device.gardens() == shown, "seed \(seed): \(log)")
        }
    }
}
