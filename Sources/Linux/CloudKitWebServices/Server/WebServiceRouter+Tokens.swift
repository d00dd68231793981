import Foundation

/// `tokens/…`, and the URL where pushes are fetched.
extension WebServiceRouter {
    static let courierPath = "/courier/"

    /// The tokens for pushes that are in use.
    public var pushTokens: [WebPushToken] {
        get async { await courier.tokens.sorted { $0.context.device < $1.context.device } }
    }

    /// Removes the tokens for pushes that were made in a session, which has ended.
    public func removePushTokens(ofSession id: UUID) async { await courier.close(session: id) }

    func answerTokens(
        _ call: WebServiceCall
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        guard call.operation == .createToken else {
            let request = try call.read(RegisterTokenRequest.self)
            // The token was registered when it was created. A token of Apple's push service is
            // unknown here.
            guard await courier.knows(request.apnsToken) else {
                throw CloudKitServiceError(.badRequest, reason: "Invalid apnsToken")
            }
            return WebServiceResponse(status: 200)
        }
        let request = try call.read(CreateTokenRequest.self)
        let token = WebCourier.makeToken()
        var context = call.context
        context.device = try await authentication.pushDevice(
            of: call.caller, container: context.container)
        await courier.open(
            token, try await service.pushes(in: context), for: context,
            caller: call.caller)
        return try response(
            CreateTokenResponse(
                apnsEnvironment: request.apnsEnvironment ?? context.environment.rawValue,
                apnsToken: token,
                webcourierURL: baseURL.absoluteString + Self.courierPath + token))
    }

    /// The token in the URL where pushes are fetched.
    func pushToken(of request: WebServiceRequest) async throws(CloudKitServiceError) -> String {
        guard request.method == "GET" else {
            throw CloudKitServiceError(.badRequest, reason: "Fetch pushes with GET")
        }
        let token = String(request.path.dropFirst(Self.courierPath.count))
        guard await courier.knows(token) else { throw WebCourier.unknownToken }
        return token
    }

    /// Waits for the next push of a token. A response without content means that none has arrived
    /// yet.
    func nextPush(_ token: String) async throws(CloudKitServiceError) -> WebServiceResponse {
        guard let push = try await courier.next(token) else {
            return WebServiceResponse(status: 204)
        }
        return try response(push)
    }
}
