import CoreData

/// Names for new records: UUIDs of version 7, which begin with the time.
///
/// Names that are made one after the other lie side by side in the index of all names, so that a
/// save of many objects writes its end and not every page of it. The rest is random, so that no two
/// devices make the same name.
struct RecordNames {
    private var time: UInt64
    private var counter: UInt64
    private var random = SystemRandomNumberGenerator()

    /// - Parameter now: The time that the names begin with.
    init(now: Date = Date()) {
        time = UInt64(max(0, (now.timeIntervalSince1970 * 1000).rounded()))
        counter = UInt64.random(in: 0..<0x800)
    }

    /// A name that no record has, and that sorts behind the one before.
    mutating func next() -> String {
        counter += 1
        if counter > 0xFFF {
            counter = 0
            time += 1
        }
        let high = (time << 16) | 0x7000 | counter
        let low = (random.next() >> 2) | 0x8000_0000_0000_0000
        return Self.text(high, low)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 {
                bytes.append(UInt8(ascii: "-"))
            }
            let half = place < 16 ? high : low
            let shift = UInt64(60 - (place % 16) * 4)
            bytes.append(digits[Int((half >> shift) & 15)])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
