import Foundation
import FoundationGaps

/// Makes texts that carry a value to a client and back, and that only the owner of the key can make.
///
/// The value is not secret. A server that gives out addresses and tokens in this form need not remember
/// them.
struct SealedText: Sendable {
    private let key: Data

    /// - Parameter key: A secret of 32 bytes; a new one unless given.
    init(key: Data? = nil) {
        var source = SystemRandomNumberGenerator()
        self.key =
            key ?? Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }

    /// The value as a text of letters, digits, `-`, `_` and a dot.
    func seal(_ value: some Encodable, purpose: String) throws(CloudKitServiceError) -> String {
        do {
            let data = try JSONEncoder().encode(value)
            return "\(Self.text(data)).\(Self.text(code(data, purpose)))"
        } catch {
            throw CloudKitServiceError(.internalError, reason: "The address cannot be written")
        }
    }

    /// The value of a text that this key has sealed for the same purpose; nil of any other text.
    func open<Value: Decodable>(_ type: Value.Type, _ text: String, purpose: String) -> Value? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let data = Self.data(parts[0]), let mark = Self.data(parts[1]),
            Self.areEqual(mark, code(data, purpose))
        else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }

    /// The HMAC of the purpose and the bytes.
    private func code(_ data: Data, _ purpose: String) -> Data {
        func block(_ mask: UInt8) -> [UInt8] {
            (key + Data(count: 64 - key.count)).map { $0 ^ mask }
        }
        let inner = SHA256.digest(of: block(0x36) + Array(purpose.utf8) + [0] + data)
        return SHA256.digest(of: block(0x5c) + inner)
    }

    /// Compares without telling by its time where the first difference is.
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
