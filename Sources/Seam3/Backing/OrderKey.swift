import CoreData

/// Keys that order the members of an ordered relationship, compared bytewise.
///
/// There is always a key between two others, so a move changes one key instead of the whole set.
/// The digits are those of base 62 in the order of their bytes. No key ends with the digit 0,
/// because no key would fit before it.
///
/// Keys made here have at most ``longest`` digits. Each insertion at one place halves the room that
/// is left there. If it would take a longer key, some neighbors get new keys as well, just enough
/// of them to make ample room again. Insertions at either end count up or down, in numbers whose
/// length grows with their count.
///
/// Keys from another program may be any text. They keep their position in the sort order, and are
/// replaced when a key must be placed next to them.
enum OrderKey {
    /// The maximum number of digits in a key.
    static let longest = 31

    static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let base = digits.count
    private static let zero = digits[0]

    /// The value of each byte as a digit; -1 for bytes that are not digits.
    private static let values: [Int] = {
        var values = Array(repeating: -1, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = value }
        return values
    }()

    /// Whether a key has the form of keys made here, so that other keys fit on both sides.
    static func isOwn(_ key: String) -> Bool {
        let bytes = key.utf8
        guard let last = bytes.last, last != zero, bytes.count <= longest else { return false }
        return bytes.allSatisfy { values[Int($0)] >= 0 }
    }

    // MARK: - One key

    /// A key between two keys. It is as short as possible, but may be longer than ``longest``.
    ///
    /// - Parameters:
    ///   - lower: The key before; nil for the beginning.
    ///   - upper: The key after; nil for the end. It is ignored if it is not above `lower`, which
    ///     happens after concurrent moves. A bound that was not made here is ignored as well.
    static func between(_ lower: String?, _ upper: String?) -> String {
        let low = lower.flatMap(number)
        var high = upper.flatMap(number)
        if let low, let bound = high, !low.lexicographicallyPrecedes(bound) { high = nil }
        return text(key(between: low, high))
    }

    /// The values of a key's digits; nil if it was not made here.
    private static func number(_ key: String) -> [Int]? {
        guard isOwn(key) else { return nil }
        return key.utf8.map { values[Int($0)] }
    }

    private static func text(_ number: [Int]) -> String {
        String(decoding: number.map { digits[$0] }, as: UTF8.self)
    }

    private static func key(between low: [Int]?, _ high: [Int]?) -> [Int] {
        switch (low, high) {
        case (nil, nil): return [base / 2]
        case (let low?, nil): return after(low)
        case (nil, let high?): return before(high)
        case (let low?, let high?): return middle(low, high)
        }
    }

    /// The shortest key near the middle of two.
    private static func middle(_ low: [Int], _ high: [Int]) -> [Int] {
        var key: [Int] = []
        var hasCeiling = true
        for position in 0... {
            let floor = position < low.count ? low[position] : 0
            let ceiling = hasCeiling ? (position < high.count ? high[position] : 0) : base
            if ceiling - floor > 1 { return key + [floor + (ceiling - floor) / 2] }
            key.append(floor)
            // The key is now below the bound, whatever digits follow.
            if ceiling > floor { hasCeiling = false }
        }
        return key
    }

    /// How many leading digits of a key are incremented or decremented at an end. The longer a
    /// key's initial run of the highest digit (or the lowest), the more digits follow it. So 60
    /// keys have one digit, 3,800 have up to three, 14,000,000 up to six.
    private static func countedDigits(_ number: [Int], leading digit: Int) -> Int {
        let leading = number.prefix { $0 == digit }.count
        return leading + max(1, 2 * leading)
    }

    private static func after(_ low: [Int]) -> [Int] {
        let count = countedDigits(low, leading: base - 1)
        var key = Array(low.prefix(count))
        key += Array(repeating: 0, count: count - key.count)
        for position in key.indices.reversed() {
            if key[position] < base - 1 {
                key[position] += 1
                break
            }
            // A key of highest digits only begins with a longer run than the counted one; see
            // above.
            key[position] = 0
        }
        while key.last == 0 { key.removeLast() }
        return key
    }

    private static func before(_ high: [Int]) -> [Int] {
        let count = countedDigits(high, leading: 0)
        var key = Array(high.prefix(count))
        let hasRest = high.count > count
        key += Array(repeating: 0, count: count - key.count)
        if !hasRest {
            for position in key.indices.reversed() {
                if key[position] > 0 {
                    key[position] -= 1
                    break
                }
                key[position] = base - 1
            }
        }
        if key.allSatisfy({ $0 == 0 }) { key += [base - 1, base - 1] }
        while key.last == 0 { key.removeLast() }
        return key
    }

