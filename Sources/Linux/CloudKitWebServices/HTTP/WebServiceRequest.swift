import Foundation

/// A request to CloudKit Web Services, as received over HTTP.
public struct WebServiceRequest: Sendable {
    /// The method, in upper case.
    public var method: String
    /// The path and the query, as they appear in the request.
    public var target: String
    /// The header fields by name in lower case.
    public var headers: [String: String]
    /// What follows the header.
    public var body: Body
    /// Where the request comes from, such as the address of the connection. Apps without a user share
    /// an allowance with those of the same origin only.
    public var peer: String
    /// What the client's address of the server has after the router's base URL, such as `/open/key`.
    /// It is not part of the target. The sign-in page to which the client is sent has it, too.
    public var entrance = ""

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path and the query, as they appear in the request.
    ///   - headers: The header fields. The case of their names does not matter.
    ///   - body: What follows the header.
    ///   - peer: Where the request comes from.
    public init(
        method: String, target: String, headers: [String: String] = [:],
        body: Body = .data(Data()), peer: String = ""
    ) {
        self.method = method.uppercased()
        self.target = target
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
        self.body = body
        self.peer = peer
    }

    /// What follows the header of a request.
    public enum Body: Sendable {
        /// The bytes.
        case data(Data)
        /// A file with the bytes. The caller removes it after the request has been answered.
        case file(URL)
    }

    /// The path, without the query.
    var path: Substring { target.prefix { $0 != "?" } }

    /// The items of the query by name. A plus sign is not decoded as a space.
    var query: [String: String] {
        let items = target.dropFirst(path.count + 1).split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1]) : ""
            return (String(parts[0]), value.removingPercentEncoding ?? value)
        }
        return Dictionary(items, uniquingKeysWith: { first, _ in first })
    }
}

/// The response of a ``WebServiceRouter``, to be sent over HTTP.
public struct WebServiceResponse: Sendable {
    /// The status.
    public var status: Int
    /// The header fields, without the content length.
    public var headers: [String: String]
    /// What follows the header.
    public var body: Body

    /// Creates a response.
    public init(status: Int, headers: [String: String] = [:], body: Body = .data(Data())) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// How many bytes follow the header.
    var size: Int64 {
        switch body {
        case .data(let data): Int64(data.count)
        case .file(_, let size): size
        }
    }

    /// What follows the header of an answer.
    public enum Body: Sendable {
        /// The bytes.
        case data(Data)
        /// An open file with that many bytes. The server closes it after sending them, or when the
        /// client does not take them.
        case file(FileHandle, size: Int64)
    }
}

/// The names of header fields.
enum HeaderName {
    static let webAuthToken = "X-Apple-CloudKit-Web-Auth-Token"
    static let webSession = "X-Apple-CloudKit-Session"
    static let requestUUID = "X-Apple-Request-UUID"
    static let version = "X-Apple-CloudKit-Version"
    static let keyID = "X-Apple-CloudKit-Request-KeyID"
    static let date = "X-Apple-CloudKit-Request-ISO8601Date"
    static let signature = "X-Apple-CloudKit-Request-SignatureV1"
    /// Names the calling device to a server of this package, so that it gets no pushes for its own
    /// changes.
    static let device = "X-Seam3-Device"
}
