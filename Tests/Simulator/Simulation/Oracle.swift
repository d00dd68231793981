import Seam3

/// What all devices and the server may hold by the rules, record by record.
struct Oracle {
    let deviceCount: Int
    let policy: SMSyncConflictResolutionPolicy
    /// The possible states of each record, by name.
    private(set) var records: [String: Set<RecordState>] = [:]
    /// The devices whose change tokens have expired.
    var expired: Set<Int> = []

    // MARK: - What users do

    mutating func insert(_ name: String, _ values: Values, on device: Int) {
        var state = RecordState(deviceCount: deviceCount)
        state.insert(values, on: device)
        records[name] = [state]
    }

    mutating func set(_ field: String, of name: String, to value: String?, on device: Int) {
        change(name) { $0.set(field, to: value, on: device) }
    }

    /// Deletes an item; its children there lose their parent.
    mutating func delete(_ name: String, on device: Int) {
        change(name) { $0.delete(on: device) }
        for other in records.keys where other != name {
            change(other) { state in
                guard state.devices[device].row?[Values.parent] == name else { return }
                state.set(Values.parent, to: nil, on: device)
            }
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

    /// What a synchronisation does that ends well, with nothing in between.
    func completePass(_ device: Int) -> Transition {
        { _, state in
            pulls(state, device).map { outcome in
                var outcome = outcome
                outcome.state = outcome.state.pushed(by: device)
                return outcome
            }
        }
    }

    /// What a synchronisation may have done that did not end, or met a fault.
    func brokenPass(_ device: Int) -> Transition {
        { _, state in
            var outcomes = [RecordState.Outcome(state: state)]
            for start in outcomes + pulls(state, device) {
                outcomes.append(start)
                for sending in RecordState.Sending.allCases {
                    var sent = start
                    sent.state = start.state.pushed(by: device, sending)
                    outcomes.append(sent)
                    // The pass may go on after an error: it pulls, resolves and sends again.
                    for again in pulls(sent.state, device) {
                        var again = again
                        again.copies += sent.copies
                        outcomes.append(again)
                        again.state = again.state.pushed(by: device)
                        outcomes.append(again)
                    }
                }
            }
            return outcomes
        }
    }

    /// What one pass makes of a record when something else happens in the middle of it.
    func interruptedPass(
        _ device: Int, isComplete: Bool, by event: @escaping Transition
    ) -> Transition {
        let pass = isComplete ? completePass(device) : brokenPass(device)
        let pull: Transition = { _, state in pulls(state, device) }
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

    private func pulls(_ state: RecordState, _ device: Int) -> [RecordState.Outcome] {
        let told = state.pulled(by: device, policy)
        guard expired.contains(device) else { return [told] }
        return [told, state.pulled(by: device, policy, tellsDeletions: false)]
    }

    /// Lets a synchronisation change all records, and keeps what agrees with what is seen.
    ///
    /// - Parameters:
    ///   - transition: What it may do to each record.
    ///   - server: What the server has, by record name.
    ///   - rows: What each device's application sees, by record name.
    /// - Throws: A violation if no possibility is left for a record.
    mutating func advance(
        _ transition: Transition, server: [String: Values], rows: [[String: Values]]
    ) throws {
        var expected: [Values: Int] = [:]
        var allowed: [Values: Int] = [:]
        let alive = rows.map { Set($0.keys) }
        for (name, states) in records {
            let outcomes = Set(states.flatMap { transition(name, $0) }).filter { outcome in
                agrees(outcome.state, name, server, rows, alive)
            }
            guard !outcomes.isEmpty else {
                throw SimulationError.violation(
                    explanation(name, states, server, rows))
            }
            records[name] = Set(outcomes.map(\.state))
            count(outcomes, &expected, &allowed)
        }
        try adopt(server: server, rows: rows, expected: expected, allowed: allowed)
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
        server: [String: Values], rows: [[String: Values]], expected: [Values: Int],
        allowed: [Values: Int]
    ) throws {
        var expected = expected
        var allowed = allowed
        let alive = rows.map { Set($0.keys) }
        let new = Set(rows.flatMap(\.keys)).subtracting(records.keys)
        for name in new {
            let holders = rows.indices.filter { rows[$0][name] != nil }
            let origin = allowed.first { values, count in
                count > 0
                    && holders.allSatisfy {
                        values.visible(among: alive[$0]) == rows[$0][name]
                    }
            }
            guard let values = origin?.key else {
                throw SimulationError.violation(
                    "devices \(holders) have an object that nobody made: \(name)")
            }
            allowed[values, default: 0] -= 1
            expected[values, default: 0] -= 1
            records[name] = origins(of: values, among: holders).filter { state in
                agrees(state, name, server, rows, alive)
            }
        }
        if let missing = expected.first(where: { $0.value > 0 })?.key {
            throw SimulationError.violation(
                "the version (\(missing)) should have lived on as a new object")
        }
        if let name = server.keys.first(where: { records[$0] == nil }) {
            throw SimulationError.violation("the server has a record that nobody made: \(name)")
        }
    }

    /// The states of a new object that one of the devices has made and the others have pulled.
    private func origins(of values: Values, among holders: [Int]) -> Set<RecordState> {
        var states: Set<RecordState> = []
        for maker in holders {
            var made = RecordState(deviceCount: deviceCount)
            made.insert(values, on: maker)
            states.insert(made)
            for sending in RecordState.Sending.allCases {
                states.insert(
                    holders.filter { $0 != maker }.reduce(made.pushed(by: maker, sending)) {
                        $0.pulled(by: $1, policy).state
                    })
            }
        }
        return states
    }

    // MARK: - What is seen

    private func agrees(
        _ state: RecordState, _ name: String, _ server: [String: Values],
        _ rows: [[String: Values]], _ alive: [Set<String>]
    ) -> Bool {
        guard state.serverValues == server[name] else { return false }
        return state.devices.indices.allSatisfy { device in
            state.devices[device].row?.visible(among: alive[device]) == rows[device][name]
        }
    }

    private func explanation(
        _ name: String, _ states: Set<RecordState>, _ server: [String: Values],
        _ rows: [[String: Values]]
    ) -> String {
        var lines = ["what is seen of \(name) cannot come about by the rules", "  seen now:"]
        lines.append("    server: \(server[name].map(String.init(describing:)) ?? "none")")
        for (device, items) in rows.enumerated() {
            lines.append(
                "    device \(device): \(items[name].map(String.init(describing:)) ?? "none")")
        }
        for state in states {
            lines.append("  possible before:")
            lines.append("    server: \(state.server)")
            for (number, device) in state.devices.enumerated() {
                lines.append(
                    "    device \(number): row \(device.row.map(String.init(describing:)) ?? "none")"
                        + ", pending \(device.pending.map(String.init(describing:)) ?? "none")"
                        + ", known \(device.known.map(String.init(describing:)) ?? "none")")
            }
        }
        return lines.joined(separator: "\n")
    }
}
