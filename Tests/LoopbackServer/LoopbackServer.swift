import CloudKitWebServices
import Foundation

/// The smallest HTTP/1.1 server: on the loopback address, for one test.
///
/// Each connection has a thread, which reads a request, waits for its answer and writes it.
public final class LoopbackServer: @unchecked Sendable {
    /// Answers a request.
    public typealias Handler = @Sendable (WebServiceRequest) async -> Answer

    /// What is written for a request.
    public enum Answer: Sendable {
        /// An answer with its length.
        case response(WebServiceResponse)
        /// Bytes as they are; then the connection is closed.
        case bytes(Data)
        /// Nothing, until the server ends.
        case silence
    }

    /// Where the server is.
    public let baseURL: URL
    private let listener: Int32
    // Unchecked because the following are touched under `lock` only.
    private let lock = NSLock()
    private var handler: Handler?
    private var connections: Set<Int32> = []
    private var isEnded = false
    private var storedRequests: [WebServiceRequest] = []
    private let temporaryDirectory: URL

    /// What has come in so far.
    public var requests: [WebServiceRequest] { lock.withLock { storedRequests } }

    /// Opens a port.
    public init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        let port = UInt16(bigEndian: address.sin_port)
        guard isBound, let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw POSIXError(.EADDRINUSE)
        }
        baseURL = url
        temporaryDirectory = FileManager.default.temporaryDirectory
            .appendingPathComponent("Loopback-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: temporaryDirectory, withIntermediateDirectories: true)
    }

    /// Begins to answer.
    public func start(_ handler: @escaping Handler) {
        lock.withLock { self.handler = handler }
        let thread = Thread { [weak self, listener] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                guard let self, self.keep(connection) else {
                    close(connection)
                    return
                }
                Thread { [weak self] in self?.serve(connection) }.start()
            }
        }
        thread.start()
    }

    /// Begins to answer with a router.
    public func start(_ router: WebServiceRouter) {
        start { request in .response(await router.respond(to: request)) }
    }

    /// Ends the server and every connection.
    public func stop() {
        let open = lock.withLock {
            isEnded = true
            return connections
        }
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in open { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    deinit {
        stop()
        close(listener)
        try? FileManager.default.removeItem(at: temporaryDirectory)
    }

    private func keep(_ connection: Int32) -> Bool {
        lock.withLock {
            if !isEnded { connections.insert(connection) }
            return !isEnded
        }
    }

    // MARK: - One connection

    private func serve(_ connection: Int32) {
        var reader = HTTPReader(connection: connection)
        while let request = reader.request(temporaryDirectory: temporaryDirectory) {
            guard let handler = lock.withLock({ handler }) else { break }
            lock.withLock { storedRequests.append(request) }
            let answer = Self.wait { await handler(request) }
            if case .file(let url) = request.body { try? FileManager.default.removeItem(at: url) }
            guard write(answer, to: connection) else { break }
        }
        lock.withLock { _ = connections.remove(connection) }
        close(connection)
    }

    /// Waits on this thread for what happens elsewhere.
    private static func wait(_ body: @escaping @Sendable () async -> Answer) -> Answer {
        final class Box: @unchecked Sendable {
            // Unchecked because it is read after the semaphore was signaled.
            var answer: Answer?
        }
        let (box, semaphore) = (Box(), DispatchSemaphore(value: 0))
        Task {
            box.answer = await body()
            semaphore.signal()
        }
        semaphore.wait()
        return box.answer ?? .silence
    }

    /// - Returns: Whether the connection stays open.
    private func write(_ answer: Answer, to connection: Int32) -> Bool {
        switch answer {
        case .bytes(let data):
            _ = send(data, to: connection)
            shutdown(connection, Int32(SHUT_RDWR))
            return false
        case .silence:
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
            return false
        case .response(let response):
            let body: Data
            switch response.body {
            case .data(let data): body = data
            case .temporaryFile(let url):
                body = (try? Data(contentsOf: url)) ?? Data()
                try? FileManager.default.removeItem(at: url)
            }
            var head = "HTTP/1.1 \(response.status) Status\r\n"
            for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
            if response.status != 204 { head += "Content-Length: \(body.count)\r\n" }
            return send(Data((head + "\r\n").utf8) + body, to: connection)
        }
    }

    private func send(_ data: Data, to connection: Int32) -> Bool {
        data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = Glibc.send(
                    connection, bytes.baseAddress?.advanced(by: offset), bytes.count - offset,
                    Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
    }
}

/// Reads requests from a connection.
private struct HTTPReader {
    let connection: Int32
    private var buffer = Data()

    init(connection: Int32) { self.connection = connection }

    /// The next request; nil when the connection ends. The bytes of an upload go to a file.
    mutating func request(temporaryDirectory: URL) -> WebServiceRequest? {
        guard let head = read(until: Data("\r\n\r\n".utf8)) else { return nil }
        var lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let parts = lines.removeFirst().split(separator: " ")
        guard parts.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines {
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2 else { continue }
            headers[field[0].lowercased()] = field[1].trimmingCharacters(in: .whitespaces)
        }
        if headers["expect"]?.lowercased() == "100-continue" {
            let text = Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)
            _ = text.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
        }
        guard let body = body(headers) else { return nil }
        var request = WebServiceRequest(
            method: String(parts[0]), target: String(parts[1]), headers: headers,
            body: .data(body))
        if parts[1].hasPrefix("/assets/upload/") {
            let file = temporaryDirectory.appendingPathComponent(UUID().uuidString)
            guard (try? body.write(to: file)) != nil else { return nil }
            request.body = .file(file)
        }
        return request
    }

    private mutating func body(_ headers: [String: String]) -> Data? {
        guard headers["transfer-encoding"]?.lowercased() == "chunked" else {
            return read(count: headers["content-length"].flatMap { Int($0) } ?? 0)
        }
        var body = Data()
        while true {
            guard let line = read(until: Data("\r\n".utf8)),
                let count = Int(String(decoding: line, as: UTF8.self), radix: 16),
                let chunk = read(count: count), read(count: 2) != nil
            else { return nil }
            if count == 0 { return body }
            body += chunk
        }
    }

    /// The bytes up to a mark, which is taken as well.
    private mutating func read(until mark: Data) -> Data? {
        while true {
            if let range = buffer.range(of: mark) {
                defer { buffer = Data(buffer[range.upperBound...]) }
                return Data(buffer[..<range.lowerBound])
            }
            guard fill() else { return nil }
        }
    }

    private mutating func read(count: Int) -> Data? {
        while buffer.count < count { guard fill() else { return nil } }
        defer { buffer = Data(buffer.dropFirst(count)) }
        return Data(buffer.prefix(count))
    }

    private mutating func fill() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        buffer.append(contentsOf: bytes[..<count])
        return true
    }
}
