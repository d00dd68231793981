#if os(Linux)
import Dispatch
import Foundation
import PrivateFiles

/// A Unix-domain datagram socket in a directory, which can send to all others there.
///
/// Unchecked because nothing changes after `init`; Dispatch only lacks the annotation.
final class SignalSocket: SignalChannel, @unchecked Sendable {
    /// The socket's file name.
    let name: String
    private let source: any DispatchSourceRead
    private let file: URL

    /// Opens a socket and calls a closure for each message. The socket's file is removed with the
    /// instance.
    init(directory: URL, _ receive: @escaping @Sendable (String) -> Void) throws {
        try PrivateFile.makeFolder(at: directory)
        name = UUID().uuidString
        file = directory.appendingPathComponent(name)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | flags, 0)
        guard descriptor >= 0 else { throw Self.error("socket") }
        let isBound = Self.withAddress(of: name, in: directory) {
            bind(descriptor, $0, $1) == 0
        }
        guard isBound == true else {
            let error = Self.error("bind")
            close(descriptor)
            throw error
        }
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "LocalCloud signals"))
        source.setEventHandler { Self.receiveAll(descriptor, receive) }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit {
        unlink(file.path)
        source.cancel()
    }

    /// A socket gets the messages of all topics.
    func listen(to topic: String) {}

    /// Sends a message to all sockets of a directory, and removes those whose owner has ended.
    static func send(_ message: String, to directory: URL, except own: String?) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path),
            names.contains(where: { $0 != own })
        else { return }  // Nobody has listened yet.
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | flags, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        for name in names where name != own {
            let result = withAddress(of: name, in: directory) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), $0, $1)
            }
            // Refused: the process that opened the socket has ended without removing it.
            if result == -1, errno == ECONNREFUSED {
                unlink(directory.appendingPathComponent(name).path)
            }
        }
    }

    private static func receiveAll(
        _ descriptor: Int32, _ receive: @Sendable (String) -> Void
    ) {
        var buffer = [UInt8](repeating: 0, count: 2048)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count >= 0 else { return }
            receive(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
    }

    /// Calls a closure with the address of a socket.
    ///
    /// An address has room for about a hundred bytes, and paths may be longer. Therefore the
    /// directory is opened and named by its descriptor.
    private static func withAddress<T>(
        of name: String, in directory: URL,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> T
    ) -> T? {
        let folder = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        let path = Array("/proc/self/fd/\(folder)/\(name)".utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func error(_ call: String) -> POSIXError {
        POSIXError(
            POSIXErrorCode(rawValue: errno) ?? .EIO,
            userInfo: [NSLocalizedDescriptionKey: "\(call): \(String(cString: strerror(errno)))"])
    }
}

/// Sockets do not block and are not inherited by child processes.
private let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
#endif
