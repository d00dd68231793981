import SeededRandom
import Testing

@testable import Seam3

@Suite("An order key") struct OrderKeyTests {
    static let bounds: [(String?, String?)] = [
        (nil, nil), (nil, "V"), ("V", nil), ("1", "2"), ("1", "11"), ("zz", nil), (nil, "01"),
        ("A", "A1"), ("Az", "B"), ("y", "z"), (nil, "1"),
    ]

    @Test("lies between its neighbors", arguments: bounds)
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

    /// What is known of the members of a relationship, and the keys that they get.
    struct Kept: Sendable {
        let current: [String?]
        let kept: [Int]
        let result: [String?]
    }

    static let keptKeys = [
        Kept(current: ["A", "A", "B"], kept: [0, 1, 2], result: ["A", "A", "B"]),
        Kept(current: ["A", "A", nil], kept: [0, 1], result: ["A", "A", "B"]),
        Kept(current: [nil, nil, "A"], kept: [0, 1, 2], result: [nil, nil, "A"]),
        Kept(current: [nil, nil, nil], kept: [0, 1], result: [nil, nil, "V"]),
        Kept(current: ["B", "A", "A"], kept: [1, 2], result: ["9", "A", "A"]),
        Kept(current: [nil, "A", nil], kept: [0, 1], result: [nil, "A", "B"]),
    ]

    @Test("of a member that stays where it is is kept if others have the same", arguments: keptKeys)
    func equalKeys(example: Kept) {
        #expect(OrderKey.rising(example.current, kept: example.kept) == example.result)
    }

    @Test("of a member that comes between equal ones is between those of the two then")
    func betweenEqualKeys() throws {
        let rows: [(current: [String?], kept: [Int])] = [
            (["A", nil, "A", "B"], [0, 2, 3]), (["A", "A", nil, "A"], [0, 1, 3]),
            ([nil, nil, nil, "A"], [0, 2, 3]), (["A", "B", "A", "A"], [0, 2, 3]),
            (["A", nil, "A", "A", "A"], [0, 2, 3, 4]), (["", nil, "", ""], [0, 2, 3]),
        ]
        for row in rows {
            let keys = OrderKey.rising(row.current, kept: row.kept)
            let moved = try #require(
                row.current.indices.first { !row.kept.contains($0) })
            #expect(keys[..<moved] == row.current[..<moved] || row.current[0] == "", "\(keys)")
            let rest = keys[max(0, moved - 1)...].map { $0 ?? "" }
            for (left, right) in zip(rest, rest.dropFirst()) {
                #expect(left.utf8.lexicographicallyPrecedes(right.utf8), "\(keys)")
            }
        }
    }

    @Test("of every member is above the one before, whatever was there before")
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

    /// The positions at which members are inserted.
    enum Place: String, CaseIterable {
        case front, second, middle, beforeLast, end, random

        func index(_ count: Int, _ generator: inout SeededGenerator) -> Int {
            switch self {
            case .front: return 0
            case .second: return min(1, count)
            case .middle: return count / 2
            case .beforeLast: return max(0, count - 1)
            case .end: return count
            case .random: return Int.random(in: 0...count, using: &generator)
            }
        }
    }

    private func expectRising(_ keys: [String]) {
        let areRising = zip(keys, keys.dropFirst()).allSatisfy {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        #expect(areRising)
        #expect((keys.map(\.count).max() ?? 0) < 32)
    }

    @Test(
        "is short after many insertions one by one, and few others change",
        arguments: Place.allCases)
    func oneByOne(place: Place) {
        var generator = SeededGenerator(seed: 3)
        var keys: [String] = []
        var changed = 0
        for _ in 0..<2000 {
            var wanted: [String?] = keys
            wanted.insert(nil, at: place.index(keys.count, &generator))
            keys = OrderKey.rising(wanted)
            changed += zip(keys, wanted).filter { $1 != nil && $0 != $1 }.count
        }
        expectRising(keys)
        #expect(changed <= 4 * keys.count, "\(changed)")
    }

    @Test(
        "is short after a hundred thousand insertions, five thousand in each save",
        arguments: [Place.second, .middle, .end])
    func inLargeSaves(place: Place) {
        var generator = SeededGenerator(seed: 4)
        var keys: [String] = []
        for _ in 0..<20 {
            var wanted: [String?] = keys
            let index = place.index(keys.count, &generator)
            wanted.insert(contentsOf: Array(repeating: nil, count: 5000), at: index)
            keys = OrderKey.rising(wanted)
        }
        #expect(keys.count == 100_000)
        expectRising(keys)
    }

    static let foreign = [
        "", "0", "00", "a0", " ", "~~", "\u{1}", "é", "🧨", "a b", "-1", "zzzz0",
        String(repeating: "z", count: 400), String(repeating: "0", count: 400),
    ]

    @Test("of another form counts where it sorts, and is replaced when something is put beside it")
    func foreignKeys() {
        var generator = SeededGenerator(seed: 5)
        for round in 0..<300 {
            let kept = (Self.foreign + ["A", "B", "V", "a", "a1"]).shuffled(using: &generator)
                .prefix(6).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            #expect(OrderKey.rising(kept) == Array(kept))
            var wanted: [String?] = Array(kept)
            let index = round % 7
            wanted.insert(nil, at: index)
            let keys = OrderKey.rising(wanted)
            for (left, right) in zip(keys, keys.dropFirst()) {
                #expect(left.utf8.lexicographicallyPrecedes(right.utf8), "\(kept) \(index)")
            }
            #expect(OrderKey.isOwn(keys[index]))
        }
        for lower in Self.foreign {
            for upper in Self.foreign {
                #expect(OrderKey.isOwn(OrderKey.between(lower, upper)))
            }
        }
    }
}
