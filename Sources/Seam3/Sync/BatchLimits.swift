/// The size of requests: smaller after a request that was too large or several in conflict, and larger again after
/// several that the server has accepted.
struct BatchLimits: Equatable {
    /// The maximum number of records in a request.
    private(set) var count = Self.mostRecords
    /// The maximum number of bytes of fields in a request.
    private(set) var byteCount = Self.mostBytes
    /// The maximum number of bytes of files in a request.
    private(set) var assetByteCount = Self.mostAssetBytes
    /// How many requests in a row the server has accepted since the limits last changed.
    private var takenRequests = 0
    /// How many requests in a row were in conflict with other devices' changes.
    private var contestedRequests = 0

    /// CloudKit's limit for the records of one request.
    static let mostRecords = 400
    /// CloudKit accepts 2 MB; this leaves room for everything that is not a field.
    static let mostBytes = 1_500_000
    /// What a slow connection can upload in a few minutes. An interrupted request starts over.
    static let mostAssetBytes = 8_000_000
    /// How many requests the server has to accept before larger ones are tried.
    private static let requestsBeforeGrowth = 4
    /// How many conflicts in a row are taken for coincidence.
    private static let conflictsBeforeShrinking = 2
    /// A request with a single record may have any size, so a lower limit makes no difference.
    private static let fewestBytes = 10_000
    /// The same limit for files.
    private static let fewestAssetBytes = 500_000

    /// Halves the limits, because the server has refused a request for its size.
    ///
    /// - Parameters:
    ///   - sentCount: The number of records in the request.
    ///   - sentBytes: The number of bytes in the request.
    mutating func noteRefusal(ofCount sentCount: Int, byteCount sentBytes: Int) {
        takenRequests = 0
        count = max(1, min(count, sentCount) / 2)
        byteCount = max(Self.fewestBytes, min(byteCount, sentBytes) / 2)
        assetByteCount = max(Self.fewestAssetBytes, assetByteCount / 2)
    }

    /// Notes that the server has carried out nothing of a request because of other devices' changes. If that happens
    /// again and again, smaller requests get ahead of them.
    ///
    /// - Parameter sentCount: The number of records in the request.
    mutating func noteConflict(ofCount sentCount: Int) {
        (takenRequests, contestedRequests) = (0, contestedRequests + 1)
        guard contestedRequests > Self.conflictsBeforeShrinking else { return }
        count = max(1, min(count, sentCount) / 2)
    }

    /// Notes that the server has accepted a request.
    mutating func noteAcceptance() {
        contestedRequests = 0
        guard self != BatchLimits() else { return }
        takenRequests += 1
        guard takenRequests >= Self.requestsBeforeGrowth else { return }
        takenRequests = 0
        count = min(Self.mostRecords, count * 2)
        byteCount = min(Self.mostBytes, byteCount * 2)
        assetByteCount = min(Self.mostAssetBytes, assetByteCount * 2)
    }
}
