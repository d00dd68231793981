import Seam3

/// What may be true of one record on the server and on all devices, and what the rules of
/// synchronisation make of it.
///
/// This is the independent statement of what should happen; it knows nothing of the engine. What
/// an application cannot see, such as whether an answer arrived, is left open: a record has several
/// possible states until what is seen rules them out.
struct RecordState: Hashable {
    /// The record as the server has it.
    enum Server: Hashable {
        case absent
        case present(Values)
        /// It was deleted; some devices have not been told.
        case deleted(untold: Set<Int>)
    }

    /// A change that waits in a device's outbox.
    struct Pending: Hashable {
        enum Kind: Hashable { case insert, update, delete }

        var kind: Kind
        /// The changed properties as they were before; nil stands for no value.
        var base: [String: String?] = [:]
        /// What was sent last without an answer.
        var sent: Values?
        /// Whether it was sent at all.
        var isAttempted = false
    }

    /// The record as a device has it.
    struct Device: Hashable {
        var row: Values?
        var pending: Pending?
        /// The version of the server's record that the device last knew.
        var known: Int?
    }

    var server = Server.absent
    /// How often the server's record was changed.
    var version = 0
    var devices: [Device]

    init(deviceCount: Int) {
        devices = Array(repeating: Device(), count: deviceCount)
    }

    var serverValues: Values? {
        if case .present(let values) = server { return values }
        return nil
    }
}

// MARK: - What users do

extension RecordState {
    mutating func insert(_ values: Values, on device: Int) {
        devices[device].row = values
        guard let pending = devices[device].pending else {
            devices[device].pending = Pending(kind: .insert)
            return
        }
        // A link that was removed is back. If the removal has not been sent, nothing has happened.
        devices[device].pending =
            pending.isAttempted ? Pending(kind: .insert, isAttempted: true) : nil
        if pending.isAttempted { devices[device].known = nil }
    }

    mutating func set(_ field: String, to value: String?, on device: Int) {
        guard let old = devices[device].row else { return }
        devices[device].row?[field] = value
        guard old[field] != value else { return }
        var pending = devices[device].pending ?? Pending(kind: .update)
        devices[device].pending = pending
        guard pending.kind == .update else { return }
        if pending.base[field] == nil { pending.base.updateValue(old[field], forKey: field) }
        // What is taken back before it was sent has not happened. (Where a reference leads to may be
        // sent again all the same, and so may a place.)
        let isTakenBack = pending.base[field] == .some(value) && !pending.isAttempted
        if isTakenBack, value == nil || !Values.references.contains(field) {
            pending.base[field] = nil
        }
        devices[device].pending = pending.base.isEmpty ? nil : pending
    }

    mutating func delete(on device: Int) {
        guard devices[device].row != nil else { return }
        devices[device].row = nil
        guard var pending = devices[device].pending else {
            devices[device].pending = Pending(kind: .delete)
            return
        }
        if pending.kind == .insert, !pending.isAttempted {
            devices[device].pending = nil
        } else {
            pending.kind = .delete
            pending.base = [:]
            devices[device].pending = pending
        }
    }
}

extension RecordState {
    /// An object was deleted on a device: what refers to it there does so no more, and a link of it
    /// goes along.
    mutating func loseReference(to name: String, on device: Int) {
        guard let row = devices[device].row else { return }
        if row.isLink {
            guard row[Values.source] == name || row[Values.target] == name else { return }
            delete(on: device)
        } else if row[Values.parent] == name {
            set(Values.parent, to: nil, on: device)
        }
    }
}

// MARK: - What synchronisation does

extension RecordState {
    /// What a step of a device's synchronisation makes of the record.
    struct Outcome: Hashable {
        var state: RecordState
        /// The values of new objects, where the policy keeps both.
        var copies: [Values] = []

        /// The device sends what waits.
        func pushed(by device: Int) -> Outcome {
            Outcome(state: state.pushed(by: device), copies: copies)
        }

