import Foundation
import FoundationNetworking

/// A server's response.
struct HTTPAnswer: Sendable {
    var status: Int
    /// The header fields, by name in lower case.
    var headers: [String: String]
    var body: Data

    /// A client that would wait for longer than a day would seem to have stopped.
    private static let maximumWait: TimeInterval = 86_400

    func header(_ name: String) -> String? { headers[name.lowercased()] }

    /// Throws unless the status is one of success.
    ///
    /// - Throws: The server's error. If the response comes from a proxy or from a server without
    ///   CloudKit's error format, the error follows from the status.
    func check(now: Date) throws(CloudKitServiceError) {
        guard !(200..<300).contains(status) else { return }
        var error =
            (try? JSONDecoder().decode(CloudKitServiceError.self, from: body))
            ?? CloudKitServiceError(Self.code(ofStatus: status), reason: "HTTP status \(status)")
        let wait = error.retryAfter ?? retryAfter(now: now)
        error.retryAfter = wait.map { min(max(0, $0), Self.maximumWait) }
        throw error
    }

    private static func code(ofStatus status: Int) -> ServerErrorCode {
        switch status {
        // A proxy's 421 concerns the connection. CloudKit's has an error dictionary.
        case 300..<400, 408, 421: .networkFailure
        case 400: .badRequest
        case 401: .authenticationFailed
        case 403: .accessDenied
        case 404, 410: .notFound
        case 413: .limitExceeded
        case 429: .throttled
        case 500: .internalError
        case 502, 503, 504: .tryAgainLater
        case 505...: .internalError
        default: .serverRejectedRequest
        }
    }

    /// The delay in `Retry-After`, which may be in seconds or a date.
    private func retryAfter(now: Date) -> TimeInterval? {
        guard let text = header("Retry-After") else { return nil }
        if let seconds = Double(text), seconds.isFinite { return max(0, seconds) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text).map { max(0, $0.timeIntervalSince(now)) }
    }
}

/// The reason why there is no response.
struct HTTPFailure: Error {
    /// The error's code. The rest of the error is dropped, because its user info has the URL, which
    /// contains tokens.
    var code: URLError.Code
    /// Whether the response had begun.
    var hasAnswerBegun = false

    var isTimeout: Bool { code == .timedOut }
}

extension CloudKitServiceError {
    /// The error that Apple's client reports.
    ///
    /// - Parameter isWriting: Whether the request writes. If its response had begun, the server has
    ///   executed it, and only the response is lost.
    init(_ failure: HTTPFailure, isWriting: Bool) {
        switch failure.code {
        case .cancelled:
            self.init(.cancelled, reason: "The request was canceled")
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
            self.init(.networkUnavailable, reason: "The network is not available")
        case .timedOut where !failure.hasAnswerBegun:
            self.init(.networkFailure, reason: "The request timed out")
        case .dataLengthExceedsMaximum:
            self.init(
                isWriting ? .serverResponseLost : .networkFailure,
                reason: "The response is larger than it may be")
        case .cannotCreateFile, .cannotMoveFile, .cannotWriteToFile:
            self.init(.clientError, reason: "The file cannot be written")
        default:
            let isLost = isWriting && failure.hasAnswerBegun
            self.init(
                isLost ? .serverResponseLost : .networkFailure,
                reason: isLost
                    ? "The response is incomplete"
                    : "The connection failed (\(failure.code.rawValue))")
        }
    }
}
