import Foundation

/// `tokens/…`, and the address where pushes are fetched.
extension WebServiceRouter {
    static let courierPath = "/courier/"

    func answerTokens(
        _ call: WebServiceCall
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        guard call.operation == .createToken else {
            let request = try call.read(RegisterTokenRequest.self)
            // The token was registered when it was made; one of Apple's push service means nothing here.
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
        await courier.open(token, try await service.pushes(in: context))
        return try response(
            CreateTokenResponse(
                apnsEnvironment: request.apnsEnvironment ?? context.environment.rawValue,
                apnsToken: token,
                webcourierURL: baseURL.absoluteString + Self.courierPath + token))
    }

    /// Waits for the next push of a token. An answer without content says that none has come yet.
    func nextPush(
        _ request: WebServiceRequest
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        let token = String(request.path.dropFirst(Self.courierPath.count))
        guard request.method == "GET" else {
            throw CloudKitServiceError(.badRequest, reason: "Pushes are got")
        }
        guard let push = try await courier.next(token) else {
            return WebServiceResponse(status: 204)
        }
        return try response(push)
    }
}