        /// The device deletes the record.
        func deleted(on device: Int) -> Outcome {
            var outcome = self
            outcome.state.delete(on: device)
            return outcome
        }
    }

    /// A deletion that followed that of a link's end is taken back by a later version of the link.
    func restored(on device: Int) -> RecordState {
        guard devices[device].pending?.kind == .delete, case .present(let values) = server,
            devices[device].known != version
        else { return self }
        var state = self
        state.devices[device] = Device(row: values, known: version)
        return state
    }

    /// The device learns what the server has.
    ///
    /// - Parameter response: What is done about records that have vanished, if the device fetches all
    ///   records and is told of no deletion: it then misses only what it knows the server had.
    func pulled(
        by device: Int, _ policy: SMSyncConflictResolutionPolicy,
        vanished response: Step.ZoneResponse? = nil
    ) -> Outcome {
        var outcome = Outcome(state: self)
        switch server {
        case .absent:
            if let response { outcome.state.vanish(device, policy, response) }
        case .deleted(var untold):
            guard untold.contains(device), response != .stop else { break }
            untold.remove(device)
            outcome.state.server = .deleted(untold: untold)
            if let response {
                outcome.state.vanish(device, policy, response)
            } else {
                outcome.state.learnDeletion(device, policy)
            }
        case .present(let values):
            // A device is not told again what it knows.
            guard devices[device].known != version else { break }
            outcome.copies = outcome.state.learn(values, device, policy)
        }
        return outcome
    }

    private mutating func vanish(
        _ device: Int, _ policy: SMSyncConflictResolutionPolicy, _ response: Step.ZoneResponse
    ) {
        guard devices[device].known != nil else { return }
        switch response {
        case .stop: break
        case .removeLocalData: learnDeletion(device, policy)
        case .upload:
            let isAttempted = devices[device].pending?.isAttempted ?? false
            devices[device].known = nil
            devices[device].pending =
                devices[device].row == nil
                ? nil : Pending(kind: .insert, isAttempted: isAttempted)
        }
    }

    private mutating func learnDeletion(
        _ device: Int, _ policy: SMSyncConflictResolutionPolicy
    ) {
        let old = devices[device]
        devices[device].known = nil
        if let row = old.row, let pending = old.pending {
            let isEdit =
                pending.kind == .insert || pending.base.contains { row[$0.key] != $0.value }
            if isEdit, policy != .serverRecordWins {
                devices[device].pending = Pending(
                    kind: .insert, isAttempted: pending.isAttempted)
                return
            }
        }
        devices[device].row = nil
        devices[device].pending = nil
    }

    /// - Returns: The values of a new object, if the policy keeps both.
    private mutating func learn(
        _ server: Values, _ device: Int, _ policy: SMSyncConflictResolutionPolicy
    ) -> [Values] {
        let old = devices[device]
        defer { devices[device].known = version }
        guard let pending = old.pending else {
            devices[device].row = server
            return []
        }
        if pending.kind == .delete {
            if server != pending.sent, policy != .clientRecordWins {
                devices[device].row = server
                devices[device].pending = nil
            }
            return []
        }
        guard let local = old.row else { return [] }
        let (result, keepsCopy) = Self.resolve(
            local: local, server: server, ancestor: ancestor(of: device, server), policy)
        devices[device].row = result
        let differences = result.differences(from: server)
        devices[device].pending =
            differences.isEmpty
            ? nil
            : Pending(
                kind: .update,
                base: Dictionary(uniqueKeysWithValues: differences.map { ($0, server[$0]) }),
                isAttempted: pending.isAttempted)
        return keepsCopy ? [local] : []
    }

    /// What both sides last agreed on; nil where each created the record.
    private func ancestor(of device: Int, _ server: Values) -> Values? {
        guard let pending = devices[device].pending, let row = devices[device].row else {
            return nil
        }
        if pending.sent == server { return server }
        guard pending.kind == .update else { return nil }
        var ancestor = row
        for (name, value) in pending.base { ancestor[name] = value }
        return ancestor
    }

