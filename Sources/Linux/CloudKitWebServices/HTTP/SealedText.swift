import Foundation
import FoundationGaps

/// Encodes values as strings that a client can return but not forge: only the owner of the key can
/// create them.
///
/// The value is not secret. A server that issues URLs and tokens in this form does not have to
/// store them.
struct SealedText: Sendable {
    private let key: Data

    /// - Parameter key: A secret of 32 bytes; by default a random one.
    init(key: Data? = nil) {
        var source = SystemRandomNumberGenerator()
        self.key =
            key ?? Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }

    /// The value as a string of letters, digits, `-`, `_` and a dot.
    func seal(_ value: some Encodable, purpose: String) throws(CloudKitServiceError) -> String {
        do {
            let data = try JSONEncoder().encode(value)
            return "\(Self.text(data)).\(Self.text(code(data, purpose)))"
        } catch {
            throw CloudKitServiceError(.internalError, reason: "The URL cannot be encoded")
        }
    }

    /// The value of a string that this key has sealed for the same purpose; nil for any other
    /// string.
    func open<Value: Decodable>(_ type: Value.Type, _ text: String, purpose: String) -> Value? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let data = Self.data(parts[0]), let mark = Self.data(parts[1]),
            Self.areEqual(mark, code(data, purpose))
        else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }

    /// The HMAC of the purpose and the bytes.
    func code(_ data: Data, _ purpose: String) -> Data {
        func block(_ mask: UInt8) -> [UInt8] {
            (key + Data(count: 64 - key.count)).map { $0 ^ mask }
        }
        let inner = SHA256.digest(of: block(0x36) + Array(purpose.utf8) + [0] + data)
        return SHA256.digest(of: block(0x5c) + inner)
    }

    /// Compares in constant time.
    private static func areEqual(_ left: Data, _ right: Data) -> Bool {
        left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func text(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    private static func data(_ text: Substring) -> Data? {
        let base64 = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
        return Data(base64Encoded: base64 + padding)
    }
}
