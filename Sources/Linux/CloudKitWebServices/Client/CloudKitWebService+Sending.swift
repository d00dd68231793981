import Foundation
import FoundationGaps
import FoundationNetworking

extension CloudKitWebService {
    /// Sends a request with a body, and decodes the response.
    func post<Response: Decodable>(
        _ operation: WebServiceOperation, _ body: some Encodable, in context: RequestContext
    ) async throws(CloudKitServiceError) -> Response {
        let data: Data
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            data = try encoder.encode(body)
        } catch {
            throw CloudKitServiceError(.badRequest, reason: "The request cannot be encoded")
        }
        return try read(try await send(operation, data, in: context), operation)
    }

    /// Sends a request without a body, and decodes the response.
    func get<Response: Decodable>(
        _ operation: WebServiceOperation, in context: RequestContext
    ) async throws(CloudKitServiceError) -> Response {
        try read(try await send(operation, nil, in: context), operation)
    }

    /// Sends a request.
    ///
    /// - Parameter body: The body; nil for a request without one.
    /// - Returns: The body of the response.
    func send(
        _ operation: WebServiceOperation, _ body: Data?, in context: RequestContext
    ) async throws(CloudKitServiceError) -> Data {
        try await check(context, operation)
        // A refused token is renewed once. If another request has renewed it in the meantime, the
        // request is tried again, but not endlessly.
        var attempts = 3
        while true {
            attempts -= 1
            do throws(Refusal) {
                return try await attempt(operation, body, in: context)
            } catch {
                guard attempts > 0, case .tokens(_, let session) = credentials.kind,
                    [.authenticationRequired, .authenticationFailed].contains(error.error.code)
                else { throw error.error }
                guard await session.renew(after: error.token, error.error) else {
                    throw error.error
                }
            }
        }
    }

    /// An error, and the token of the request.
    private struct Refusal: Error {
        var error: CloudKitServiceError
        var token: String?
    }

    private func attempt(
        _ operation: WebServiceOperation, _ body: Data?, in context: RequestContext
    ) async throws(Refusal) -> Data {
        guard case .tokens(let apiToken, let session) = credentials.kind else {
            do throws(CloudKitServiceError) {
                return try await exchange(operation, body, query: "", in: context).body
            } catch {
                throw Refusal(error: error)
            }
        }
        let token = await session.begin()
        var query = "?ckAPIToken=\(Self.encoded(apiToken))"
        if let token { query += "&ckWebAuthToken=\(Self.encoded(token))" }
        var renewed: String?
        let result: Result<Data, CloudKitServiceError>
        do throws(CloudKitServiceError) {
            let answer = try await exchange(operation, body, query: query, in: context) {
                renewed = $0
            }
            result = .success(answer.body)
        } catch {
            result = .failure(error)
        }
        await session.end(token, renewedToken: renewed)
        switch result {
        case .success(let data): return data
        case .failure(let error): throw Refusal(error: error, token: token)
        }
    }

    /// Sends a request and follows redirections to the same server.
    private func exchange(
        _ operation: WebServiceOperation, _ body: Data?, query: String,
        in context: RequestContext, renewal: (String?) -> Void = { _ in }
    ) async throws(CloudKitServiceError) -> HTTPAnswer {
        let path = WebServicePath(context, operation: operation.rawValue).text
        guard var url = URL(string: baseURL.absoluteString + path + query) else {
            throw CloudKitServiceError(
                .badContainer, reason: "The container's identifier is not valid")
        }
        for _ in 0..<3 {
            let request = try urlRequest(url, path: path, body, context)
            let answer: HTTPAnswer
            do throws(HTTPFailure) {
                answer = try await transport.exchange(request)
            } catch {
                throw CloudKitServiceError(error, isWriting: operation.isWriting)
            }
            renewal(
                answer.header(HeaderName.webAuthToken) ?? answer.header(HeaderName.webSession))
            guard [307, 308].contains(answer.status) else {
                try answer.check(now: options.clock())
                return answer
            }
            guard let target = answer.header("Location"),
                let next = URL(string: target, relativeTo: url)?.absoluteURL,
                next.scheme == url.scheme, next.host == url.host, next.port == url.port
            else { break }
            url = next
        }
        throw CloudKitServiceError(
            .networkFailure, reason: "The server redirects requests to another server")
    }

    private func urlRequest(
        _ url: URL, path: String, _ body: Data?, _ context: RequestContext
    ) throws(CloudKitServiceError) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = body == nil ? "GET" : "POST"
        request.httpBody = body
        request.timeoutInterval = options.timeout
        if body != nil {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if options.namesDevice, !context.device.isEmpty, baseURL != Self.appleURL {
            request.setValue(context.device, forHTTPHeaderField: HeaderName.device)
        }
        guard case .key(let keyID, let sign) = credentials.kind else { return request }
        let date = RequestSignature.text(of: options.clock())
        let message = RequestSignature.message(date: date, body: body ?? Data(), path: path)
        do {
            let signature = try sign(message).base64EncodedString()
            request.setValue(keyID, forHTTPHeaderField: HeaderName.keyID)
            request.setValue(date, forHTTPHeaderField: HeaderName.date)
            request.setValue(signature, forHTTPHeaderField: HeaderName.signature)
        } catch {
            throw CloudKitServiceError(.clientError, reason: "The request cannot be signed")
        }
        return request
    }

    private func read<Response: Decodable>(
        _ data: Data, _ operation: WebServiceOperation
    ) throws(CloudKitServiceError) -> Response {
        do {
            return try JSONDecoder().decode(Response.self, from: data)
        } catch {
            throw CloudKitServiceError(
                operation.isWriting ? .serverResponseLost : .networkFailure,
                reason: "The response is unreadable: \(explanation(of: error))")
        }
    }

    /// A token encoded for a query, without any character that has a meaning there.
    private static func encoded(_ token: String) -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return token.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    // MARK: - Checks

    private func check(
        _ context: RequestContext, _ operation: WebServiceOperation
    ) async throws(CloudKitServiceError) {
        guard context.container == container, context.environment == environment else {
            throw CloudKitServiceError(
                .badContainer, reason: "The service is for \(container), \(environment.rawValue)")
        }
        if case .key = credentials.kind,
            context.database != .public || operation.isForUsersOnly
        {
            throw CloudKitServiceError(
                .authenticationRequired,
                reason: "A server-to-server key is for the public database only")
        }
        guard let expected = context.user, operation != .caller,
            case .tokens(_, let session) = credentials.kind
        else { return }
        var name = await session.knownUser
        if name == nil { name = try await fetchCaller(in: context).userRecordName }
        guard name == expected else {
            throw CloudKitServiceError(.authenticationFailed, reason: "Another user is signed in")
        }
    }

    /// Checks the number of items of a request.
    func check(_ count: Int) throws(CloudKitServiceError) {
        guard count > options.maximumItems else { return }
        throw CloudKitServiceError(
            .limitExceeded,
            reason: "Your request contains \(count) items which is more than the maximum number of "
                + "items in a single request (\(options.maximumItems))")
    }
}

extension WebServiceOperation {
    /// Whether the operation writes, so that a lost response leaves its result unknown.
    var isWriting: Bool {
        switch self {
        case .modifyRecords, .modifyZones, .modifySubscriptions: true
        default: false
        }
    }
}
