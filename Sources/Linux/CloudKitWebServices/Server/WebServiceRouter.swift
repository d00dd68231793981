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
    }

    /// The maximum size in bytes of a request's body, and whether the body should be stored in a
    /// file.
    public func bodyLimit(method: String, target: String) -> (bytes: Int64, isFile: Bool) {
        target.hasPrefix(Self.uploadPath)
            ? (options.maximumAssetSize + 16_384, true) : (Int64(options.maximumBodySize), false)
    }

    /// Responds to a request. It never throws: errors are responses, too.
    public func respond(to request: WebServiceRequest) async -> WebServiceResponse {
        let uuid = UUID().uuidString
        var response: WebServiceResponse
        do throws(CloudKitServiceError) {
            response = try await route(request, uuid: uuid)
        } catch {
            response = errorResponse(error, uuid: uuid)
        }
        response.headers[HeaderName.requestUUID] = uuid
        response.headers[HeaderName.version] = "1.0"
        response.headers.merge(originHeaders(for: request)) { $1 }
        return response
    }

    private func route(
        _ request: WebServiceRequest, uuid: String
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        if request.method == "OPTIONS" { return WebServiceResponse(status: 200) }
        let path = String(request.path)
        if path.hasPrefix(Self.uploadPath) { return try await upload(request) }
        if path.hasPrefix(Self.downloadPath) { return try await download(request) }
        if path.hasPrefix(Self.courierPath) { return try await nextPush(request) }
        guard let path = WebServicePath(path),
            let operation = WebServiceOperation(rawValue: path.operation)
        else { throw CloudKitServiceError(.notFound, reason: "There is no such operation") }
        guard request.method == "POST" || request.method == "GET" && operation.allowsGet else {
            var response = errorResponse(
                CloudKitServiceError(.badRequest, reason: "Method not allowed"), uuid: uuid)
            response.status = 405
            response.headers["Allow"] = operation.allowsGet ? "GET, POST, OPTIONS" : "POST, OPTIONS"
            return response
        }
        return try await call(operation, path, request, uuid: uuid)
    }

    private func call(
        _ operation: WebServiceOperation, _ path: WebServicePath, _ request: WebServiceRequest,
        uuid: String
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        let body = try bytes(of: request)
        let credentials = credentials(of: request, body: body)
        let caller = try await authentication.caller(
            credentials,
            deviceName: request.headers[HeaderName.device.lowercased()],
            container: path.container, environment: path.environment)
        var response: WebServiceResponse
        do throws(CloudKitServiceError) {
            let context = RequestContext(
                container: path.container, environment: path.environment,
                database: path.database, device: caller.device)
            try await authorize(caller, credentials, operation, context)
            let call = WebServiceCall(
                context: context, caller: caller, operation: operation, body: body)
            response = try await answer(call)
        } catch {
            response = errorResponse(error, uuid: uuid)
        }
        if let token = caller.nextToken { response.headers[HeaderName.webAuthToken] = token }
        return response
    }

    private func bytes(of request: WebServiceRequest) throws(CloudKitServiceError) -> Data {
        guard case .data(let data) = request.body, data.count <= options.maximumBodySize else {
            throw CloudKitServiceError(.limitExceeded, reason: "The request is too large")
        }
        return data
    }

    private func credentials(
        of request: WebServiceRequest, body: Data
    ) -> WebServiceCredentials {
        let query = request.query
        let signature = RequestSignature(request, body: body)
        switch (signature, query["ckAPIToken"]) {
        case (let signature?, nil): return .key(signature)
        case (nil, let token?):
            let webToken = query["ckWebAuthToken"] ?? query["ckSession"]
            return .tokens(api: token, webAuthentication: webToken.map(Self.decoded))
        default: return .none
        }
    }

    /// A token as it was issued. Some clients encode it twice, and some do not encode a plus sign,
    /// which arrives as a space.
    private static func decoded(_ token: String) -> String {
        var token = token
        while token.contains("%"), let once = token.removingPercentEncoding, once != token {
            token = once
        }
        return token.replacingOccurrences(of: " ", with: "+")
    }

    private func authorize(
        _ caller: WebServiceCaller, _ credentials: WebServiceCredentials,
        _ operation: WebServiceOperation, _ context: RequestContext
    ) async throws(CloudKitServiceError) {
        switch caller.kind {
        case .user:
            return
        case .app where context.database == .public && operation.isPublicRead:
            return
        case .key where context.database == .public && !operation.isForUsersOnly:
            return
        case .key:
            throw CloudKitServiceError(
                .accessDenied, reason: "A server-to-server key is for the public database only")
        case .app:
            let address = await authentication.signInURL(for: credentials)
            throw CloudKitServiceError(
                .authenticationRequired, reason: "request needs authorization",
                redirectURL: address?.absoluteString)
        }
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

    private func errorResponse(_ error: CloudKitServiceError, uuid: String) -> WebServiceResponse {
        var error = error
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
