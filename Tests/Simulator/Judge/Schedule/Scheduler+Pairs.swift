import Seam3

/// Nodes become partners, separate, and get others.
extension Scheduler {
    /// Some nodes, the ones that other steps use first.
    mutating func anyNodes() -> [String] {
        let nodes = (0..<4).compactMap { _ in object("n") }
        return nodes.indices.filter { !nodes[..<$0].contains(nodes[$0]) }.map { nodes[$0] }
    }

    private static func pair(_ node: String, _ partner: String?) -> Change {
        .set(node, ["partner": partner.map { .object($0) } ?? Value.none])
    }

    /// A change of the pairs of some nodes, in one save. Each even one and the next may be partners.
    mutating func pairing(_ nodes: [String]) -> [Change] {
        guard nodes.count > 1 else { return nodes.map { Self.pair($0, nil) } }
        let first = pick(nodes.count)
        let rest = Array(nodes[(first + 1)...] + nodes[..<first])
        switch pick(nodes.count > 2 ? 9 : 4) {
        case 0: return [Self.pair(nodes[first], nil)]
        case 1, 2, 3: return [Self.pair(nodes[first], element(rest))]
        case 4: return nodes.map { Self.pair($0, nil) }
        case 5, 6:
            // Partners are exchanged: the first one's, and the third one's.
            if nodes.count < 4 { fallthrough }
            return [Self.pair(nodes[0], nodes[3]), Self.pair(nodes[2], nodes[1])]
        case 7: return [Self.pair(nodes[0], nodes[2]), Self.pair(nodes[1], nil)]
        default:
            // Among three, the pair changes with each change.
            return [
                Self.pair(nodes[0], nodes[1]), Self.pair(nodes[1], nodes[2]),
                Self.pair(nodes[2], nodes[0]),
            ]
        }
    }

    /// Devices change pairs that all have, at the same time or one after the other.
    mutating func pairs(_ device: Int, _ other: Int) -> [Step] {
        let nodes = (0..<(3 + pick(4))).map { _ in fresh("n") }
        var changes = nodes.map { Change.insert(.node, $0, ["title": .text("v\(next())")]) }
        for index in stride(from: 1, to: nodes.count, by: 2) where !chance(5) {
            changes.append(Self.pair(nodes[index - 1], nodes[index]))
        }
        idents += nodes
        var steps: [Step] = [.save(changes, device), .catchUp]
        for _ in 0..<(1 + pick(3)) {
            steps.append(.save(pairing(nodes), device))
            if chance(3) { steps.append(lose(device)) }
            if chance(2) { steps.append(.sync(device)) }
        }
        switch pick(6) {
        case 0, 1: steps.append(.save(pairing(nodes), other))
        case 2: steps.append(.set(element(nodes), other, ["title": .text("v\(next())")]))
        case 3: steps.append(.delete(element(nodes), other))
        default: break
        }
        if chance(3) {
            steps.append(.during(.fetchZoneChanges, other, true, .save(pairing(nodes), other)))
        }
        return steps + [.sync(other), .sync(device), .sync(other)]
    }
}
