import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3

/// What goes wrong.
extension World {
    /// What a fault did besides failing.
    final class Journal: @unchecked Sendable {
        // Unchecked because the cloud's one request under way, or the one commit, is the only one to
        // write, and the world reads when the synchronisation has ended.

        var failure: (any Error)?
        /// The fault that keeps a process that has ended from further requests.
        var silence: FaultPlan.ID?
        var event: Oracle.Transition?
        /// Other devices that did something.
        var others: [Int] = []
        /// What a further trigger has brought about.
        var further: Task<Void, any Error>?
    }

    /// Lets something go wrong in the next synchronisation of a device.
    ///
    /// - Returns: The faults to be removed after it.
    func add(_ fault: SyncFault, on device: Int, _ journal: Journal) throws -> [FaultPlan.ID] {
        let pattern = RequestPattern(
            fault.request.kinds, device: devices[device].cloudContainer.device)
        let nth = Fault.Occurrences.nth(fault.occurrence)
        switch fault.effect {
        case .fail(let code, let retryAfter):
            tokenMayExpire(code, on: device)
            let error = ServerErrorCode(ckErrorCode: code)
            return [
                cloud.faults.add(
                    .fail(error, retryAfter: retryAfter.map(Double.init)), for: pattern,
                    occurrences: nth)
            ]
        case .failAlways(let code):
            tokenMayExpire(code, on: device)
            return [
                cloud.faults.add(
                    .fail(ServerErrorCode(ckErrorCode: code)), for: pattern, occurrences: .always)
            ]
        case .loseAnswer:
            return [cloud.faults.add(.loseAnswer(), for: pattern, occurrences: nth)]
        case .refuse(let item, let code):
            return try refuse(item, code, on: device, neighbours: false, nth)
        case .refuseBatch(let item, let code):
            return try refuse(item, code, on: device, neighbours: true, nth)
        case .crashBefore, .crashAfter:
            let moment: Fault.Moment =
                fault.effect == .crashBefore ? .beforeCommit : .afterCommit
            nonisolated(unsafe) let world = self
            return [
                cloud.faults.add(
                    .call(moment) { _ in world.endProcess(of: device, journal) }, for: pattern,
                    occurrences: nth)
            ]
        case .crashAtCommit(let count):
            nonisolated(unsafe) let world = self
            devices[device].beforeCommit(count) { world.endProcess(of: device, journal) }
            return []
        case .otherDevice(let other):
            nonisolated(unsafe) let world = self
            return [
                cloud.faults.add(
                    .call(.beforeCommit) { _ in
                        await world.syncBetween(other, during: device, journal)
                    }, for: pattern, occurrences: nth)
            ]
        case .signIn(let account):
            nonisolated(unsafe) let world = self
            return [
                cloud.faults.add(
                    .call(.afterCommit) { _ in
                        await world.signIn(account, during: device, journal)
                    }, for: pattern, occurrences: nth)
            ]
        case .editBefore(let item, let touch), .editAfter(let item, let touch):
            let isBefore = fault.effect == .editBefore(item: item, touch)
            nonisolated(unsafe) let world = self
            return [
                cloud.faults.add(
                    .call(isBefore ? .beforeCommit : .afterCommit) { _ in
                        world.editDuringSync(on: device, item: item, touch, journal)
                    }, for: pattern, occurrences: nth)
            ]
        case .slow(let seconds, let meanwhile):
            nonisolated(unsafe) let world = self
            return [
                cloud.faults.add(
                    .call(.beforeCommit) { _ in
                        await world.wait(seconds, on: device, meanwhile, journal)
                    }, for: pattern, occurrences: nth)
            ]
        }
    }

    /// A device that is told that its token has expired fetches everything.
    private func tokenMayExpire(_ code: Int, on device: Int) {
        guard code == CKError.Code.changeTokenExpired.rawValue, let owner = owners[device] else {
            return
        }
        users[index(of: owner)].oracle.expired.insert(device)
    }

    /// Lets the server refuse one of the records that wait, and perhaps all others of its batch.
    private func refuse(
        _ item: Int, _ code: Int, on device: Int, neighbours: Bool, _ nth: Fault.Occurrences
    ) throws -> [FaultPlan.ID] {
        let names = try devices[device].pendingNames().sorted()
        guard !names.isEmpty else { return [] }
        let name = names[item % names.count]
        let pattern = RequestPattern(
            [.modifyRecords], item: name, device: devices[device].cloudContainer.device)
        var faults = [
            cloud.faults.add(
                .failItems([name], ServerErrorCode(ckErrorCode: code)), for: pattern,
                occurrences: nth)
        ]
        if neighbours {
            faults.append(
                cloud.faults.add(
                    .failItems(Set(names).subtracting([name]), .atomicError), for: pattern,
                    occurrences: nth))
        }
        return faults
    }

