/// The random numbers of a harsh cloud: a sequence for each name, all from one seed.
struct TemperDraws {
    private let seed: UInt64
    private var counts: [String: UInt64] = [:]

    init(seed: UInt64) { self.seed = seed }

    /// The next number of a sequence.
    mutating func next(_ name: String) -> UInt64 {
        let count = counts[name, default: 0] + 1
        counts[name] = count
        return Self.mixed(Self.mixed(seed ^ Self.hash(of: name)) &+ count &* 0x9e37_79b9_7f4a_7c15)
    }

    /// The next number of a sequence, at least 0 and less than 1.
    mutating func share(_ name: String) -> Double {
        Double(next(name) >> 11) * 0x1p-53
    }

    /// An element, chosen by the next number of a sequence.
    mutating func element<T>(of elements: [T], _ name: String) -> T {
        elements[Int(next(name) % UInt64(elements.count))]
    }

    /// The next number of a sequence, within a range.
    mutating func number(in range: ClosedRange<Int>, _ name: String) -> Int {
        range.lowerBound + Int(next(name) % UInt64(range.count))
    }

    /// The next number of a sequence, within a range.
    mutating func number(in range: ClosedRange<Double>, _ name: String) -> Double {
        range.lowerBound + share(name) * (range.upperBound - range.lowerBound)
    }

    /// The finalizer of SplitMix64, which spreads similar numbers.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var z = number
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// A hash that is the same in every process, unlike `hashValue`.
    private static func hash(of name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
