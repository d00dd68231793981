import SeededRandom

/// The random choices of a schedule. The same seed always leads to the same choices.
struct ScheduleDice {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func below(_ limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }

    mutating func chance(_ probability: Double) -> Bool {
        Double(generator.next() >> 11) / 9_007_199_254_740_992 < probability
    }

    /// One of a list's elements, of which there must be at least one.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
