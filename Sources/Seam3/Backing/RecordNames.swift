import CoreData

/// Names for new records: UUIDs of version 7, which begin with the time.
///
/// Names made one after the other are adjacent in the index of all names, so a save of many objects
/// writes the end of the index instead of every page of it. The remaining bits begin at random and
/// advance in random steps, so no two devices make the same name. Asking the system for random bits
/// for each name would take longer than making the name.
struct RecordNames {
    private var time: UInt64
    private var counter: UInt64
    private var low: UInt64
    private let step: UInt64

    /// - Parameter now: The time that the names begin with.
    init(now: Date = Date()) {
        var random = SystemRandomNumberGenerator()
        time = UInt64(exactly: max(0, (now.timeIntervalSince1970 * 1000).rounded())) ?? 0
        counter = UInt64.random(in: 0..<0x800, using: &random)
        low = random.next()
        step = random.next() | 1
    }

    /// Whether CloudKit accepts a name: up to 255 characters of ASCII, of which the first is no underscore.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 255 && name.utf8.allSatisfy { $0 < 0x80 }
            && !name.hasPrefix("_")
    }

    /// A new name, which sorts after the previous one.
    mutating func next() -> String {
        counter += 1
        if counter > 0xFFF {
            counter = 0
            time += 1
        }
        low &+= step
        return Self.text(
            (time << 16) | 0x7000 | counter, (low >> 2) | 0x8000_0000_0000_0000)
    }

    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 36) { bytes in
            var end = 0
            for place in 0..<32 {
                if place == 8 || place == 12 || place == 16 || place == 20 {
                    bytes[end] = UInt8(ascii: "-")
                    end += 1
                }
                let half = place < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - (place % 16) * 4)) & 15
                bytes[end] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
                end += 1
            }
            return end
        }
    }
}
