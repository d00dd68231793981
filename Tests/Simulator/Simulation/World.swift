import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3

/// Several devices of one user, the cloud, and the oracle that watches them.
final class World {
    private let cloud = LocalCloud.inMemory()
    private let observer: CKContainer
    private let directory: URL
    private let devices: [SimulatedDevice]
    private var oracle: Oracle
    private var valueCount = 0
    private static let zoneID = CKRecordZone.ID(zoneName: "SMStoreCloudStore_CustomZone")

    init(devices count: Int, policy: SMSyncConflictResolutionPolicy) throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("seam3-simulate-\(UUID().uuidString)")
        observer = CKContainer(
            identifier: SimulatedDevice.containerIdentifier, service: cloud)
        oracle = Oracle(deviceCount: count, policy: policy)
        let (cloud, directory) = (cloud, directory)
        devices = try (0..<count).map {
            try SimulatedDevice(
                $0, on: cloud, in: directory, policy: policy, model: ItemModel.make())
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    // MARK: - Steps

    /// Lets a step happen, and checks everything after those that users do not do.
    func run(_ step: Step) async throws {
        switch step {
        case .insert(let device, let parent): try insert(on: device, parent: parent)
        case .edit(let device, let item, let field):
            try edit(on: device, item: item, field: field, clears: false)
        case .clear(let device, let item, let field):
            try edit(on: device, item: item, field: field, clears: true)
        case .move(let device, let item, let parent):
            try move(on: device, item: item, parent: parent)
        case .delete(let device, let item): try delete(on: device, item: item)
        case .sync(let device, nil): try await sync(device)
        case .sync(let device, let fault?): try await sync(device, fault)
        case .relaunch(let device):
            try devices[device].relaunch()
            try await check { _, state in [RecordState.Outcome(state: state)] }
        case .expireTokens: try await expireTokens()
        }
    }

    /// Lets all devices synchronise until nothing is left, and sees that all agree.
    func settle() async throws {
        for _ in 1...3 {
            for device in devices.indices { try await sync(device) }
        }
        let tables = try devices.map { try $0.items() }
        let server = try await serverValues()
        let names = Set(server.keys)
        for (number, table) in tables.enumerated() {
            let expected = server.mapValues { $0.visible(among: names) }
            guard table == expected else {
                throw SimulationError.violation(
                    "device \(number) and the server differ in the end:\n  device: \(table)\n"
                        + "  server: \(expected)")
            }
            let pending = try devices[number].store.syncStatus().pendingChangeCount
            guard pending == 0 else {
                throw SimulationError.violation(
                    "\(pending) changes wait on device \(number) in the end")
            }
        }
    }

    private func newValue() -> String {
        valueCount += 1
        return "v\(valueCount)"
    }

    /// The name of the item that a step means; nil if the device has none. What a policy makes in
    /// the midst of a synchronisation is left alone until the oracle has seen it.
    private func name(_ item: Int, on device: Int) throws -> String? {
        let names = try devices[device].items().keys.filter { oracle.records[$0] != nil }.sorted()
        return names.isEmpty ? nil : names[item % names.count]
    }

    private func insert(on device: Int, parent: Int?) throws {
        let parentName = try parent.flatMap { try name($0, on: device) }
        var values = Values()
        values[Step.Field.title.rawValue] = newValue()
        values[Values.parent] = parentName
        let new = try devices[device].insert(
            title: values[Step.Field.title.rawValue] ?? "", parent: parentName)
        oracle.insert(new, values, on: device)
    }

    private func edit(on device: Int, item: Int, field: Step.Field, clears: Bool) throws {
        guard let name = try name(item, on: device) else { return }
        let value = clears ? nil : newValue()
        try devices[device].set(field, of: name, to: value)
        oracle.set(field.rawValue, of: name, to: value, on: device)
    }

    private func move(on device: Int, item: Int, parent: Int?) throws {
        guard let name = try name(item, on: device) else { return }
        let parentName = try parent.flatMap { try self.name($0, on: device) }
        let old = try devices[device].items()[name]?[Values.parent]
        guard parentName != name, parentName != old else { return }
        try devices[device].move(name, to: parentName)
        oracle.set(Values.parent, of: name, to: parentName, on: device)
    }

    private func delete(on device: Int, item: Int) throws {
        guard let name = try name(item, on: device) else { return }
        try devices[device].delete(name)
        oracle.delete(name, on: device)
    }

    private func expireTokens() async throws {
        guard try await !serverValues().isEmpty else { return }
        try await cloud.expireTokens(
            ofZone: Self.zoneID.zoneName, in: observer.requestContext())
        oracle.expired = Set(devices.indices)
    }

    // MARK: - Synchronisation

    private func sync(_ device: Int) async throws {
        try await devices[device].store.sync()
        try await check(oracle.completePass(device))
        oracle.expired.remove(device)
    }

    private func sync(_ device: Int, _ fault: SyncFault) async throws {
        let journal = Journal()
        let id = add(fault, on: device, journal)
        var isComplete = true
        do {
            try await devices[device].store.sync()
        } catch {
            isComplete = false
        }
        cloud.faults.remove(id)
        if let silence = journal.silence { cloud.faults.remove(silence) }
        if let error = journal.failure { throw error }
        if journal.silence != nil {
            try devices[device].crash()
            isComplete = false
        }
        let pass =
            isComplete && !fault.leavesDoubt
            ? oracle.completePass(device) : oracle.brokenPass(device)
        try await check(
            journal.event.map {
                oracle.interruptedPass(device, isComplete: isComplete, by: $0)
            } ?? pass)
        if isComplete { oracle.expired.remove(device) }
    }

    /// What a fault did besides failing.
    private final class Journal: @unchecked Sendable {
        // Unchecked because the cloud's one request under way is the only one to write, and the
        // world reads when the synchronisation has ended.
        var failure: (any Error)?
        /// The fault that keeps a process that has ended from further requests.
        var silence: FaultPlan.ID?
        var event: Oracle.Transition?
    }

    private func add(_ fault: SyncFault, on device: Int, _ journal: Journal) -> FaultPlan.ID {
        let pattern = RequestPattern.kind(
            fault.request.kind, device: devices[device].cloudContainer.device)
        nonisolated(unsafe) let world = self
        let effect: Fault.Effect
        switch fault.effect {
        case .fail(let failure): effect = .fail(failure.code)
        case .loseAnswer: effect = .loseAnswer()
        case .crashBefore, .crashAfter:
            let moment: Fault.Moment =
                fault.effect == .crashBefore ? .beforeCommit : .afterCommit
            effect = .call(moment) { _ in
                do {
                    try world.devices[device].captureFiles()
                    journal.silence = world.cloud.faults.add(
                        .fail(.serverResponseLost),
                        for: RequestPattern(device: world.devices[device].cloudContainer.device),
                        occurrences: .always)
                } catch {
                    journal.failure = error
                }
            }
        case .otherDevice(let other):
            effect = .call(.beforeCommit) { _ in
                guard other != device else { return }
                do {
                    try await world.devices[other].store.sync()
                    journal.event = world.oracle.completePass(other)
                } catch {
                    journal.failure = error
                }
            }
        case .editBefore(let item), .editAfter(let item):
            let isBefore = fault.effect == .editBefore(item: item)
            effect = .call(isBefore ? .beforeCommit : .afterCommit) { _ in
                world.editDuringSync(on: device, item: item, journal)
            }
        }
        return cloud.faults.add(effect, for: pattern, occurrences: .nth(fault.occurrence))
    }

    private func editDuringSync(on device: Int, item: Int, _ journal: Journal) {
        do {
            guard let name = try name(item, on: device) else { return }
            let value = newValue()
            try devices[device].set(.note, of: name, to: value)
            journal.event = { record, state in
                var state = state
                if record == name { state.set(Step.Field.note.rawValue, to: value, on: device) }
                return [RecordState.Outcome(state: state)]
            }
        } catch {
            journal.failure = error
        }
    }

    // MARK: - Checks

    private func check(_ transition: Oracle.Transition) async throws {
        try oracle.advance(
            transition, server: await serverValues(), rows: devices.map { try $0.items() })
    }

    /// What the server has, read without the engine.
    private func serverValues() async throws -> [String: Values] {
        var values: [String: Values] = [:]
        var token: CKServerChangeToken?
        while true {
            do {
                let changes = try await observer.privateCloudDatabase.recordZoneChanges(
                    inZoneWith: Self.zoneID, since: token)
                for (recordID, result) in changes.modificationResultsByID {
                    values[recordID.recordName] = Values(try result.get().record)
                }
                for deletion in changes.deletions { values[deletion.recordID.recordName] = nil }
                token = changes.changeToken
                if !changes.moreComing { return values }
            } catch let error as CKError where error.code == .zoneNotFound {
                return [:]
            }
        }
    }
}

extension Values {
    fileprivate init(_ record: CKRecord) {
        for field in Step.Field.allCases {
            let value: String? = record[field.rawValue]
            self[field.rawValue] = value
        }
        let parent: CKRecord.Reference? = record[Values.parent]
        self[Values.parent] = parent?.recordID.recordName
    }
}

extension SyncFault {
    /// Whether a pass may end well without having done everything at once.
    fileprivate var leavesDoubt: Bool {
        switch effect {
        case .fail, .loseAnswer: return true
        default: return false
        }
    }
}

extension SyncFault.Request {
    fileprivate var kind: RequestKind {
        switch self {
        case .databaseChanges: return .fetchDatabaseChanges
        case .zoneChanges: return .fetchZoneChanges
        case .save: return .modifyRecords
        case .lookUp: return .lookUpRecords
        }
    }
}

extension SyncFault.Failure {
    fileprivate var code: ServerErrorCode {
        switch self {
        case .zoneBusy: return .zoneBusy
        case .throttled: return .throttled
        case .internalError: return .internalError
        case .networkFailure: return .serverResponseLost
        }
    }
}
