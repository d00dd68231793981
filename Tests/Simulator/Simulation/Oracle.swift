import Seam3

/// What all devices of a user and the server may hold by the rules, record by record.
struct Oracle {
    let deviceCount: Int
    let policy: SMSyncConflictResolutionPolicy
    /// The possible states of each record, by name.
    var records: [String: Set<RecordState>] = [:]
    /// The new objects that a policy has made.
    private var copies: Set<String> = []
    /// The devices whose change tokens have expired.
    var expired: Set<Int> = []
    /// The devices that have not dealt with the loss of the zone, and how it was lost last.
    var bereft: Set<Int> = []
    var zoneEnd = Step.ZoneEnd.deleted
    /// Whether some device has forgotten what it knew of deletions, so that a link without an end may
    /// stay.
    private(set) var hasForgotten = false
    /// What the application of each device has decided to do about a loss.
    var responses: [Step.ZoneResponse?]

    init(deviceCount: Int, policy: SMSyncConflictResolutionPolicy) {
        self.deviceCount = deviceCount
        self.policy = policy
        responses = Array(repeating: nil, count: deviceCount)
    }

    /// Policies do not reach links: a pair that one device adds and another removes is decided by
    /// what was done last.
    func policy(of name: String) -> SMSyncConflictResolutionPolicy {
        Values.isLinkName(name) ? .clientRecordWins : policy
    }

    // MARK: - What users do

    /// Takes over what a save has changed on a device.
    mutating func save(from old: Table, to new: Table, on device: Int) {
        for name in old.rows.keys where new.rows[name] == nil { delete(name, on: device) }
        for (name, values) in new.rows {
            guard let before = old.rows[name] else {
                insert(name, values, on: device)
                continue
            }
            for field in values.differences(from: before) {
                set(field, of: name, to: values[field], on: device)
            }
        }
    }

    private mutating func insert(_ name: String, _ values: Values, on device: Int) {
        guard records[name] != nil else {
            var state = RecordState(deviceCount: deviceCount)
            state.insert(values, on: device)
            records[name] = [state]
            return
        }
        change(name) { $0.insert(values, on: device) }
    }

    mutating func set(_ field: String, of name: String, to value: String?, on device: Int) {
        change(name) { $0.set(field, to: value, on: device) }
    }

    /// Deletes an object; what refers to it there loses its reference, and its links go along, also
    /// those that nobody sees because their other end is not there.
    private mutating func delete(_ name: String, on device: Int) {
        change(name) { $0.delete(on: device) }
        for other in records.keys where other != name {
            change(other) { $0.loseReference(to: name, on: device) }
        }
    }

    /// What a save in the midst of a synchronisation has changed, without new objects.
    func saving(from old: Table, to new: Table, on device: Int) -> Transition {
        let gone = old.rows.keys.filter { new.rows[$0] == nil && !Values.isLinkName($0) }
        return { name, state in
            var state = state
            if let before = old.rows[name] {
                if let values = new.rows[name] {
                    for field in values.differences(from: before) {
                        state.set(field, to: values[field], on: device)
                    }
                } else {
                    state.delete(on: device)
                }
            }
            for end in gone { state.loseReference(to: end, on: device) }
            return [RecordState.Outcome(state: state)]
        }
    }

    private mutating func change(_ name: String, _ body: (inout RecordState) -> Void) {
        guard let states = records[name] else { return }
        records[name] = Set(
            states.map { state in
                var state = state
                body(&state)
                return state
            })
    }

    // MARK: - What synchronisation does

    /// Something that a device's synchronisation may have done to a record.
    typealias Transition = (_ name: String, _ state: RecordState) -> [RecordState.Outcome]

    /// Nothing happens.
    static let nothing: Transition = { _, state in [RecordState.Outcome(state: state)] }

    /// What a synchronisation may have done to the records.
    ///
    /// - Parameter isComplete: Whether it ended well, and nothing came in between.
    func pass(_ device: Int, isComplete: Bool) -> Transition {
        let usual = isComplete ? completePass(device) : brokenPass(device)
        guard bereft.contains(device) else { return usual }
        // It may have dealt with the loss in an earlier attempt, and may do so now.
        return { name, state in
            ([state] + followed(state, device)).flatMap { usual(name, $0) }
                + (isComplete ? [] : [RecordState.Outcome(state: state)])
        }
    }

    /// What a synchronisation does that ends well, with nothing in between.
    private func completePass(_ device: Int) -> Transition {
        { name, state in
            let outcomes = pulls(name, state, device).map { $0.pushed(by: device) }
            guard mayFollowDeletion(name, device) else { return outcomes }
            // A link whose end this device has deleted may have come from another one meanwhile.
            return outcomes + outcomes.map { $0.deleted(on: device).pushed(by: device) }
        }
    }

