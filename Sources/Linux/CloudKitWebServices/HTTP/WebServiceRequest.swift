import Foundation

/// A request of CloudKit Web Services as it came over HTTP.
public struct WebServiceRequest: Sendable {
    /// The method, in capitals.
    public var method: String
    /// The path and the query, as they stand in the request.
    public var target: String
    /// The header fields by name in lower case.
    public var headers: [String: String]
    /// What follows the header.
    public var body: Body

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path and the query, as they stand in the request.
    ///   - headers: The header fields. The case of their names does not matter.
    ///   - body: What follows the header.
    public init(
        method: String, target: String, headers: [String: String] = [:], body: Body = .data(Data())
    ) {
        self.method = method.uppercased()
        self.target = target
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
        self.body = body
    }

    /// What follows the header of a request.
    public enum Body: Sendable {
        /// The bytes.
        case data(Data)
        /// A file with the bytes, which the caller removes when the request is answered.
        case file(URL)
    }

    /// The path, without the query.
    var path: Substring { target.prefix { $0 != "?" } }

    /// The items of the query by name. A plus stays a plus.
    var query: [String: String] {
        let items = target.dropFirst(path.count + 1).split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1]) : ""
            return (String(parts[0]), value.removingPercentEncoding ?? value)
        }
        return Dictionary(items, uniquingKeysWith: { first, _ in first })
    }
}

/// The answer of a ``WebServiceRouter``, to be sent over HTTP.
public struct WebServiceResponse: Sendable {
    /// The status.
    public var status: Int
    /// The header fields. The length is not among them.
    public var headers: [String: String]
    /// What follows the header.
    public var body: Body

    /// Creates an answer.
    public init(status: Int, headers: [String: String] = [:], body: Body = .data(Data())) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// What follows the header of an answer.
    public enum Body: Sendable {
        /// The bytes.
        case data(Data)
        /// A file with the bytes, which whoever sends it removes afterwards.
        case temporaryFile(URL)
    }
}

/// The names of header fields, as they are written.
enum HeaderName {
    static let webAuthToken = "X-Apple-CloudKit-Web-Auth-Token"
    static let webSession = "X-Apple-CloudKit-Session"
    static let requestUUID = "X-Apple-Request-UUID"
    static let version = "X-Apple-CloudKit-Version"
    static let keyID = "X-Apple-CloudKit-Request-KeyID"
    static let date = "X-Apple-CloudKit-Request-ISO8601Date"
    static let signature = "X-Apple-CloudKit-Request-SignatureV1"
    /// Names the calling device to a server of ours, so that its own changes cause it no pushes.
    static let device = "X-Seam3-Device"
}
