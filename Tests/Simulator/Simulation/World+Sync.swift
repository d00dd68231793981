import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3

/// What devices do by themselves.
extension World {
    /// Lets a device synchronise, and sees what has become of everything.
    func sync(_ device: Int, _ trigger: Step.Trigger, _ fault: SyncFault?) async throws {
        let journal = Journal()
        let ids = try fault.map { try add($0, on: device, journal) } ?? []
        if trigger == .complete, let owner = owners[device] {
            users[index(of: owner)].oracle.expired.insert(device)
        }
        let account = accounts[device]
        var error = try await perform(trigger, on: device)
        if let failure = await journal.further?.end() { error = error ?? failure }
        for id in ids { cloud.faults.remove(id) }
        devices[device].beforeCommit(nil)
        if let silence = journal.silence { cloud.faults.remove(silence) }
        if let failure = journal.failure { throw failure }
        if journal.silence != nil { try devices[device].crash() }
        try checkEnd(of: device, error, isExpected: fault != nil)
        _ = try followOwner(device)
        try look(at: device)
        for other in journal.others { try look(at: other) }
        let isComplete = error == nil && journal.silence == nil
        try await check(transitions(device, of: account, isComplete, fault, journal))
        if isComplete, let owner = owners[device] {
            users[index(of: owner)].oracle.noteSuccess(device)
        }
    }

    /// What may have happened to the records of the user who was signed in when it began.
    private func transitions(
        _ device: Int, of account: Step.Account, _ isComplete: Bool, _ fault: SyncFault?,
        _ journal: Journal
    ) -> [Step.Account: Oracle.Transition] {
        guard let owner = owners[device], owner == account else { return [:] }
        let oracle = users[index(of: owner)].oracle
        if let event = journal.event {
            return [owner: oracle.interruptedPass(device, isComplete: isComplete, by: event)]
        }
        return [
            owner: oracle.pass(
                device, isComplete: isComplete && !(fault?.leavesDoubt ?? false))
        ]
    }

    /// Sees that a synchronisation failed only for a reason, and that what the store says of itself
    /// agrees.
    private func checkEnd(of device: Int, _ error: (any Error)?, isExpected: Bool) throws {
        let status = try devices[device].store.syncStatus()
        nextAttempts[device] = status.nextAttempt
        guard let error else {
            guard status.lastError == nil || isExpected else {
                throw SimulationError.violation(
                    "device \(device) has synchronised, and says: \(status.lastError ?? "")")
            }
            return
        }
        if let asked = (error as? CKError)?.retryAfterSeconds, status.lastError != nil,
            (error as? CKError).map({ Self.passesByWaiting.contains($0.code) }) ?? false
        {
            guard let attempt = status.nextAttempt, attempt.timeIntervalSinceNow > asked - 5 else {
                throw SimulationError.violation(
                    "device \(device) does not wait for \(asked) seconds after \(error)")
            }
        }
        guard try !isExpected && !mayFail(device) else { return }
        throw SimulationError.violation(
            "the synchronisation of device \(device) failed without a fault: \(error)")
    }

    private static let passesByWaiting: Set<CKError.Code> = [
        .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited, .zoneBusy,
    ]

    func mayFail(_ device: Int) throws -> Bool {
        guard isAtHome(device), let owner = owners[device] else { return true }
        if users[index(of: owner)].oracle.mayStop(device) { return true }
        // A record that the server has refused waits for its next edit.
        return try devices[device].store.statistics().pendingChanges.values.contains {
            $0.refused > 0
        }
    }

    // MARK: - Triggers

    /// Lets something trigger a synchronisation.
    ///
    /// - Returns: Why it failed, if it did.
    private func perform(
        _ trigger: Step.Trigger, on device: Int
    ) async throws -> (any Error)? {
        let store = try devices[device].store
        switch trigger {
        case .user, .complete:
            do {
                try await store.sync(complete: trigger == .complete)
                return nil
            } catch {
                return error
            }
        case .push: return await push(1, store) ? nil : PushFailed()
        case .twoPushes: return await push(2, store) ? nil : PushFailed()
        case .automatic: return try await saveAndSynchronise(device, store)
        }
    }

    /// That the handler of a push was told that something failed is all that is said.
    private struct PushFailed: Error {}

    /// Hands a push to a store, perhaps twice.
    ///
    /// - Returns: Whether all went well.
    private func push(_ count: Int, _ store: SMStore) async -> Bool {
        let zone = users[0].server.zoneName
        let results = AsyncStream<FetchResult> { continuation in
            for _ in 0..<count {
                store.handlePush(userInfo: [
                    "aps": ["content-available": 1],
                    "ck": [
                        "cid": SimulatedDevice.containerIdentifier,
                        "fet": ["zid": zone, "dbs": 1, "sid": "SM_CloudStore_Subscription"],
                    ] as [String: Any],
                ]) { continuation.yield($0) }
            }
        }
        var isWell = true
        var remaining = count
        for await result in results {
            isWell = isWell && result != .failed
            remaining -= 1
            if remaining == 0 { break }
        }
        return isWell
    }

    /// Edits and saves while the store synchronises by itself, if nothing keeps it from doing so.
    private func saveAndSynchronise(_ device: Int, _ store: SMStore) async throws -> (any Error)? {
        guard let owner = owners[device], try mayFail(device) == false,
            nextAttempts[device].map({ $0 < Date() }) ?? true,
            let item = tables[device].names(.item).first
        else {
            do {
                try await store.sync()
                return nil
            } catch {
                return error
            }
        }
        let events = store.events
        store.syncAutomatically = true
        let text = newText(.note)
        _ = try devices[device].save([.set(.note, of: item, to: text)])
        users[index(of: owner)].oracle.set(Field.note.rawValue, of: item, to: text, on: device)
        defer { store.syncAutomatically = false }
        for await event in events where event.kind == .sync && event.endDate != nil {
            return event.error
        }
        return nil
    }

    /// A synchronisation in the midst of another device's.
    func syncBetween(_ device: Int) async throws -> Oracle.Transition? {
        guard isAtHome(device), let owner = owners[device], try devices[device].owner() != nil,
            users[index(of: owner)].oracle.bereft.isEmpty
        else { return nil }
        var isComplete = true
        do {
            try await devices[device].store.sync()
        } catch {
            guard try mayFail(device) else { throw error }
            isComplete = false
        }
        nextAttempts[device] = try devices[device].store.syncStatus().nextAttempt
        let transition = users[index(of: owner)].oracle.pass(device, isComplete: isComplete)
        if isComplete { users[index(of: owner)].oracle.noteSuccess(device) }
        return transition
    }
}

extension Task where Success == Void, Failure == any Error {
    /// Waits for the end.
    ///
    /// - Returns: Why it failed, if it did.
    fileprivate func end() async -> (any Error)? {
        do {
            try await value
            return nil
        } catch {
            return error
        }
    }
}
