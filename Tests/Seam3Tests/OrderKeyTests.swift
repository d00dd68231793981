import SeededRandom
import Testing

@testable import Seam3

@Suite("An order key") struct OrderKeyTests {
    static let bounds: [(String?, String?)] = [
        (nil, nil), (nil, "V"), ("V", nil), ("1", "2"), ("1", "11"), ("zz", nil), (nil, "01"),
        ("A", "A1"), ("Az", "B"), ("y", "z"), (nil, "1"),
    ]

    @Test("lies between its neighbours", arguments: bounds)
    func between(lower: String?, upper: String?) {
        let key = OrderKey.between(lower, upper)
        if let lower { #expect(lower.utf8.lexicographicallyPrecedes(key.utf8)) }
        if let upper { #expect(key.utf8.lexicographicallyPrecedes(upper.utf8)) }
        #expect(!key.hasSuffix("0"))
    }

    @Test("stays short when members are appended, and always fits when they are prepended")
    func lengths() {
        var last: String?
        var first: String?
        for _ in 0..<1000 {
            last = OrderKey.between(last, nil)
            let next = OrderKey.between(nil, first)
            if let first { #expect(next.utf8.lexicographicallyPrecedes(first.utf8)) }
            first = next
        }
        #expect((last?.count ?? 0) <= 40)
    }

    @Test("of a member that does not move is kept")
    func keeps() {
        #expect(
            OrderKey.rising(["A", "C", "B", "D"]).filter { ["A", "B", "C", "D"].contains($0) }.count
                == 3)
        #expect(OrderKey.rising(["A", nil, "B"]).first == "A")
    }

    @Test("of every member is above the one before, whatever was there")
    func randomMoves() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        var keys: [String?] = []
        for step in 0..<300 {
            switch Int.random(in: 0...2, using: &generator) {
            case 0: keys.insert(nil, at: Int.random(in: 0...keys.count, using: &generator))
            case 1 where !keys.isEmpty:
                keys.remove(at: Int.random(in: 0..<keys.count, using: &generator))
            default: keys.shuffle(using: &generator)
            }
            let rising = OrderKey.rising(keys)
            for (left, right) in zip(rising, rising.dropFirst()) {
                #expect(
                    left.utf8.lexicographicallyPrecedes(right.utf8), "seed \(seed), step \(step)")
            }
            keys = rising
        }
    }
}