    /// What a synchronisation may have done that did not end, or met a fault.
    private func brokenPass(_ device: Int) -> Transition {
        { name, state in
            var outcomes: Set = [RecordState.Outcome(state: state)]
            for start in outcomes.union(pulls(name, state, device)) {
                outcomes.insert(start)
                for sent in sendings(start, device) {
                    outcomes.insert(sent)
                    // The pass may go on after an error: it pulls, resolves and sends again.
                    for again in pulls(name, sent.state, device) {
                        var again = again
                        again.copies += sent.copies
                        outcomes.insert(again)
                        outcomes.formUnion(sendings(again, device))
                    }
                }
            }
            return Array(outcomes)
        }
    }

    private func sendings(
        _ outcome: RecordState.Outcome, _ device: Int
    ) -> [RecordState.Outcome] {
        guard outcome.state.devices[device].pending != nil else { return [outcome] }
        return RecordState.Sending.allCases.map { sending in
            var sent = outcome
            sent.state = outcome.state.pushed(by: device, sending)
            return sent
        }
    }

    /// What one pass makes of a record when something else happens in the middle of it.
    func interruptedPass(
        _ device: Int, isComplete: Bool, by event: @escaping Transition
    ) -> Transition {
        let pass = isComplete ? completePass(device) : brokenPass(device)
        let pull: Transition = { name, state in pulls(name, state, device) }
        return { name, state in
            let before = chain([event, pass], name, from: state)
            let after = chain([pass, event], name, from: state)
            let between = chain([pull, event, pass], name, from: state)
            // A deletion is sent without a look at what has come meanwhile.
            let blind = chain(
                [
                    pull, event,
                    { _, state in [RecordState.Outcome(state: state.pushed(by: device))] },
                ], name, from: state
            ).filter { _ in state.devices[device].row == nil }
            // An edit that comes after the first sending is sent by the same pass.
            let twice = chain([pass, event, pass], name, from: state)
            return before + after + between + blind + twice
        }
    }

    private func chain(
        _ transitions: [Transition], _ name: String, from state: RecordState
    ) -> [RecordState.Outcome] {
        var outcomes = [RecordState.Outcome(state: state)]
        for transition in transitions {
            outcomes = outcomes.flatMap { outcome in
                transition(name, outcome.state).map { next in
                    RecordState.Outcome(state: next.state, copies: outcome.copies + next.copies)
                }
            }
        }
        return outcomes
    }

    private func pulls(
        _ name: String, _ state: RecordState, _ device: Int
    ) -> [RecordState.Outcome] {
        let policy = policy(of: name)
        var outcomes = [state.pulled(by: device, policy)]
        if expired.contains(device) || bereft.contains(device) {
            let response = responses[device] ?? .removeLocalData
            outcomes.append(state.pulled(by: device, policy, vanished: response))
        }
        guard mayFollowDeletion(name, device) else { return outcomes }
        return outcomes + outcomes.map { $0.deleted(on: device) }
            + [RecordState.Outcome(state: state.restored(on: device))]
    }

    /// Whether a device may delete a link because one of its ends is deleted: the server has no such
    /// object any more, or somebody is about to delete it. One that merely has not arrived is another
    /// thing.
    private func mayFollowDeletion(_ name: String, _ device: Int) -> Bool {
        guard let ends = Values.endsOfLink(name) else { return false }
        return ends.contains { end in
            (records[end] ?? []).contains { state in
                if state.devices.contains(where: { $0.pending?.kind == .delete }) { return true }
                switch state.server {
                case .present: return false
                case .deleted: return true
                case .absent: return expired.contains(device) || bereft.contains(device)
                }
            }
        }
    }

    // MARK: - Account and zone

    /// The user's zone is lost.
    mutating func loseZone(_ end: Step.ZoneEnd) {
        zoneEnd = end
        hasForgotten = true
        bereft = Set(0..<deviceCount)
        for name in records.keys { change(name) { $0.loseZone() } }
    }

    /// What a device may do when it is told that the zone is gone; nothing if it leaves everything
    /// alone.
    private func followed(_ state: RecordState, _ device: Int) -> [RecordState] {
        var state = state
        switch responses[device] ?? (zoneEnd == .encryptedDataReset ? .upload : .stop) {
        case .stop: return []
        case .removeLocalData: state.removeLocalData(device)
        case .upload:
            state.forgetServer(device)
            guard let row = state.devices[device].row else { break }
            // Nothing is left of what was deleted here, and nobody can refer to it any more.
            let gone = row.fields.filter { field, name in
                Values.references.contains(field) && mayBeDeleted(name, on: device)
            }
            guard !gone.isEmpty else { break }
            var without = state
            for field in gone.keys { without.devices[device].row?[field] = nil }
            return [state, without]
        }
        return [state]
    }

    private func mayBeDeleted(_ name: String, on device: Int) -> Bool {
        (records[name] ?? []).contains { $0.devices[device].pending?.kind == .delete }
    }

    /// Whether a synchronisation of a device may end with an error because of what is lost.
    func mayStop(_ device: Int) -> Bool {
        if bereft.contains(device) { return responses[device] ?? .stop == .stop }
        return expired.contains(device) && responses[device] == .stop
    }

