import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import SeededRandom
import Testing

@Suite(
    "To-many relationships converge, whatever devices do to them in any order",
    .tags(.convergenceWithoutLuck, .everyRelationshipRoundTrips))
struct RandomLinkConvergenceTests {
    /// Each to-many relationship of the model once, with its destination.
    private static let relationships = [
        ("Article", "tags", "Tag"), ("Tag", "articles", "Article"),
        ("Article", "readers", "Reader"), ("Reader", "articles", "Article"),
        ("Person", "friends", "Person"), ("Album", "tracks", "Track"),
    ]

    /// To replay a failure, put its seed here.
    private static let seeds: [UInt64] = [UInt64.random(in: 0..<1_000_000)]

    /// Every object with its relationships, in order if they are ordered.
    private static func table(_ device: Device) throws -> [String] {
        var lines: [String] = []
        for entity in ["Article", "Tag", "Reader", "Person", "Album", "Track"] {
            let names = try names(entity, on: device)
            for name in names {
                var line = "\(entity) \(name)"
                for (owner, relationship, _) in relationships where owner == entity {
                    line +=
                        " \(relationship): "
                        + (try device.members(entity, name, relationship).joined(separator: ","))
                }
                lines.append(line)
            }
        }
        return lines
    }

    private static func names(_ entity: String, on device: Device) throws -> [String] {
        try device.read { context in
            try Device.all(entity, in: context)
                .compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
    }

    private static func act(
        on device: Device, _ random: inout SeededGenerator,
        _ created: inout Int
    ) throws -> String {
        let (entity, relationship, destination) =
            relationships[Int.random(in: 0..<relationships.count, using: &random)]
        let owners = try names(entity, on: device)
        let kind = Int.random(in: 0..<10, using: &random)
        if kind < 3 || owners.isEmpty {
            created += 1
            try device.addAll(entity, "\(entity)\(created)")
            return "\(device.name): insert \(entity)\(created)"
        }
        let owner = owners[Int.random(in: 0..<owners.count, using: &random)]
        if kind == 3 {
            try device.edit { $0.delete(try Device.object(entity, owner, in: $0)) }
            return "\(device.name): delete \(owner)"
        }
        var members = try device.members(entity, owner, relationship)
        let others = try names(destination, on: device).filter { !members.contains($0) }
        switch kind {
        case 4..<7:
            for other in others.shuffled(using: &random).prefix(2) {
                members.insert(other, at: Int.random(in: 0...members.count, using: &random))
            }
        case 7: members = Array(members.shuffled(using: &random).dropFirst())
        default: members.shuffle(using: &random)
        }
        try device.setMembers(entity, owner, relationship, members)
        return "\(device.name): \(owner).\(relationship) = \(members.joined(separator: ","))"
    }

    @Test(
        "under each policy, with lost answers", arguments: SMSyncConflictResolutionPolicy.allCases)
    func convergence(policy: SMSyncConflictResolutionPolicy) async throws {
        for seed in Self.seeds {
            var random = SeededGenerator(seed: seed)
            let cloud = LocalCloud.inMemory()
            let devices = try ["a", "b", "c"].map {
                try Device($0, on: cloud, policy: policy, model: LibraryModel.make())
            }
            var created = 0
            var log: [String] = []
            do {
                for _ in 0..<100 {
                    let device = devices[Int.random(in: 0..<3, using: &random)]
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0:
                        log.append("\(device.name): sync")
                        try await device.store.sync()
                    case 1:
                        log.append("\(device.name): lost answer")
                        let fault = cloud.faults.add(
                            .loseAnswer(),
                            for: .kind(.modifyRecords, device: device.cloudContainer.device))
                        _ = try? await device.store.sync()
                        cloud.faults.remove(fault)
                    default: log.append(try Self.act(on: device, &random, &created))
                    }
                }
                for _ in 1...3 { for device in devices { try await device.store.sync() } }
            } catch {
                Issue.record(
                    "seed \(seed), policy \(policy): \(error)\n\(log.joined(separator: "\n"))")
                continue
            }
            let tables = try devices.map(Self.table)
            for table in tables.dropFirst() {
                #expect(
                    table == tables[0],
                    "seed \(seed), policy \(policy)\n\(log.joined(separator: "\n"))")
            }
            for device in devices {
                #expect(try device.store.syncStatus().pendingChangeCount == 0, "seed \(seed)")
            }
        }
    }
}
