/// The body of `tokens/create`.
struct CreateTokenRequest: Codable {
    var apnsEnvironment: String?
    var clientId: String?
}

/// The answer to `tokens/create`: a token, and the address where the pushes for it are fetched, each with
/// a request of its own that waits for it.
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
