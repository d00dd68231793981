import Foundation

/// A generator whose numbers follow from its seed.
struct SeededGenerator: RandomNumberGenerator {
    /// A seed by chance, or the one in the environment variable `LOCAL_CLOUD_SEED`, which repeats a
    /// test that has failed.
    static var seed: UInt64 {
        ProcessInfo.processInfo.environment["LOCAL_CLOUD_SEED"].flatMap { UInt64($0) }
            ?? .random(in: 0...UInt64.max)
    }

    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }
}
