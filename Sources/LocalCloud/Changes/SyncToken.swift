import Foundation

/// A position in a feed. Clients see it as an opaque text.
struct SyncToken: Hashable {
    enum Feed: UInt8 {
        case database = 1
        case zone = 2
    }

    var feed: Feed
    /// Of the zone or the database. One that was made anew has another.
    var incarnation: Int64
    /// Counts how often the tokens were made to expire.
    var epoch: Int64
    /// The last change that the client has seen.
    var sequence: Int64
    /// Tombstones up to here are not sent: where the feed was when the client began without a token.
    var tombstonesAfter: Int64

    private static let version: UInt8 = 1

    /// The token as a text.
    var text: String {
        var data = Data([Self.version, feed.rawValue])
        for number in [incarnation, epoch, sequence, tombstonesAfter] {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        return data.base64EncodedString()
    }

    /// Reads a token, or returns nil if this is none.
    init?(text: String) {
        guard let data = Data(base64Encoded: text), data.count == 2 + 4 * 8,
            data[0] == Self.version, let feed = Feed(rawValue: data[1])
        else { return nil }
        self.feed = feed
        func number(_ index: Int) -> Int64 {
            data.withUnsafeBytes {
                Int64(littleEndian: $0.loadUnaligned(fromByteOffset: 2 + 8 * index, as: Int64.self))
            }
        }
        incarnation = number(0)
        epoch = number(1)
        sequence = number(2)
        tombstonesAfter = number(3)
    }

    init(feed: Feed, incarnation: Int64, epoch: Int64, sequence: Int64, tombstonesAfter: Int64) {
        self.feed = feed
        self.incarnation = incarnation
        self.epoch = epoch
        self.sequence = sequence
        self.tombstonesAfter = tombstonesAfter
    }
}