    /// A device has ended a synchronisation well.
    mutating func noteSuccess(_ device: Int) {
        expired.remove(device)
        bereft.remove(device)
    }

    /// A device has removed the user's data, and forgotten the server.
    mutating func removeLocalData(_ device: Int) {
        noteSuccess(device)
        hasForgotten = true
        for name in records.keys { change(name) { $0.removeLocalData(device) } }
    }

    // MARK: - Checking

    /// Lets a synchronisation change all records, and keeps what agrees with what is seen.
    ///
    /// - Parameters:
    ///   - transition: What it may do to each record.
    ///   - server: What the server has, by record name.
    ///   - rows: What each device's application sees, by record name.
    /// - Throws: A violation if no possibility is left for a record.
    mutating func advance(
        _ transition: Transition, server: [String: Values], rows: [[String: Values]],
        pending: [Set<String>]
    ) throws {
        var expected: [Values: Int] = [:]
        var allowed: [Values: Int] = [:]
        let alive = rows.map { Set($0.keys) }
        for (name, states) in records {
            let outcomes = Set(states.flatMap { transition(name, $0) }).filter { outcome in
                agrees(outcome.state, name, server, rows, alive, pending)
            }
            guard !outcomes.isEmpty else {
                throw SimulationError.violation(
                    explanation(name, states, server, rows, pending))
            }
            records[name] = Set(outcomes.map(\.state))
            count(outcomes, &expected, &allowed)
        }
        try adopt(
            server: server, rows: rows, pending: pending, expected: expected, allowed: allowed)
    }

    /// Counts the copies that there must be, and those that there may be.
    private func count(
        _ outcomes: Set<RecordState.Outcome>, _ expected: inout [Values: Int],
        _ allowed: inout [Values: Int]
    ) {
        let copies = outcomes.map { Set($0.copies) }
        for values in copies.reduce(into: Set<Values>(), { $0.formUnion($1) }) {
            allowed[values, default: 0] +=
                outcomes.map { $0.copies.filter { $0 == values }.count }
                .max() ?? 0
            if copies.allSatisfy({ $0.contains(values) }) { expected[values, default: 0] += 1 }
        }
    }

    /// Takes up the new objects that a policy has made, and sees that none is missing.
    private mutating func adopt(
        server: [String: Values], rows: [[String: Values]], pending: [Set<String>],
        expected: [Values: Int], allowed: [Values: Int]
    ) throws {
        var expected = expected
        var allowed = allowed
        let alive = rows.map { Set($0.keys) }
        let new = Set(rows.flatMap(\.keys)).subtracting(records.keys)
        for name in new where !Values.isLinkName(name) {
            let possible = allowed.filter { $0.value > 0 }.keys.map { values in
                let states = origins(of: values, name).filter { state in
                    agrees(state, name, server, rows, alive, pending)
                }
                return (values: values, states: states)
            }
            guard let origin = possible.first(where: { !$0.states.isEmpty }) else {
                throw SimulationError.violation(
                    explanation(name, [], server, rows, pending)
                        + "\n  possible new objects: \(possible.map(\.values))")
            }
            allowed[origin.values, default: 0] -= 1
            expected[origin.values, default: 0] -= 1
            copies.insert(name)
            records[name] = origin.states
        }
        for (name, values) in rows.reduce(server, { $0.merging($1) { first, _ in first } })
        where records[name] == nil && isLinkOfCopy(values) {
            records[name] = origins(of: values, name).filter { state in
                agrees(state, name, server, rows, alive, pending)
            }
        }
        if let missing = expected.first(where: { $0.value > 0 })?.key {
            throw SimulationError.violation(
                "the version (\(missing)) should have lived on as a new object")
        }
        if let name = new.union(server.keys).first(where: { records[$0] == nil }) {
            throw SimulationError.violation("there is a record that nobody made: \(name)")
        }
    }

    /// Whether a record is a link that a new object has got along with its values. It is seen first when
    /// both of its ends are there, or when it is sent.
    private func isLinkOfCopy(_ values: Values) -> Bool {
        values.isLink
            && [Values.source, Values.target].contains { copies.contains(values[$0] ?? "") }
    }

    /// The states of a new record that one of the devices has made and others may have pulled.
    private func origins(of values: Values, _ name: String) -> Set<RecordState> {
        var states: Set<RecordState> = []
        for maker in 0..<deviceCount {
            var made = RecordState(deviceCount: deviceCount)
            made.insert(values, on: maker)
            states.insert(made)
            for sending in RecordState.Sending.allCases {
                var sent: Set = [made.pushed(by: maker, sending)]
                for other in 0..<deviceCount where other != maker {
                    sent.formUnion(sent.map { $0.pulled(by: other, policy(of: name)).state })
                }
                states.formUnion(sent)
            }
        }
        return states
    }
}
