import CloudKitService
import CoreData
import LocalCloud
import Seam3

/// The names and the migrations of a run.
enum RunNaming: Equatable {
    /// All of the plan's migrations.
    case asPlanned
    /// Only the migrations to another level, with one version's names throughout.
    case namesOf(Int)
    /// The first version until the end.
    case withoutMigrations

    func version(forNamesOf version: Int) -> Int {
        switch self {
        case .asPlanned: version
        case .namesOf(let version): version
        case .withoutMigrations: 0
        }
    }
}

/// What a run has led to.
struct RunOutcome {
    /// What is wrong with the run by itself.
    var problems: [String] = []
    /// What each device shows when the sync has come to an end, and once more with the last version.
    var ends: [[[String]]] = []
    /// The results of the steps.
    var results: [String] = []
    /// What the devices show after each step, if the run was asked for it.
    var shown: [[String]] = []
}

/// A run of a schedule on new devices with a new cloud.
final class RenamingRun: @unchecked Sendable {
    // Unchecked because only one thing happens at a time: what happens during a pass runs while the
    // pass waits for it.

    private let plan: ModelPlan
    private let naming: RunNaming
    private let directory: URL
    let cloud: LocalCloud
    let devices: [SyncedDevice]
    private var outcome = RunOutcome()

    /// Runs a schedule.
    ///
    /// - Parameter isWatched: Whether to look at the devices after each step.
    static func run(
        _ schedule: RenamingSchedule, _ naming: RunNaming, isWatched: Bool = false
    ) async throws -> RunOutcome {
        let run = try RenamingRun(schedule.plan, naming)
        defer { run.end() }
        do {
            try await run.play(schedule.steps, isWatched)
        } catch {
            run.outcome.problems.append("broken off: \(error)")
        }
        return run.outcome
    }

    private init(_ plan: ModelPlan, _ naming: RunNaming) throws {
        self.plan = plan
        self.naming = naming
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("Renaming-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let cloud = LocalCloud.inMemory()
        self.directory = directory
        self.cloud = cloud
        devices = (0..<plan.deviceCount).map {
            SyncedDevice($0, plan, naming, cloud, in: directory)
        }
    }

    private func end() {
        for device in devices { try? device.close() }
        try? FileManager.default.removeItem(at: directory)
    }

    private func play(_ steps: [ScheduleStep], _ isWatched: Bool) async throws {
        for device in devices { try device.open() }
        for step in steps {
            outcome.results.append(try await perform(step))
            if isWatched {
                outcome.shown.append(
                    try devices.flatMap { device in
                        try device.lines().map { "\(device.identifier): \($0)" }
                    })
            }
        }
        for device in devices {
            device.discardHeldEdits()
            try change(.signIn, of: device)
        }
        try await settle("at first")
        for device in devices { try device.migrate(to: plan.lastVersion, .inPlace) }
        try await settle("with the last version")
        let shown = try devices.map { try $0.lines(onlySynced: true) }
        for (device, lines) in zip(devices, shown).dropFirst() where lines != shown[0] {
            outcome.problems.append(
                "\(device.identifier) differs from device0:"
                    + LineDifference.text(shown[0], lines))
        }
    }

    /// Syncs all devices until nothing changes and nothing waits.
    private func settle(_ moment: String) async throws {
        var shown: [[String]] = []
        var waits = ""
        for _ in 0..<Self.mostRounds {
            let former = shown
            var results: [String] = []
            for device in devices { results.append(await device.sync()) }
            shown = try devices.map { try $0.lines() }
            let pending = try devices.map { try $0.store.syncStatus().pendingChangeCount }
            let isDone = results.allSatisfy { $0 == "ok" } && pending.allSatisfy { $0 == 0 }
            waits = isDone && shown == former ? "" : "\(pending) changes wait: \(results)"
            if waits.isEmpty { break }
        }
        outcome.ends.append(shown)
        if !waits.isEmpty { outcome.problems.append("\(moment), the sync does not end: \(waits)") }
        for device in devices {
            outcome.problems += try device.damages().map {
                "\(moment), \(device.identifier): \($0)"
            }
        }
    }

    private static let mostRounds = 15

    // MARK: - Steps

    private func perform(_ step: ScheduleStep) async throws -> String {
        let device = devices[step.device]
        switch step {
        case .edit(let edit, _): return device.perform(edit)
        case .hold(let edit, _): return device.hold(edit)
        case .saveHeld: return device.saveHeld()
        case .account(let trouble, _): try change(trouble, of: device)
        case .zone(let trouble): await happens(trouble)
        case .sync(let trouble, _): return await sync(device, trouble)
        case .forgetServer: try device.store.resetCloudFieldsInBackingStore()
        case .relaunch: try device.relaunch()
        case .migrate(let jumps, _):
            for jump in jumps {
                let later = min(device.version + jump.count, plan.lastVersion)
                if later != device.version { try device.migrate(to: later, jump.way) }
            }
        }
        return "ok"
    }
}
