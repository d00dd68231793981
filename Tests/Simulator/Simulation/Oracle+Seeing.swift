/// What is seen of records, against what is possible.
extension Oracle {
    func agrees(
        _ state: RecordState, _ name: String, _ server: [String: Values],
        _ rows: [[String: Values]], _ alive: [Set<String>], _ pending: [Set<String>]
    ) -> Bool {
        guard state.serverValues == server[name] else { return false }
        return state.devices.indices.allSatisfy { device in
            guard state.devices[device].row?.visible(among: alive[device]) == rows[device][name]
            else { return false }
            // The names of links' records are the store's own.
            return Values.isLinkName(name)
                || (state.devices[device].pending != nil) == pending[device].contains(name)
        }
    }

    func explanation(
        _ name: String, _ states: Set<RecordState>, _ server: [String: Values],
        _ rows: [[String: Values]], _ pending: [Set<String>]
    ) -> String {
        var lines = ["what is seen of \(name) cannot come about by the rules", "  seen now:"]
        lines.append("    server: \(server[name].map(String.init(describing:)) ?? "none")")
        for (device, items) in rows.enumerated() {
            lines.append(
                "    device \(device): \(items[name].map(String.init(describing:)) ?? "none")"
                    + (pending[device].contains(name) ? ", waits" : ""))
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
