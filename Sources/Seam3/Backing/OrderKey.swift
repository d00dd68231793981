/// Keys that order the members of an ordered relationship, compared bytewise.
///
/// A key between two others always exists, so a move changes one key and not the whole set. The
/// digits are those of base 62 in the order of their bytes; no key ends with the digit 0, or
/// nothing would fit before it.
enum OrderKey {
    static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    private static func value(_ digit: UInt8) -> Int { digits.firstIndex(of: digit) ?? 0 }

    /// A key between two keys.
    ///
    /// - Parameters:
    ///   - lower: The key before; nil for the beginning.
    ///   - upper: The key after; nil for the end. Where it is not above `lower`, as after
    ///     concurrent moves, it is ignored.
    static func between(_ lower: String?, _ upper: String?) -> String {
        let low = Array((lower ?? "").utf8)
        var high = upper.map { Array($0.utf8) }
        if let bound = high, !low.lexicographicallyPrecedes(bound) { high = nil }
        var key: [UInt8] = []
        var position = 0
        while true {
            let floor = position < low.count ? value(low[position]) : 0
            let ceiling: Int
            if let bound = high {
                ceiling = position < bound.count ? value(bound[position]) : 0
            } else {
                ceiling = digits.count
            }
            if ceiling - floor > 1 {
                // Appending is the usual case, so the end is approached slowly.
                let step = high == nil && lower != nil ? 1 : (ceiling - floor) / 2
                key.append(digits[floor + step])
                return String(decoding: key, as: UTF8.self)
            }
            key.append(digits[floor])
            // One digit below the bound: whatever follows is below it.
            if ceiling > floor { high = nil }
            position += 1
        }
    }

    /// Keys for a sequence of members, changing as few as possible.
    ///
    /// - Parameter current: The members' keys in the wanted order; nil for a new member.
    /// - Returns: A strictly rising key for each; those on the longest rising run are kept.
    static func rising(_ current: [String?]) -> [String] {
        let kept = longestRisingRun(current)
        var keys: [String] = []
        keys.reserveCapacity(current.count)
        var nextKept = kept.makeIterator()
        var upcoming = nextKept.next()
        for (index, key) in current.enumerated() {
            if index == upcoming, let key {
                keys.append(key)
                upcoming = nextKept.next()
            } else {
                keys.append(between(keys.last, upcoming.flatMap { current[$0] }))
            }
        }
        return keys
    }

    /// The places of a longest strictly rising run of keys.
    private static func longestRisingRun(_ keys: [String?]) -> [Int] {
        var tails: [Int] = []
        var before: [Int?] = Array(repeating: nil, count: keys.count)
        for (index, key) in keys.enumerated() {
            guard let key else { continue }
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if precedes(keys[tails[middle]], key) { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? tails[low - 1] : nil
            if low < tails.count { tails[low] = index } else { tails.append(index) }
        }
        var run: [Int] = []
        var place = tails.last
        while let index = place {
            run.append(index)
            place = before[index]
        }
        return run.reversed()
    }

    private static func precedes(_ left: String?, _ right: String) -> Bool {
        (left ?? "").utf8.lexicographicallyPrecedes(right.utf8)
    }
}
