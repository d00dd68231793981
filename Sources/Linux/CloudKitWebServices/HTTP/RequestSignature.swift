import Foundation
import FoundationGaps

/// The signature of a server-to-server key. It covers the date, the digest of the body and the path
/// of a request.
public struct RequestSignature: Hashable, Sendable {
    /// The key's ID.
    public var keyID: String
    /// The date of the signature: UTC to the second, with a `Z`.
    public var date: String
    /// The DER form of the ECDSA signature.
    public var signature: Data
    /// The messages that the signature may cover. There are two for a request without a body,
    /// because some clients use an empty string as its digest and some the digest of zero bytes, and
    /// none before the body has been read.
    public var messages: [Data]

    /// The maximum difference in seconds between a request's date and the server's time.
    public static let tolerance: TimeInterval = 600

    /// Reads the signature from a request's header; nil if the request is not signed.
    ///
    /// - Parameter body: The body; nil if it has not been read, and the signature covers nothing yet.
    init?(_ request: WebServiceRequest, body: Data?) {
        func field(_ name: String) -> String? { request.headers[name.lowercased()] }
        guard let keyID = field(HeaderName.keyID) else { return nil }
        self.keyID = keyID
        date = field(HeaderName.date) ?? ""
        signature = field(HeaderName.signature).flatMap { Data(base64Encoded: $0) } ?? Data()
        guard let body else {
            messages = []
            return
        }
        let path = String(request.path)
        messages = [Self.message(date: date, body: body, path: path)]
        if body.isEmpty { messages.append(Data("\(date)::\(path)".utf8)) }
    }

    /// The message to sign: `date:base64(SHA-256(body)):path`.
    static func message(date: String, body: Data, path: String) -> Data {
        Data("\(date):\(SHA256.digest(of: body).base64EncodedString()):\(path)".utf8)
    }

    /// A date in the header's format.
    static func text(of date: Date) -> String { formatter.string(from: date) }

    /// Whether the date of the signature is close enough to the server's time.
    ///
    /// - Parameters:
    ///   - now: The server's time.
    ///   - start: When the server was started. It does not know which signatures it has seen before.
    public func isTimely(at now: Date = Date(), since start: Date = .distantPast) -> Bool {
        guard let signed = Self.formatter.date(from: date) else { return false }
        return signed >= start && abs(signed.timeIntervalSince(now)) <= Self.tolerance
    }

    private static var formatter: ISO8601DateFormatter {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime]
        return formatter
    }
}
