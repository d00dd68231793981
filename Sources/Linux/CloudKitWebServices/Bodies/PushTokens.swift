/// The body of `tokens/create`.
struct CreateTokenRequest: Codable {
    var apnsEnvironment: String?
    var clientId: String?
}

/// The response to `tokens/create`: a token, and the URL of its pushes. Each push is fetched with a
/// separate request, which waits for it.
struct CreateTokenResponse: Codable {
    var apnsEnvironment: String
    var apnsToken: String
    var webcourierURL: String
}

/// The body of `tokens/register`.
struct RegisterTokenRequest: Codable {
    var apnsEnvironment: String?
    var apnsToken: String
}
