import CoreData

/// The keys of one ordered relationship's members while new ones are found; see ``OrderKey``.
struct OrderNumbering {
    /// The members' keys; nil for those that need one.
    private var found: [String?]

    /// - Parameters:
    ///   - current: The members' keys in the wanted order; nil for a new member.
    ///   - kept: The places of those that can stay: their keys rise strictly.
    init(_ current: [String?], kept: [Int]) {
        found = Array(repeating: nil, count: current.count)
        for place in kept { found[place] = current[place] }
    }

    /// The keys, once there are no gaps.
    var keys: [String] { found.compactMap { $0 } }

    /// Gives keys to all members that have none, and to as many of their neighbors as it takes.
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

    /// Gives keys to the members of a gap.
    ///
    /// - Returns: The place behind all members that got a key.
    private mutating func fill(_ gap: Range<Int>) -> Int {
        var window = withoutForeignNeighbors(gap)
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
            window = withoutForeignNeighbors(
                max(0, window.lowerBound - reach)..<min(found.count, window.upperBound + reach))
            reach *= 2
        }
    }

    /// How long the keys may be where some members get new ones: the more there are, the more room
    /// there has to be, or they would soon be in want of it again. Moving a member costs a record
    /// that is sent; with this, a million insertions at one place cost a few moves each.
    private static func ampleLength(of count: Int) -> Int {
        // Six digits of room for each digit that it takes to number them.
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

    /// A window with what comes before and after it, up to keys beside which there is room for others,
    /// and up to members that have a key.
    private func withoutForeignNeighbors(_ window: Range<Int>) -> Range<Int> {
        var (start, end) = (window.lowerBound, window.upperBound)
        while start > 0, !(found[start - 1].map(OrderKey.isOwn) ?? false) { start -= 1 }
        while end < found.count, !(found[end].map(OrderKey.isOwn) ?? false) { end += 1 }
        return start..<end
    }
}
