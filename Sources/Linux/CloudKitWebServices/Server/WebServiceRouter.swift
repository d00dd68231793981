import Foundation
import FoundationGaps

/// CloudKit Web Services on top of any `CloudKitService`. It takes requests as received over HTTP
/// and returns the responses. The HTTP server only has to parse the former and send the latter.
///
///     let router = WebServiceRouter(
///         service: cloud, authentication: accounts, baseURL: URL(string: "http://127.0.0.1:8080")!)
///     let response = await router.respond(to: WebServiceRequest(
///         method: "POST", target: "/database/1/iCloud.test/development/private/records/query",
///         headers: ["content-type": "application/json"], body: .data(body)))
///
/// The router reads no configuration files, stores nothing except push tokens, and writes no log.
public final class WebServiceRouter: Sendable {
    let service: any CloudKitService
    let authentication: any WebServiceAuthentication
    let baseURL: URL
    /// The limits and other options.
    public let options: WebServiceRouterOptions
    let seal: SealedText
    let courier: WebCourier
    let ledger: AllowanceLedger

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - service: Executes the requests.
    ///   - authentication: Authenticates the requests.
    ///   - baseURL: The address at which clients reach the server, without a trailing slash. The
    ///     URLs of assets and pushes begin with it.
    ///   - secret: 32 bytes; by default random. Routers with the same secret accept each other's
    ///     asset URLs, also after a restart.
    ///   - options: The limits and other options.
    public init(
        service: any CloudKitService, authentication: any WebServiceAuthentication, baseURL: URL,
        secret: Data? = nil, options: WebServiceRouterOptions = WebServiceRouterOptions()
    ) {
        self.service = service
        self.authentication = authentication
        self.baseURL = baseURL
        self.options = options
        seal = SealedText(key: secret)
        courier = WebCourier(options: options)
        ledger = AllowanceLedger(options.allowance, clock: options.clock)
    }

    /// Responds to a request with its body. It never throws: errors are responses, too.
    public func respond(to request: WebServiceRequest) async -> WebServiceResponse {
        switch await admit(request) {
        case .answered(let response): return response
        case .admitted(let entry): return await respond(to: request, as: entry)
        }
    }

    /// Responds to a request that was admitted, with its body.
    public func respond(
        to request: WebServiceRequest, as entry: WebServiceEntry
    ) async -> WebServiceResponse {
        var response: WebServiceResponse
        do throws(CloudKitServiceError) {
            switch entry.destination {
            case .operation(let operation, let path, let visitor):
                response = try await call(operation, path, visitor, request, uuid: entry.uuid)
            case .upload(let address): response = try await upload(request, to: address)
            case .download(let address): response = try await download(address)
            case .courier(let token): response = try await nextPush(token)
            }
        } catch {
            response = errorResponse(error, uuid: entry.uuid)
        }
        return finished(response, request, entry.uuid)
    }

    private func call(
        _ operation: WebServiceOperation, _ path: WebServicePath,
        _ visitor: WebServiceEntry.Visitor, _ request: WebServiceRequest, uuid: String
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        let body = try bytes(of: request)
        let caller = try await caller(visitor, operation, path, request, body)
        let context = RequestContext(
            container: path.container, environment: path.environment, database: path.database,
            device: caller.device)
        var response: WebServiceResponse
        do throws(CloudKitServiceError) {
            response = try await answer(
                WebServiceCall(
                    context: context, caller: caller, operation: operation, body: body,
                    options: options))
        } catch {
            response = errorResponse(error, uuid: uuid)
        }
        await ledger.take(
            bytes: Int64(body.count) + response.size, from: account(of: caller, request))
        return withNextToken(of: caller, response)
    }

    private func caller(
        _ visitor: WebServiceEntry.Visitor, _ operation: WebServiceOperation,
        _ path: WebServicePath, _ request: WebServiceRequest, _ body: Data
    ) async throws(CloudKitServiceError) -> WebServiceCaller {
        if case .known(let caller) = visitor { return caller }
        let credentials = credentials(of: request, body: body)
        let caller = try await authentication.caller(
            credentials, deviceName: nil, container: path.container,
            environment: path.environment)
        try await authorize(caller, credentials, operation, path.database)
        try await ledger.take(from: account(of: caller, request))
        return caller
    }

    private func bytes(of request: WebServiceRequest) throws(CloudKitServiceError) -> Data {
        guard case .data(let data) = request.body, data.count <= options.maximumBodySize else {
            throw CloudKitServiceError(.limitExceeded, reason: "The request is too large")
        }
        return data
    }

    // MARK: - Responses

    /// The response with a JSON body.
    func response(
        _ body: some Encodable, numbersAsStrings: Bool = false
    ) throws(CloudKitServiceError) -> WebServiceResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.userInfo[.numbersAsStrings] = numbersAsStrings
        do {
            return WebServiceResponse(
                status: 200, headers: ["Content-Type": "application/json; charset=UTF-8"],
                body: .data(try encoder.encode(body)))
        } catch {
            throw CloudKitServiceError(.internalError, reason: "The response cannot be encoded")
        }
    }

    /// A response with what all have.
    func finished(
        _ response: WebServiceResponse, _ request: WebServiceRequest, _ uuid: String
    ) -> WebServiceResponse {
        var response = response
        response.headers[HeaderName.requestUUID] = uuid
        response.headers[HeaderName.version] = "1.0"
        response.headers.merge(originHeaders(for: request)) { $1 }
        return response
    }

    /// A response with the web-auth token for the caller's next request.
    func withNextToken(
        of caller: WebServiceCaller, _ response: WebServiceResponse
    ) -> WebServiceResponse {
        var response = response
        if let token = caller.nextToken { response.headers[HeaderName.webAuthToken] = token }
        return response
    }

    /// The errors whose reasons are about the server's own files.
    private static let serverCodes: Set<ServerErrorCode> = [
        .internalError, .tryAgainLater, .clientError, .assetFileNotFound, .assetFileModified,
        .assetNotAvailable,
    ]

    func errorResponse(_ error: CloudKitServiceError, uuid: String) -> WebServiceResponse {
        var error = error
        if Self.serverCodes.contains(error.code) {
            options.report(error, error.uuid ?? uuid)
            error.reason = "The server has failed. Its log tells why"
        }
        error.uuid = error.uuid ?? uuid
        error.reason = error.reason ?? error.code.rawValue
        var response = (try? response(error)) ?? WebServiceResponse(status: 500)
        response.status = error.code.httpStatus
        if let seconds = error.retryAfter {
            response.headers["Retry-After"] = String(Int(seconds.rounded(.up)))
        }
        return response
    }

    private func originHeaders(for request: WebServiceRequest) -> [String: String] {
        guard let origin = request.headers["origin"],
            options.allowedOrigins?.contains(origin) ?? true
        else { return [:] }
        var headers = [
            "Access-Control-Allow-Origin": origin, "Vary": "Origin",
            "Access-Control-Expose-Headers":
                "X-Apple-CloudKit-Version, X-Apple-Request-UUID, X-Responding-Instance, Via, "
                + HeaderName.webAuthToken,
        ]
        if request.method == "OPTIONS" {
            headers["Access-Control-Allow-Methods"] = "GET, POST, PUT, DELETE"
            headers["Access-Control-Allow-Headers"] =
                request.headers["access-control-request-headers"] ?? "Content-Type"
            headers["Access-Control-Max-Age"] = "600"
        }
        return headers
    }
}
