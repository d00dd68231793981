import NumberTables
import SeededRandom
import Testing

@Suite("A table of values by numbers") struct NumberTableTests {
    /// Draws of numbers: side by side, far apart, and such that many look for the same slot first.
    enum Draw: String, CaseIterable {
        case neighbors, anywhere, multiples, edges

        func number(_ generator: inout SeededGenerator) -> Int64 {
            switch self {
            case .neighbors: .random(in: 0..<2_000, using: &generator)
            case .anywhere: .random(in: .min ... .max, using: &generator)
            case .multiples: .random(in: -1_000..<1_000, using: &generator) << 20
            case .edges:
                [Int64.min, -1, 0, 1, .max].randomElement(using: &generator) ?? 0
            }
        }
    }

    @Test("has what a dictionary has after the same changes", arguments: Draw.allCases)
    func likeDictionary(draw: Draw) {
        let seed = SeededGenerator.seed(from: "SEAM_TEST_SEED")
        var generator = SeededGenerator(seed: seed)
        let table = NumberTable<String>()
        var dictionary: [Int64: String] = [:]
        for step in 0..<20_000 {
            let number = draw.number(&generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0, 1, 2:
                let former = dictionary.updateValue("\(step)", forKey: number)
                #expect(table.update("\(step)", for: number) == former, "seed \(seed)")
            case 3, 4:
                #expect(table.remove(number) == dictionary.removeValue(forKey: number))
            case 5:
                dictionary[number, default: "new"] += "+"
                table.change(number, default: "new") { $0 += "+" }
            case 6:
                dictionary[number]? += "-"
                table.change(number) { $0 += "-" }
            default:
                #expect(table[number] == dictionary[number], "seed \(seed)")
            }
            #expect(table.count == dictionary.count, "seed \(seed)")
        }
        var found: [Int64: String] = [:]
        table.forEach { found[$0] = $1 }
        #expect(found == dictionary, "seed \(seed)")
    }

    @Test("keeps what does not meet the condition of a removal")
    func removal() {
        let table = NumberTable<Int>()
        table.reserve(100)
        for number in 0..<1_000 { table.update(number * 2, for: Int64(number)) }
        table.removeAll { number, value in
            value += 1
            return number.isMultiple(of: 3)
        }
        #expect(table.count == 666)
        #expect(table[3] == nil)
        #expect(table[4] == 9)
        table.removeAll()
        #expect(table.count == 0)
        #expect(table[4] == nil)
    }

    private final class Value {}

    @Test("lets values go that are replaced, removed, or there when it ends")
    func release() {
        var table: NumberTable<Value>? = NumberTable()
        weak var replaced: Value?
        weak var removed: Value?
        weak var left: Value?
        do {
            let values = [Value(), Value(), Value(), Value()]
            (replaced, removed, left) = (values[0], values[1], values[3])
            table?.update(values[0], for: 1)
            table?.update(values[1], for: 2)
            table?.update(values[2], for: 1)
            table?.update(values[3], for: 3)
        }
        table?.remove(2)
        #expect(replaced == nil)
        #expect(removed == nil)
        #expect(left != nil)
        table = nil
        #expect(left == nil)
    }
}
