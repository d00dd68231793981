import Foundation
import FoundationNetworking

/// What a server has answered.
struct HTTPAnswer: Sendable {
    var status: Int
    /// By name in lower case.
    var headers: [String: String]
    var body: Data

    func header(_ name: String) -> String? { headers[name.lowercased()] }

    /// Checks that the answer is one of success.
    ///
    /// - Throws: The server's error or, from a server or proxy that does not speak of errors as CloudKit
    ///   does, the one that its status means.
    func check(now: Date) throws(CloudKitServiceError) {
        guard !(200..<300).contains(status) else { return }
        var error =
            (try? JSONDecoder().decode(CloudKitServiceError.self, from: body))
            ?? CloudKitServiceError(Self.code(ofStatus: status), reason: "HTTP status \(status)")
        if error.retryAfter == nil { error.retryAfter = retryAfter(now: now) }
        throw error
    }

    private static func code(ofStatus status: Int) -> ServerErrorCode {
        switch status {
        // A proxy's 421 is about the connection. CloudKit's has a dictionary.
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

    /// What `Retry-After` says, as seconds or as a date.
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

/// Why there is no answer.
struct HTTPFailure: Error {
    /// The error's code. Its user info names the address, which has tokens in it, so nothing else is kept.
    var code: URLError.Code
    /// Whether the answer had begun.
    var hasAnswerBegun = false

    var isTimeout: Bool { code == .timedOut }
}

extension CloudKitServiceError {
    /// The error that Apple's client gives.
    ///
    /// - Parameter isWriting: Whether the request changes something. If its answer had begun, it was
    ///   carried out, and only the answer is lost.
    init(_ failure: HTTPFailure, isWriting: Bool) {
        switch failure.code {
        case .cancelled:
            self.init(.cancelled, reason: "The request was canceled")
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
            self.init(.networkUnavailable, reason: "The network is not available")
        case .timedOut where !failure.hasAnswerBegun:
            self.init(.networkFailure, reason: "The request timed out")
        case .cannotCreateFile, .cannotMoveFile, .cannotWriteToFile:
            self.init(.clientError, reason: "The file cannot be written")
        default:
            let isLost = isWriting && failure.hasAnswerBegun
            self.init(
                isLost ? .serverResponseLost : .networkFailure,
                reason: isLost
                    ? "The answer broke off" : "The connection failed (\(failure.code.rawValue))")
        }
    }
}
