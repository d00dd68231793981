import Foundation
import Hummingbird

/// The address that opens the server on a developer's own machine: who comes by it may use the console, and
/// sign in with any name.
///
/// That a request comes from this machine says nothing, because it is true of whatever a proxy passes on.
/// So the address has a key in it, which the server prints when it starts.
struct OpenEntrance: Sendable {
    /// What comes before the path; nil if the server is not open to anybody.
    let path: String?

    private static let prefix = "/open/"

    init(_ settings: ServerSettings, _ options: CloudServer.Options) {
        let isOpen = options.opensConsoleOnLoopback || options.signIn == .anybody
        path = isOpen ? Self.prefix + settings.openKey : nil
    }

    /// Whether a path looks as if it had a key.
    static func isLike(_ path: String) -> Bool { path.hasPrefix(prefix) }

    /// The request without the key.
    ///
    /// - Returns: nil if the key is wrong, the server is not open, or the request was not made on this
    ///   machine and for it.
    func entered(_ request: Request, _ context: ServerContext) -> Request? {
        guard let path, let target = request.head.path, isLocal(request, context) else {
            return nil
        }
        let start = Data(target.utf8.prefix(path.utf8.count))
        let rest = target.dropFirst(path.count)
        guard ServerSettings.areEqual(start, Data(path.utf8)),
            rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?")
        else { return nil }
        var head = request.head
        head.path = rest.hasPrefix("/") ? String(rest) : "/\(rest)"
        return Request(head: head, body: request.body)
    }

    /// Whether the request comes from this machine, was made for it, and no proxy says that it passed it on.
    private func isLocal(_ request: Request, _ context: ServerContext) -> Bool {
        let host = PageGuard.host(of: request.head.authority)
        return context.isFromLoopback && host.map(Loopback.isName) == true
            && !request.headers.contains { field in
                ["forwarded", "via"].contains(field.name.canonicalName)
                    || field.name.canonicalName.hasPrefix("x-forwarded-")
            }
    }
}