    // MARK: - Many keys

    /// Keys for a sequence of members, changing as few as possible.
    ///
    /// - Parameter current: The members' keys in the wanted order; nil for a new member.
    /// - Returns: Strictly rising keys. Those on the longest rising run are kept, except where
    ///   there is no room beside them.
    static func rising(_ current: [String?]) -> [String] {
        rising(current, kept: longestRisingRun(current, by: precedes)).compactMap { $0 }
    }

    /// Keys for a sequence of members, of which some stay where they are.
    ///
    /// - Parameters:
    ///   - current: The members' keys in the wanted order; nil for a member without a key.
    ///   - kept: The positions of the members that have not moved. Members with the same key, or without one, are in
    ///     the order that their record names give them.
    /// - Returns: The new keys. A kept member gets another key only if there is no room beside it, or if a member that has
    ///   moved comes between it and one with the same key. Kept members at the beginning need no key.
    static func rising(_ current: [String?], kept: [Int]) -> [String?] {
        var first = 0
        while first < kept.count, kept[first] == first, current[first] == nil { first += 1 }
        var numbering = OrderNumbering(
            Array(current[first...]), kept: kept[first...].map { $0 - first })
        numbering.fillGaps()
        return current[..<first] + numbering.keys
    }

    /// The positions of all members that have keys, if these rise strictly.
    static func placesIfRising(_ keys: [String?]) -> [Int]? {
        placesIfRising(keys, by: precedes)
    }

    /// Keys that are evenly spaced between two.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - lower: The key before, made here; nil for the beginning.
    ///   - upper: The key after, made here and above `lower`; nil for the end.
    static func spread(_ count: Int, between lower: String?, and upper: String?) -> [String] {
        guard count > 0 else { return [] }
        let (low, high) = (lower.flatMap(number), upper.flatMap(number))
        if (low == nil) != (high == nil) { return counted(count, after: low, before: high) }
        var keys: [[Int]] = Array(repeating: [], count: count)
        halve(&keys, 0..<count, low ?? [], high)
        return keys.map(text)
    }

    /// Keys at an end, as if they had been added one by one.
    private static func counted(_ count: Int, after low: [Int]?, before high: [Int]?) -> [String] {
        var keys: [String] = []
        keys.reserveCapacity(count)
        var (low, high) = (low, high)
        for _ in 0..<count {
            let key = key(between: low, high)
            keys.append(text(key))
            if low != nil { low = key } else { high = key }
        }
        return low != nil ? keys : keys.reversed()
    }

    /// Fills positions of a list with keys between two, the middle one first.
    ///
    /// - Parameter high: The upper bound; nil for the end of all keys.
    private static func halve(
        _ keys: inout [[Int]], _ places: Range<Int>, _ low: [Int], _ high: [Int]?
    ) {
        guard !places.isEmpty else { return }
        let place = places.lowerBound + places.count / 2
        // This bound is above all keys, because no key begins with a digit above the highest one.
        keys[place] = middle(low, high ?? [base])
        halve(&keys, places.lowerBound..<place, low, keys[place])
        halve(&keys, place + 1..<places.upperBound, keys[place], high)
    }

    // MARK: - What can stay

    /// The positions of a longest strictly rising run of keys, or of what else has an order.
    static func longestRisingRun<Key>(
        _ keys: [Key?], by precedes: (_ left: Key, _ right: Key) -> Bool
    ) -> [Int] {
        if let all = placesIfRising(keys, by: precedes) { return all }
        var tails: [Int] = []
        var before: [Int?] = Array(repeating: nil, count: keys.count)
        for (index, key) in keys.enumerated() {
            guard let key else { continue }
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                let isBefore = keys[tails[middle]].map { precedes($0, key) } ?? true
                if isBefore { low = middle + 1 } else { high = middle }
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

    /// The positions of all keys if they rise, as they do when members were only added or removed.
    private static func placesIfRising<Key>(
        _ keys: [Key?], by precedes: (Key, Key) -> Bool
    ) -> [Int]? {
        var places: [Int] = []
        var last: Key?
        for (index, key) in keys.enumerated() {
            guard let key else { continue }
            if let last, !precedes(last, key) { return nil }
            last = key
            places.append(index)
        }
        return places
    }

    /// Whether a key comes before another.
    static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
