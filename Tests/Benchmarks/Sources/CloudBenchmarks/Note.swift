import Foundation

/// The record of the benchmarks, as a hand-written sync would represent it.
struct Note {
    var id: Int64 = 0
    var name: String
    var sequence: Int64 = 0
    var title: String
    var body: String
    var number: Int64
    var date: Int64

    /// The note with an index.
    init(_ index: Int) {
        name = Self.name(index)
        title = "Note number \(index)"
        body = String(repeating: "All work and no play makes a dull note. ", count: 3)
        number = Int64(index)
        date = 1_700_000_000_000 + Int64(index)
    }

    init(name: String, title: String, body: String, number: Int64, date: Int64) {
        self.name = name
        self.title = title
        self.body = body
        self.number = number
        self.date = date
    }

    /// A name like those of `SMStore`, a UUID of version 7, which begins with the time and is
    /// otherwise random. It is the same for each index.
    static func name(_ index: Int) -> String {
        func mixed(_ seed: UInt64) -> UInt64 {
            var z = seed &+ 0x9e37_79b9_7f4a_7c15
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
        func digits(_ number: UInt64) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return digits(UInt64(index) << 16) + digits(mixed(UInt64(index)))
    }

    /// Different names from a thousand that were created together, at a random position in a zone
    /// with a number of notes.
    ///
    /// An app usually fetches or saves together what it has created together. Without this
    /// restriction, the results for a large zone would depend on the number of its pages that are
    /// not in memory.
    static func randomNames(_ count: Int, of size: Int) -> [String] {
        let start = Int.random(in: 0...max(0, size - 1000))
        var indexes: Set<Int> = []
        while indexes.count < min(count, size) {
            indexes.insert(Int.random(in: start..<min(start + 1000, size)))
        }
        return indexes.map(name)
    }
}
