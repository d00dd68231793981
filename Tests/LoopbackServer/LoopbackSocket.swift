import Foundation

/// A TCP socket on the loopback address, whose calls block.
///
/// It is closed with its last reference: the descriptor of a closed socket may soon be another one's.
final class LoopbackSocket: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Connects to a port.
    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = Self.withAddress(port: port) { connect(descriptor, $0, length) == 0 }
        guard isConnected else { throw POSIXError(.ECONNREFUSED) }
    }

    /// Listens on a free port.
    ///
    /// - Returns: The socket and its port.
    static func listening() throws -> (socket: LoopbackSocket, port: UInt16) {
        let listener = LoopbackSocket(
            descriptor: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var one: Int32 = 1
        var length = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(listener.descriptor, SOL_SOCKET, SO_REUSEADDR, &one, length)
        length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var port: UInt16 = 0
        let isListening = withAddress(port: 0) { address in
            guard bind(listener.descriptor, address, length) == 0,
                listen(listener.descriptor, 64) == 0,
                getsockname(listener.descriptor, address, &length) == 0
            else { return false }
            port = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
            return true
        }
        guard isListening else { throw POSIXError(.EADDRINUSE) }
        return (listener, port)
    }

    private static func withAddress<Result>(
        port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }

    /// The next connection; nil when the socket has been shut down.
    func accept() -> LoopbackSocket? {
        let connection = Glibc.accept(descriptor, nil, nil)
        return connection < 0 ? nil : LoopbackSocket(descriptor: connection)
    }

    /// - Returns: Whether all bytes were sent.
    func send(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = Glibc.send(
                    descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset,
                    Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
    }

    /// The next bytes; nil when the other side has closed the connection.
    func receive() -> Data? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Data(bytes[..<count]) : nil
    }

    /// Announces that nothing more will be sent.
    func endSending() { Glibc.shutdown(descriptor, Int32(SHUT_WR)) }

    /// Shuts the connection down for both sides, including blocked calls.
    func shutdown() { Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }
}

extension LoopbackSocket: Hashable {
    static func == (left: LoopbackSocket, right: LoopbackSocket) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
