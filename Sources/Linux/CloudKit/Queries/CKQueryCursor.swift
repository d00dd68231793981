import CloudKitService

/// The end of a page of a query; spelled `CKQueryOperation.Cursor`.
///
/// It is an offset into the results of a query that is run again, not a copy of them: use it soon.
open class CKQueryCursor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; the property is a constant.

    /// The request for the next page.
    let request: QueryRecordsRequest

    init(request: QueryRecordsRequest, marker: String) {
        var request = request
        request.continuationMarker = marker
        self.request = request
    }

    private static let requestKey = "CursorData"

    /// Cursors decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes a cursor that ``encode(with:)`` wrote.
    public required init?(coder: NSCoder) {
        guard let data = coder.decode(NSData.self, forKey: Self.requestKey),
            let request = try? JSONDecoder().decode(
                QueryRecordsRequest.self, from: Data(referencing: data))
        else { return nil }
        self.request = request
    }

    /// Encodes the cursor, for a keyed archive.
    public func encode(with coder: NSCoder) {
        do {
            coder.encode(NSData(data: try JSONEncoder().encode(request)), forKey: Self.requestKey)
        } catch {
            coder.failWithError(error)
        }
    }

    /// Returns the receiver: cursors never change.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
