/// A random order in which all objects of several copies are visited once.
///
/// If objects are visited in the order of their addresses, the processor prefetches them into its
/// caches, to a degree that depends on the number of copies.
enum Visits {
    /// One object.
    struct Visit {
        let copy: Int
        let index: Int
    }

    /// The same order every time, for both sides of a comparison.
    static func inRandomOrder(_ copies: Int, of count: Int) -> [Visit] {
        var generator = SplitMix()
        var visits = (0..<copies).flatMap { copy in
            (0..<count).map { Visit(copy: copy, index: $0) }
        }
        visits.shuffle(using: &generator)
        return visits
    }

    /// Sebastiano Vigna's SplitMix64, which is short and good enough to shuffle.
    private struct SplitMix: RandomNumberGenerator {
        private var state: UInt64 = 17

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
    }
}
