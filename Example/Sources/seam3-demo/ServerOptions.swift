import ArgumentParser
import CloudKitWebServices
import CoreData
import FoundationNetworking
import WorldClock

/// The server that takes the place of the cloud on this machine.
struct ServerOptions: ParsableArguments {
    @Option(
        help: """
            A server in place of the local cloud: the address that Example/Server/run prints, such as \
            http://127.0.0.1:8080/open/… .
            """)
    var server: String?

    @Option(help: "The API token that the server knows the app by.")
    var apiToken = "world-clock"

    @Option(help: "Who signs in to the server. Without it you are asked to do so in a browser.")
    var user: String?

    func validate() throws {
        guard let server else { return }
        guard let url = URL(string: server), let scheme = url.scheme, url.host != nil,
            ["http", "https"].contains(scheme)
        else { throw ValidationError("\"\(server)\" is not the address of a server.") }
    }

    /// The server's address; nil for the local cloud.
    var url: URL? {
        server.flatMap { URL(string: $0.hasSuffix("/") ? String($0.dropLast()) : $0) }
    }

    /// The directory of the devices of the server, in one of several servers.
    func directory(in directory: URL, of url: URL) -> URL {
        let port = url.port.map { "_\($0)" } ?? ""
        return directory.appendingPathComponent("\(url.host ?? "")\(port)", isDirectory: true)
    }

    /// The way to the server for a device, on which somebody is signed in if that is possible.
    ///
    /// Without a token there is no account, and a store does not ask for one.
    ///
    /// - Parameters:
    ///   - url: The server's address.
    ///   - file: Where the web-auth token of the device is kept.
    func signedInService(
        at url: URL, tokenFile file: URL
    ) async throws -> CloudKitWebService {
        let service = service(at: url, tokenFile: file)
        let context = RequestContext(container: Cloud.containerIdentifier, device: "")
        do throws(CloudKitServiceError) {
            _ = try await service.fetchCaller(in: context)
        } catch {
            // Away from the server a device works all the same; a server that refuses it is an error.
            guard error.code == .authenticationRequired || error.code == .authenticationFailed
            else { return service }
            throw AppError("The server refuses the user or the app: \(error.description)")
        }
        return service
    }

    private func service(at url: URL, tokenFile file: URL) -> CloudKitWebService {
        let (user, apiToken) = (user, apiToken)
        let kept = KeptToken.read(from: file).flatMap { user == nil || $0.user == user ? $0 : nil }
        return CloudKitWebService(
            container: Cloud.containerIdentifier, environment: .development,
            credentials: .user(
                apiToken: apiToken, webAuthToken: kept?.token,
                tokenDidChange: { KeptToken(user: user ?? kept?.user, token: $0).write(to: file) },
                signIn: { page in
                    guard let user else { return Self.askForToken(page) }
                    return await Self.signIn(user, at: page, apiToken: apiToken)
                }), baseURL: url)
    }

    // MARK: - Signing in

    private static func askForToken(_ page: URL) -> String? {
        Terminal.show("Sign in at \(page.absoluteString), and paste the token:")
        return readLine().flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Fills in the server's page as a person would. `SEAM3_SIGN_IN_CODE` is the code, if there is one.
    private static func signIn(_ user: String, at page: URL, apiToken: String) async -> String? {
        struct Answer: Decodable {
            var ckWebAuthToken: String?
            var reason: String?
        }
        let code = ProcessInfo.processInfo.environment["SEAM3_SIGN_IN_CODE"] ?? ""
        let form = [("ckAPIToken", apiToken), ("user", user), ("code", code)].map { name, value in
            let value = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return "\(name)=\(value)"
        }
        var request = URLRequest(url: page)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue(
            "application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(form.joined(separator: "&").utf8)
        do {
            let (data, _) = try await URLSession.shared.data(for: request)
            let answer = try JSONDecoder().decode(Answer.self, from: data)
            if let reason = answer.reason { Terminal.show("Not signed in: \(reason)") }
            return answer.ckWebAuthToken
        } catch {
            Terminal.show("Not signed in: \(error.localizedDescription)")
            return nil
        }
    }
}

/// The last web-auth token of a device, in a file that only the user reads.
private struct KeptToken: Codable {
    var user: String?
    var token: String?

    static func read(from file: URL) -> KeptToken? {
        // Without a file, or with a damaged one, the user signs in again.
        guard let data = try? Data(contentsOf: file) else { return nil }
        return try? JSONDecoder().decode(KeptToken.self, from: data)
    }

    func write(to file: URL) {
        guard let data = try? JSONEncoder().encode(self) else { return }
        // A token that cannot be kept is asked for again.
        _ = FileManager.default.createFile(
            atPath: file.path, contents: data, attributes: [.posixPermissions: 0o600])
    }
}
