import Foundation

/// What a router decides about a request by its header alone.
public enum WebServiceAdmission: Sendable {
    /// The request is answered without its body.
    case answered(WebServiceResponse)
    /// The body may be read. ``WebServiceRouter/respond(to:as:)`` answers the request then.
    case admitted(WebServiceEntry)
}

/// A request that was admitted: the caller is known, or the sealed address is good.
public struct WebServiceEntry: Sendable {
    /// The maximum size of the request's body in bytes.
    public let maximumBodySize: Int64
    /// Whether the body should be stored in a file.
    public let isFile: Bool
    /// Whether the answer may wait for something to happen, and should be canceled if the server ends.
    public let isPatient: Bool
    let uuid: String
    let destination: Destination

    enum Destination: Sendable {
        case operation(WebServiceOperation, WebServicePath, Visitor)
        case upload(WebServiceRouter.UploadAddress)
        case download(WebServiceRouter.DownloadAddress)
        case courier(token: String)
    }

    /// Who makes a request.
    enum Visitor: Sendable {
        case known(WebServiceCaller)
        /// The owner of a key, whose signature also covers the body.
        case signer
    }
}

/// Deciding about requests before their bodies are read, in this order: the limits of the line, the
/// route, the caller or the seal, the permission, the allowance.
extension WebServiceRouter {
    private static let maximumDeviceNameSize = 255

    /// Decides about a request before its body is read. The request's own body does not matter.
    public func admit(_ request: WebServiceRequest) async -> WebServiceAdmission {
        let uuid = UUID().uuidString
        do throws(CloudKitServiceError) {
            switch try await admission(of: request, uuid) {
            case .answered(let response): return .answered(finished(response, request, uuid))
            case .admitted(let entry): return .admitted(entry)
            }
        } catch {
            let response = errorResponse(entering(error, request), uuid: uuid)
            return .answered(finished(response, request, uuid))
        }
    }

    /// The error with the sign-in page at the address that the client uses.
    private func entering(
        _ error: CloudKitServiceError, _ request: WebServiceRequest
    ) -> CloudKitServiceError {
        let base = baseURL.absoluteString
        guard let page = error.redirectURL, page.hasPrefix(base) else { return error }
        var error = error
        error.redirectURL = base + request.entrance + page.dropFirst(base.count)
        return error
    }

    private func admission(
        of request: WebServiceRequest, _ uuid: String
    ) async throws(CloudKitServiceError) -> WebServiceAdmission {
        guard request.target.utf8.count <= options.maximumTargetSize else {
            throw CloudKitServiceError(.limitExceeded, reason: "The URL is too long")
        }
        if request.method == "OPTIONS" { return .answered(WebServiceResponse(status: 200)) }
        let path = String(request.path)
        if path.hasPrefix(Self.uploadPath) {
            let address = try uploadAddress(of: request)
            try await ledger.take(from: address.account)
            return .admitted(
                entry(
                    .upload(address), uuid, Self.formSize + options.maximumAssetSize, isFile: true))
        }
        if path.hasPrefix(Self.downloadPath) {
            let address = try downloadAddress(of: request)
            try await ledger.take(from: address.account)
            return .admitted(entry(.download(address), uuid, 0))
        }
        if path.hasPrefix(Self.courierPath) {
            return .admitted(entry(.courier(token: try await pushToken(of: request)), uuid, 0))
        }
        guard let place = WebServicePath(path),
            let operation = WebServiceOperation(rawValue: place.operation)
        else { throw CloudKitServiceError(.notFound, reason: "There is no such operation") }
        guard request.method == "POST" || request.method == "GET" && operation.allowsGet else {
            return .answered(methodFailure(operation, uuid))
        }
        return try await admission(of: request, to: operation, place, uuid)
    }

    private func admission(
        of request: WebServiceRequest, to operation: WebServiceOperation, _ place: WebServicePath,
        _ uuid: String
    ) async throws(CloudKitServiceError) -> WebServiceAdmission {
        let deviceName = request.headers[HeaderName.device.lowercased()]
        guard (deviceName?.utf8.count ?? 0) <= Self.maximumDeviceNameSize else {
            throw CloudKitServiceError(.badRequest, reason: "The device's name is too long")
        }
        let credentials = credentials(of: request, body: nil)
        let size = Int64(options.maximumBodySize)
        if case .key(let signature) = credentials {
            let isExpected = await authentication.expects(
                signature, container: place.container, environment: place.environment)
            guard isExpected else {
                throw CloudKitServiceError(.authenticationFailed, reason: "Authentication failed")
            }
            return .admitted(entry(.operation(operation, place, .signer), uuid, size))
        }
        let caller = try await authentication.caller(
            credentials, deviceName: deviceName, container: place.container,
            environment: place.environment)
        do throws(CloudKitServiceError) {
            try await authorize(caller, credentials, operation, place.database)
            try await ledger.take(from: account(of: caller, request))
        } catch {
            let response = errorResponse(entering(error, request), uuid: uuid)
            return .answered(withNextToken(of: caller, response))
        }
        return .admitted(entry(.operation(operation, place, .known(caller)), uuid, size))
    }

    private func entry(
        _ destination: WebServiceEntry.Destination, _ uuid: String, _ size: Int64,
        isFile: Bool = false
    ) -> WebServiceEntry {
        let isPatient = if case .courier = destination { true } else { false }
        return WebServiceEntry(
            maximumBodySize: size, isFile: isFile, isPatient: isPatient, uuid: uuid,
            destination: destination)
    }

    private func methodFailure(
        _ operation: WebServiceOperation, _ uuid: String
    ) -> WebServiceResponse {
        var response = errorResponse(
            CloudKitServiceError(.badRequest, reason: "Method not allowed"), uuid: uuid)
        response.status = 405
        response.headers["Allow"] = operation.allowsGet ? "GET, POST, OPTIONS" : "POST, OPTIONS"
        return response
    }

    /// Whose allowance a request uses. An API token is no secret, so those who have nothing else
    /// must not use up each other's.
    func account(of caller: WebServiceCaller, _ request: WebServiceRequest) -> String {
        caller.kind == .app ? "\(caller.account) from \(request.peer)" : caller.account
    }

    func authorize(
        _ caller: WebServiceCaller, _ credentials: WebServiceCredentials,
        _ operation: WebServiceOperation, _ database: RequestContext.DatabaseScope
    ) async throws(CloudKitServiceError) {
        switch caller.kind {
        case .user:
            return
        case .app where database == .public && operation.isPublicRead:
            return
        case .key where database == .public && !operation.isForUsersOnly:
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

    func credentials(of request: WebServiceRequest, body: Data?) -> WebServiceCredentials {
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
        let once = token.contains("%") ? token.removingPercentEncoding ?? token : token
        return once.replacingOccurrences(of: " ", with: "+")
    }
}
