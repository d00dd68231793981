import CoreData
import LocalCloud
import Seam3
import SeededRandom
import Testing

/// `SEAM3_SCHEDULE_SEED=<seed>` repeats a failed schedule, and `SEAM3_SCHEDULE_SEED=100-399` runs many.
@Suite(
    "A migration between syncs of which some lost their answer",
    .tags(.migrationIsWhole, .sentIsTheAncestor, .identityFollowsRenames))
struct MigrationScheduleTests {
    private static let seeds = ScheduleSeeds.first(20, orThoseIn: "SEAM3_SCHEDULE_SEED")

    @Test("changes nothing that the only device shows, there and elsewhere", arguments: seeds)
    func schedule(seed: UInt64) async throws {
        let schedule = try MigrationSchedule(seed: seed)
        try await schedule.run()
        try await schedule.end()
    }
}

/// A device that syncs, loses answers and migrates. Nobody else edits, so only its own edits may change anything.
private final class MigrationSchedule {
    private let cloud = LocalCloud.inMemory()
    private let seed: UInt64
    private let policy: SMSyncConflictResolutionPolicy
    private let device: Device
    private var version = StaffVersion()
    private var model: NSManagedObjectModel
    private var random: SeededGenerator
    private var edits: StaffEdits
    private var log: [String] = []

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        edits = StaffEdits(&random)
        model = version.model()
        let policies: [SMSyncConflictResolutionPolicy] = [
            .serverRecordWins, .serverRecordWins, .clientRecordWins, .keepBoth, .mergeByProperty,
        ]
        policy = policies.randomElement(using: &random) ?? .serverRecordWins
        device = try Device(on: cloud, policy: policy, model: model)
        log.append("policy \(policy.rawValue)")
    }

    private var description: String { "seed \(seed): \(log)" }

    func run() async throws {
        try device.edit { try edits.fill($0) }
        if Int.random(in: 0..<4, using: &random) > 0 { try await sync() }
        for _ in 0...Int.random(in: 0...1, using: &random) {
            for _ in 0..<Int.random(in: 1...5, using: &random) { try await editOrSync() }
            try migrate()
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) { try await editOrSync() }
    }

    // MARK: - Steps

    private func editOrSync() async throws {
        guard Int.random(in: 0..<3, using: &random) == 0 else {
            let count = edits.log.count
            try device.edit { try edits.edit($0) }
            log += edits.log.dropFirst(count)
            return
        }
        let before = try ShownObjects(device)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: try await sync()
        case 6 where policy == .mergeByProperty:
            log.append("the server is forgotten")
            try device.store.resetCloudFieldsInBackingStore()
        case 1:
            log.append("nothing is sent")
            await device.syncSendingNothing(on: cloud)
        case 2, 3:
            log.append("the answer is lost")
            try await device.syncLosingAnswer(on: cloud)
        default:
            log.append("the answer is lost, and the process is killed")
            try await device.syncLosingAnswer(.processIsKilled, on: cloud, model: model)
        }
        try expect(device, shows: before)
    }

    private func sync() async throws {
        log.append("synced")
        try await device.store.sync()
    }

    private func migrate() throws {
        let before = try ShownObjects(device)
        let old = model
        let (next, changes) = version.next(&random)
        version = next
        model = next.model()
        let mappings = Bool.random(using: &random) ? mappings(from: old) : nil
        log.append("migrated\(mappings == nil ? "" : " by a mapping model"): \(changes)")
        if let mappings {
            let manager = SMMigrationManager(sourceModel: old, destinationModel: model)
            try device.map(by: manager, mappings)
        } else {
            try device.relaunch(model: model)
        }
        let changed = next.removed.union(next.added)
        try expect(device, shows: before, except: changed, inAnyOrder: true)
        #expect(try device.store.checkInvariants().isEmpty, "\(description)")
    }

    /// A mapping model that fills what is new from the keys; nil if there is no inferred one.
    private func mappings(from old: NSManagedObjectModel) -> NSMappingModel? {
        let mappings = try? NSMappingModel.inferredMappingModel(
            forSourceModel: old, destinationModel: model)
        for mapping in mappings?.entityMappings ?? [] {
            for property in mapping.attributeMappings ?? []
            where version.added.contains(property.name ?? "") {
                property.valueExpression = NSExpression(format: "$source.key")
            }
        }
        return mappings
    }

    // MARK: - Expectations

    private func expect(
        _ device: Device, shows expected: ShownObjects, except properties: Set<String> = [],
        inAnyOrder: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var (shown, expected) = (try ShownObjects(device), expected)
        if inAnyOrder { (shown, expected) = (shown.withoutOrder, expected.withoutOrder) }
        let differences = shown.without(properties).differences(
            from: expected.without(properties))
        #expect(
            differences.isEmpty, "\(device.name), \(description)", sourceLocation: sourceLocation)
    }

    /// Syncs, and expects the same there, on a device that starts with the last model, and after everything is
    /// fetched again.
    func end() async throws {
        log.append("end")
        let expected = try ShownObjects(device)
        try await device.store.sync()
        try expect(device, shows: expected)
        let fresh = try Device("fresh", on: cloud, policy: policy, model: model)
        try await fresh.store.sync()
        try expect(fresh, shows: expected)
        try await device.store.sync(complete: true)
        for device in [device, fresh] {
            try expect(device, shows: expected)
            #expect(try device.store.syncStatus().pendingChangeCount == 0, "\(description)")
            #expect(try device.store.checkInvariants().isEmpty, "\(description)")
        }
    }
}
