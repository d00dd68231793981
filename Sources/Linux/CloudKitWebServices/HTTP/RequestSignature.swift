import Foundation
import FoundationGaps

/// What the owner of a server-to-server key signs: the date, the digest of the body and the path of a
/// request.
public struct RequestSignature: Hashable, Sendable {
    /// The key's ID.
    public var keyID: String
    /// When the request was signed: UTC to the second, with a `Z`.
    public var date: String
    /// The DER form of the ECDSA signature.
    public var signature: Data
    /// The texts that the signature may be of. They differ only for a request without a body, whose digest
    /// some clients write as an empty text and some as that of no bytes.
    public var messages: [Data]

    /// How far a request's date may be from the server's, in seconds.
    public static let tolerance: TimeInterval = 600

    /// Reads the header of a request; nil if it is not signed.
    init?(_ request: WebServiceRequest, body: Data) {
        func field(_ name: String) -> String? { request.headers[name.lowercased()] }
        guard let keyID = field(HeaderName.keyID) else { return nil }
        self.keyID = keyID
        date = field(HeaderName.date) ?? ""
        signature = field(HeaderName.signature).flatMap { Data(base64Encoded: $0) } ?? Data()
        let path = String(request.path)
        messages = [Self.message(date: date, body: body, path: path)]
        if body.isEmpty { messages.append(Data("\(date)::\(path)".utf8)) }
    }

    /// The text to sign: `date:base64(SHA-256(body)):path`.
    static func message(date: String, body: Data, path: String) -> Data {
        Data("\(date):\(SHA256.digest(of: body).base64EncodedString()):\(path)".utf8)
    }

    /// A date as the header has it.
    static func text(of date: Date) -> String { formatter.string(from: date) }

    /// Whether the request was signed about now.
    ///
    /// - Parameter now: The time of the server.
    public func isTimely(at now: Date = Date()) -> Bool {
        guard let signed = Self.formatter.date(from: date) else { return false }
        return abs(signed.timeIntervalSince(now)) <= Self.tolerance
    }

    private static var formatter: ISO8601DateFormatter {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime]
        return formatter
    }
}