    /// The rules of the policies.
    static func resolve(
        local: Values, server: Values, ancestor: Values?,
        _ policy: SMSyncConflictResolutionPolicy
    ) -> (result: Values, keepsCopy: Bool) {
        if local == server { return (server, false) }
        if let ancestor {
            if server == ancestor { return (local, false) }
            if local == ancestor { return (server, false) }
        }
        switch policy {
        case .serverRecordWins: return (server, false)
        case .clientRecordWins: return (local, false)
        case .keepBoth: return (server, true)
        case .clientTellsWhichWins: return (applicationChoice(local, server), false)
        case .mergeByProperty: return (merge(local, server, ancestor, server), false)
        case .mergeByPropertyClientWins: return (merge(local, server, ancestor, local), false)
        case .mergeByPropertyClientTells:
            let chosen = applicationChoice(local, server)
            return (merge(local, server, ancestor, chosen), false)
        }
    }

    /// Each value by who changed it; where both did, or nobody knows, the winner's.
    private static func merge(
        _ local: Values, _ server: Values, _ ancestor: Values?, _ winner: Values
    ) -> Values {
        var merged = server
        for name in local.differences(from: server) {
            if let ancestor, local[name] == ancestor[name] { continue }
            if let ancestor, server[name] == ancestor[name] {
                merged[name] = local[name]
            } else {
                merged[name] = winner[name]
            }
        }
        return merged
    }

    /// The attributes of which the simulated application chooses the value that sorts last; of all else
    /// it takes the server's.
    static let texts: [Field] = [.title, .note]

    private static func applicationChoice(_ local: Values, _ server: Values) -> Values {
        var chosen = server
        for field in texts {
            chosen[field.rawValue] = [local[field.rawValue], server[field.rawValue]]
                .compactMap { $0 }.max()
        }
        return chosen
    }

    /// How far the sending of a change comes.
    enum Sending: CaseIterable {
        /// It was noted that it is being sent, and the server does not get it.
        case attempted
        /// The server gets it, and the device does not get the answer.
        case unanswered
        case acknowledged
    }

    /// The device sends what waits.
    func pushed(by device: Int, _ sending: Sending = .acknowledged) -> RecordState {
        guard let pending = devices[device].pending else { return self }
        var state = self
        state.devices[device].pending?.isAttempted = true
        guard let row = devices[device].row else {
            // A deletion.
            if sending == .attempted { return state }
            if serverValues != nil {
                state.version += 1
                let others = Set(devices.indices).subtracting([device])
                // An answer that is lost comes back as a deletion in the feed.
                state.server = .deleted(
                    untold: sending == .acknowledged ? others : others.union([device]))
            }
            if sending == .acknowledged {
                state.devices[device].pending = nil
                state.devices[device].known = nil
            }
            return state
        }
        var values = serverValues ?? Values()
        if pending.kind == .insert {
            values = row
        } else {
            for name in pending.base.keys { values[name] = row[name] }
        }
        state.devices[device].pending?.sent = values
        if sending == .attempted { return state }
        state.version += 1
        state.server = .present(values)
        if sending == .acknowledged {
            state.devices[device].pending = nil
            state.devices[device].known = state.version
        }
        return state
    }
}

// MARK: - Account and zone

extension RecordState {
    /// The zone is gone, and what the server had with it.
    mutating func loseZone() { server = .absent }

    /// The device sends everything again, as new.
    mutating func forgetServer(_ device: Int) {
        devices[device].known = nil
        devices[device].pending =
            devices[device].row == nil ? nil : Pending(kind: .insert)
    }

    /// The device removes everything, and forgets the server.
    mutating func removeLocalData(_ device: Int) {
        devices[device] = Device()
    }
}
