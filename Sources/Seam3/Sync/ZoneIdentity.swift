import CoreData

/// Random bytes by which a zone is recognized: one that was deleted and made again has others.
///
/// The zone keeps them as the first half of its client change token. The second half is different for each request,
/// because a server may take a request with the zone's own token for a repeated one.
struct ZoneIdentity: Equatable {
    // What Apple's frameworks do here is an assumption: SM-19.

    private static let count = 8

    let bytes: Data

    /// The identity of a zone that has none yet.
    init() {
        bytes = Self.randomBytes()
    }

    /// Reads the client change token of a zone, or the identity alone.
    ///
    /// - Returns: nil if another program has left something else there.
    init?(_ token: Data) {
        guard token.count == Self.count || token.count == 2 * Self.count else { return nil }
        bytes = Data(token.prefix(Self.count))
    }

    /// A client change token for a request.
    func clientToken() -> Data { bytes + Self.randomBytes() }

    private static func randomBytes() -> Data {
        withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { Data($0) }
    }
}
