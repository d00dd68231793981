import Foundation

/// A position in a feed. Clients see it as an opaque string.
struct SyncToken: Hashable {
    enum Feed: UInt8 {
        case database = 1
        case zone = 2
    }

    /// The progress of a fetch that returns the newest changes first.
    struct Descent: Hashable {
        /// The changes before this one have not been returned yet.
        var before: Int64
        /// The position of the feed when the fetch began, from which the next fetch continues.
        var end: Int64
    }

    var feed: Feed
    /// The incarnation of the zone or the database. It differs after the zone or database was
    /// created again.
    var incarnation: Int64
    /// How often tokens were expired.
    var epoch: Int64
    /// The last change that the client has seen.
    var sequence: Int64
    /// Tombstones up to here are not sent: the position of the feed when the client began without a
    /// token.
    var tombstonesAfter: Int64
    /// When the token was issued, in milliseconds since 1970; 0 if tokens do not expire.
    var time: Int64 = 0
    /// The position of a fetch in reverse order; nil between two fetches.
    var descent: Descent?

    private static let version: UInt8 = 1
    private static let numberCount = 7

    /// The token as a text.
    var text: String {
        var data = Data([Self.version, feed.rawValue])
        let numbers = [
            incarnation, epoch, sequence, tombstonesAfter, time, descent?.before ?? 0,
            descent?.end ?? 0,
        ]
        for number in numbers {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        return data.base64EncodedString()
    }

    /// Decodes a token; nil if the string is not a token.
    init?(text: String) {
        guard let data = Data(base64Encoded: text), data.count == 2 + Self.numberCount * 8,
            data[0] == Self.version, let feed = Feed(rawValue: data[1])
        else { return nil }
        func number(_ index: Int) -> Int64 {
            data.withUnsafeBytes {
                Int64(littleEndian: $0.loadUnaligned(fromByteOffset: 2 + 8 * index, as: Int64.self))
            }
        }
        self.init(
            feed: feed, incarnation: number(0), epoch: number(1), sequence: number(2),
            tombstonesAfter: number(3), time: number(4),
            descent: number(5) == 0 ? nil : Descent(before: number(5), end: number(6)))
    }

    init(
        feed: Feed, incarnation: Int64, epoch: Int64, sequence: Int64, tombstonesAfter: Int64,
        time: Int64 = 0, descent: Descent? = nil
    ) {
        self.feed = feed
        self.incarnation = incarnation
        self.epoch = epoch
        self.sequence = sequence
        self.tombstonesAfter = tombstonesAfter
        self.time = time
        self.descent = descent
    }
}
