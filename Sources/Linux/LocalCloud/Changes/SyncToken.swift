import Foundation

/// A position in a feed. Clients see it as an opaque text.
struct SyncToken: Hashable {
    enum Feed: UInt8 {
        case database = 1
        case zone = 2
    }

    /// How far a fetch that tells the newest changes first has come down.
    struct Descent: Hashable {
        /// The changes before this one are still to come.
        var before: Int64
        /// Where the feed was when the fetch began, and where the next fetch goes on.
        var end: Int64
    }

    var feed: Feed
    /// Of the zone or the database. One that was created again has another.
    var incarnation: Int64
    /// Counts how often the tokens were made to expire.
    var epoch: Int64
    /// The last change that the client has seen.
    var sequence: Int64
    /// Tombstones up to here are not sent: where the feed was when the client began without a token.
    var tombstonesAfter: Int64
    /// When the token was given out, in milliseconds since 1970; 0 if tokens do not age.
    var time: Int64 = 0
    /// Where a fetch in reverse order goes on; nil between two fetches.
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

    /// Reads a token, or returns nil if this is none.
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
