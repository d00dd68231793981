import Hummingbird
import NIOCore

/// What a request of the server comes with, beside itself.
struct ServerContext: Hummingbird.RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection.
    let channel: any Channel
    /// Whether the request came by the address that opens the server.
    var isOpened = false
    /// The browser that uses the console.
    var session: ConsoleAccess.Session?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// Whether the connection comes from this machine.
    var isFromLoopback: Bool {
        channel.remoteAddress?.ipAddress.map(Loopback.isName) ?? false
    }
}

/// The addresses that only this machine reaches.
public enum Loopback {
    /// Whether a host's name or address is this machine's loopback, whatever a name server says.
    public static func isName(_ host: String) -> Bool {
        if ["localhost", "::1", "[::1]"].contains(host.lowercased()) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
