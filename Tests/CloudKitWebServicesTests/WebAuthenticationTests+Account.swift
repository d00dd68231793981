import CloudKitWebServices
import Foundation
import Testing

/// The status of the account, which is the client's token.
extension WebAuthenticationTests {
    @Test(
        "Asking for the account lets the user sign in, also after the token has become invalid",
        arguments: [true, false])
    func accountSignIn(agrees: Bool) async throws {
        let server = try await WebServer()
        let pages = Collected<URL>()
        let web = server.web
        let service = CloudKitWebService(
            container: WebCloud.container, environment: .development,
            credentials: .user(
                apiToken: WebCloud.apiToken, webAuthToken: nil,
                signIn: { page in
                    pages.add(page)
                    return agrees ? try? await web.userToken("ann") : nil
                }), baseURL: server.server.baseURL)
        for round in 1...2 {
            #expect(
                try await service.accountStatus(in: privateContext)
                    == (agrees ? .available : .noAccount))
            #expect(pages.values.count == round)
            web.clock.advance(31 * 60)
        }
    }

    @Test("Without a token and a server nothing is known of the account")
    func neither() async throws {
        let server = try await WebServer()
        let service = CloudKitWebService(
            container: WebCloud.container, environment: .development,
            credentials: .user(
                apiToken: WebCloud.apiToken, webAuthToken: nil, signIn: { _ in "a token" }),
            baseURL: server.server.baseURL)
        server.server.stop()
        #expect(try await service.accountStatus(in: privateContext) == .couldNotDetermine)
    }
}