    private func endProcess(of device: Int, _ journal: Journal) {
        guard journal.silence == nil else { return }
        do {
            try devices[device].captureFiles()
            journal.silence = cloud.faults.add(
                .fail(.serverResponseLost),
                for: RequestPattern(device: devices[device].cloudContainer.device),
                occurrences: .always)
        } catch {
            journal.failure = error
        }
    }

    /// Whether nothing but the usual happens in a device's synchronisation.
    private func isQuiet(_ device: Int) -> Bool {
        guard isAtHome(device), let owner = owners[device] else { return false }
        return users[index(of: owner)].oracle.bereft.isEmpty
    }

    private func syncBetween(_ other: Int, during device: Int, _ journal: Journal) async {
        guard other != device, isQuiet(device), owners[other] == owners[device] else { return }
        do {
            journal.event = try await syncBetween(other)
            journal.others.append(other)
        } catch {
            journal.failure = error
        }
    }

    private func signIn(_ account: Step.Account, during device: Int, _ journal: Journal) async {
        guard isQuiet(device), hasHadOwner.contains(device) else { return }
        do {
            try await signIn(account, on: device, removesLocalData: false)
        } catch {
            journal.failure = error
        }
    }

    private func editDuringSync(
        on device: Int, item number: Int, _ touch: SyncFault.Touch, _ journal: Journal
    ) {
        guard isQuiet(device), let owner = owners[device] else { return }
        do {
            let table = try devices[device].table()
            let waiting = try devices[device].pendingNames()
            let oracle = users[index(of: owner)].oracle
            // What is being sent is what is most worth an edit.
            var sent = table
            sent.rows = sent.rows.filter { waiting.contains($0.key) }
            guard let name = item(number, in: sent, oracle) ?? item(number, in: table, oracle)
            else { return }
            // A copy that the policy has made meanwhile is seen, and known to the oracle, only later.
            let isParentOfCopy = table.rows.contains {
                oracle.records[$0.key] == nil && $0.value[Values.parent] == name
            }
            if touch == .delete, isParentOfCopy { return }
            let change: Change
            switch touch {
            case .set(let field): change = .set(field, of: name, to: newText(field))
            case .clear(let field): change = .set(field, of: name, to: nil)
            case .delete: change = .delete(name)
            }
            _ = try devices[device].save([change])
            journal.event = oracle.saving(
                from: table, to: try devices[device].table(), on: device)
        } catch {
            journal.failure = error
        }
    }

    // MARK: - Slow requests

    private func wait(
        _ seconds: Int, on device: Int, _ meanwhile: SyncFault.Meanwhile, _ journal: Journal
    ) async {
        do {
            try devices[device].jump(seconds)
        } catch {
            journal.failure = error
        }
        switch meanwhile {
        case .nothing: break
        case .edit(let item, let touch):
            editDuringSync(on: device, item: item, touch, journal)
        case .otherDevice(let other): await syncBetween(other, during: device, journal)
        case .trigger:
            guard let store = try? devices[device].store else { return }
            journal.further = Task { _ = try await store.sync() }
        case .anotherProcess: await syncInAnotherProcess(on: device, journal)
        }
    }

    /// Lets another process synchronise a device's file, if it may.
    private func syncInAnotherProcess(on device: Int, _ journal: Journal) async {
        guard isQuiet(device), let owner = owners[device], hasHadOwner.contains(device) else {
            return
        }
        var isComplete = true
        do {
            let container = try devices[device].openAgain()
            defer { SimulatedDevice.close(container) }
            guard let store = SimulatedDevice.store(of: container) else { return }
            do {
                try await store.sync()
            } catch SMStoreError.synchronisedElsewhere {
                return
            } catch {
                guard try mayFail(device) else { throw error }
                isComplete = false
            }
            try devices[device].forgetObjects()
        } catch {
            journal.failure = error
        }
        journal.event = users[index(of: owner)].oracle.pass(device, isComplete: isComplete)
    }
}

extension SyncFault {
    /// Whether a pass may end well without having done everything at once.
    var leavesDoubt: Bool {
        switch effect {
        case .fail, .failAlways, .loseAnswer, .refuse, .refuseBatch, .signIn: return true
        default: return false
        }
    }
}

extension SyncFault.Request {
    fileprivate var kinds: Set<RequestKind> {
        switch self {
        case .databaseChanges: return [.fetchDatabaseChanges]
        case .zoneChanges: return [.fetchZoneChanges]
        case .save: return [.modifyRecords]
        case .lookUp: return [.lookUpRecords]
        case .zone: return [.modifyZones]
        case .subscription: return [.modifySubscriptions]
        case .accountStatus: return [.accountStatus]
        case .user: return [.fetchCaller]
        case .assetUpload: return [.requestAssetUploads, .uploadAsset]
        case .assetDownload: return [.downloadAsset]
        }
    }
}
