import Foundation
import Hummingbird

/// The fields of a form, from the query of an address or the body of a request.
struct FormFields {
    private var values: [String: String] = [:]

    /// Reads `name=value&…`. Of several fields with a name the last counts.
    init(_ text: some StringProtocol) {
        for item in text.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[Self.decoded(parts[0])] = parts.count > 1 ? Self.decoded(parts[1]) : ""
        }
    }

    /// Reads the query of a request.
    init(query request: Request) { self.init(request.uri.query ?? "") }

    /// Reads the body of a request.
    ///
    /// - Throws: A ``BodyFailure``, or an error of the connection.
    init(body request: Request) async throws {
        let data = try await request.data(.init(bytes: 65_536, seconds: 30))
        self.init(String(decoding: data, as: UTF8.self))
    }

    /// The value of a field; nil if it is missing or empty.
    subscript(_ name: String) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func decoded(_ text: some StringProtocol) -> String {
        let spaced = text.replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }
}
