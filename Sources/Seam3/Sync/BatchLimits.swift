/// How much is sent in one request: less after a request that was too large, more again after some
/// that were not.
struct BatchLimits: Equatable {
    /// How many records a request has at most.
    private(set) var count = Self.mostRecords
    /// How many bytes of fields a request has at most.
    private(set) var byteCount = Self.mostBytes
    /// How many bytes of files a request has at most.
    private(set) var assetByteCount = Self.mostAssetBytes
    /// How many requests in a row the server has taken since the limits were last changed.
    private var takenRequests = 0

    /// CloudKit's limit of records for one request.
    static let mostRecords = 400
    /// CloudKit takes 2 MB; this leaves room for what is not fields.
    static let mostBytes = 1_500_000
    /// What a slow connection takes in some minutes. A request has to be sent again from its beginning.
    static let mostAssetBytes = 8_000_000
    /// How many requests the server has to take before larger ones are tried.
    private static let requestsBeforeGrowth = 4
    /// A request of one record may have any size, so less makes no difference.
    private static let fewestBytes = 10_000
    /// The same of files.
    private static let fewestAssetBytes = 500_000

    /// The server has refused a request for its size: half of it is tried.
    ///
    /// - Parameters:
    ///   - sentCount: How many records it had.
    ///   - sentBytes: How many bytes it had.
    mutating func noteRefusal(ofCount sentCount: Int, byteCount sentBytes: Int) {
        takenRequests = 0
        count = max(1, min(count, sentCount) / 2)
        byteCount = max(Self.fewestBytes, min(byteCount, sentBytes) / 2)
        assetByteCount = max(Self.fewestAssetBytes, assetByteCount / 2)
    }

    /// The server has taken a request.
    mutating func noteAcceptance() {
        guard self != BatchLimits() else { return }
        takenRequests += 1
        guard takenRequests >= Self.requestsBeforeGrowth else { return }
        takenRequests = 0
        count = min(Self.mostRecords, count * 2)
        byteCount = min(Self.mostBytes, byteCount * 2)
        assetByteCount = min(Self.mostAssetBytes, assetByteCount * 2)
    }
}
