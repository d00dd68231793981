import Seam3

@testable import Judge

extension History {
    /// Records that a device has sent its edits. What it has not sent cannot be seen anywhere else.
    mutating func send(from place: Int) {
        _ = beginExchange(place)
        attempted(place)
    }

    /// Records a pass of a device that succeeds. The device and the server show the same objects then.
    mutating func sync(_ device: Int, showing state: Snapshot) {
        let exchange = beginExchange(device)
        attempted(device)
        for place in [device, serverPlace] { look(at: place, state) }
        finish(exchange)
    }

    /// Records a save that leaves a device with these objects.
    mutating func save(
        at device: Int, showing state: Snapshot, named: [String: Set<String>] = [:]
    ) {
        save(at: device, before: shows(device), after: state, named: named)
    }

    /// Device 0 has created objects and sent them, and device 1 and the server, 2, show them.
    init(known snapshot: Snapshot) {
        self.init(placeCount: 3)
        save(at: 0, before: Snapshot(), after: snapshot)
        finish(beginExchange(0))
        attempted(0)
        for place in [2, 1] { look(at: place, snapshot) }
        finish(beginExchange(1))
        attempted(1)
    }
}

extension Snapshot {
    /// Objects by their names. Copies of one object have names such as "n1#0" and "n1#1".
    init(_ objects: [String: [String: Value]]) {
        self.init()
        for (name, values) in objects {
            let ident = String(name.prefix { $0 != "#" })
            self.objects[name] = Snapshot.Object(
                kind: Change.root(of: ident) ?? .node, ident: ident, values: values)
        }
    }
}

extension Oracle {
    /// The rules that the final objects break after some events, or those of a device after its pass.
    static func rules(
        _ history: History, _ policy: SMSyncConflictResolutionPolicy, _ final: Snapshot,
        raced: Set<Int> = [], at place: Int? = nil
    ) -> [String] {
        var oracle = Oracle(history: history, policy: policy, raced: raced, final: final)
        oracle.place = place
        oracle.judge()
        return oracle.violations.map(\.rule)
    }
}
