/// A point in the history of a zone or a database, from which changes can be fetched.
///
/// Tokens come only from the server. They can be archived, and compared only for equality.
open class CKServerChangeToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; the property is a constant.

    /// The service's opaque string.
    let syncToken: String

    init(syncToken: String) {
        self.syncToken = syncToken
    }

    private static let syncTokenKey = "ChangeTokenData"

    /// Change tokens decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes a token that ``encode(with:)`` or Apple's framework wrote.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: Self.syncTokenKey) else { return nil }
        switch coder.decodeObject(of: [NSString.self, NSData.self], forKey: Self.syncTokenKey) {
        case let text as String: syncToken = text
        // The web service's form of the bytes that Apple's framework keeps.
        case let data as Data: syncToken = data.base64EncodedString()
        default: return nil
        }
    }

    /// Encodes the token, for a keyed archive.
    public func encode(with coder: NSCoder) {
        coder.encode(syncToken, forKey: Self.syncTokenKey)
    }

    /// Returns the receiver: tokens never change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object is a token for the same point of the same history.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKServerChangeToken)?.syncToken == syncToken
    }

    /// A hash that agrees with ``isEqual(_:)``.
    open override var hash: Int { syncToken.hashValue }

    /// The opaque string.
    open override var description: String {
        "<CKServerChangeToken; data=\(syncToken)>"
    }
}
