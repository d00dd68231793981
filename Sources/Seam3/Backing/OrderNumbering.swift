import CoreData

/// Assigns missing keys to the members of one ordered relationship; see ``OrderKey``.
struct OrderNumbering {
    /// The members' keys; nil for members that need one.
    private var found: [String?]

    /// - Parameters:
    ///   - current: The members' keys in the wanted order; nil for a new member.
    ///   - kept: The positions of the keys that can stay: these keys rise, but some may be equal.
    init(_ current: [String?], kept: [Int]) {
        found = Array(repeating: nil, count: current.count)
        for place in kept { found[place] = current[place] }
    }

    /// The keys, once there are no gaps.
    var keys: [String] { found.compactMap { $0 } }

    /// Assigns keys to all members that have none, and new ones to as many of their neighbors as
    /// necessary.
    mutating func fillGaps() {
        var place = 0
        while place < found.count {
            guard found[place] == nil else {
                place += 1
                continue
            }
            var gap = place..<place + 1
            while gap.upperBound < found.count, found[gap.upperBound] == nil {
                gap = gap.lowerBound..<gap.upperBound + 1
            }
            place = fill(gap)
        }
    }

    /// Assigns keys to the members of a gap.
    ///
    /// - Returns: The position after the last member that got a key.
    private mutating func fill(_ gap: Range<Int>) -> Int {
        var window = withRoom(gap)
        var reach = 1
        while true {
            let keys = OrderKey.spread(
                window.count, between: lower(of: window), and: upper(of: window))
            let limit = window == gap ? OrderKey.longest : Self.ampleLength(of: window.count)
            let isWhole = window.count == found.count
            if isWhole || (keys.map(\.utf8.count).max() ?? 0) <= limit {
                for (place, key) in zip(window, keys) { found[place] = key }
                return window.upperBound
            }
            window = withRoom(
                max(0, window.lowerBound - reach)..<min(found.count, window.upperBound + reach))
            reach *= 2
        }
    }

    /// How long the keys may be when members are renumbered. The more members there are, the more
    /// room is left, because otherwise they would soon have to be renumbered again. Each renumbered
    /// member costs a record that is sent; with this formula, a million insertions at one place
    /// cost a few renumberings each.
    private static func ampleLength(of count: Int) -> Int {
        // Six digits of room for each digit that is needed to number the members.
        var (length, numbered) = (27, 8)
        while numbered < count {
            // Half a digit.
            numbered *= 8
            length -= 3
        }
        return max(3, length)
    }

    private func lower(of window: Range<Int>) -> String? {
        window.lowerBound > 0 ? found[window.lowerBound - 1] : nil
    }

    private func upper(of window: Range<Int>) -> String? {
        window.upperBound < found.count ? found[window.upperBound] : nil
    }

    /// A window extended in both directions up to the next keys that were made here. The upper one is above the lower one.
    /// So foreign keys, members without a key and those with the same key belong to it.
    private func withRoom(_ window: Range<Int>) -> Range<Int> {
        var (start, end) = (window.lowerBound, window.upperBound)
        while start > 0, !(found[start - 1].map(OrderKey.isOwn) ?? false) { start -= 1 }
        while end < found.count, !isBound(found[end], above: lower(of: start..<end)) { end += 1 }
        return start..<end
    }

    private func isBound(_ key: String?, above lower: String?) -> Bool {
        guard let key, OrderKey.isOwn(key) else { return false }
        return lower.map { OrderKey.precedes($0, key) } ?? true
    }
}
