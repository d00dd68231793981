import CloudKitWebServices
import Foundation

/// A minimal HTTP/1.1 server on the loopback address, for one test.
///
/// Each connection has a thread, which reads a request, waits for the response and writes it.
public final class LoopbackServer: @unchecked Sendable {
    /// Responds to a request.
    public typealias Handler = @Sendable (WebServiceRequest) async -> Answer

    /// The output for a request.
    public enum Answer: Sendable {
        /// A response with a content length.
        case response(WebServiceResponse)
        /// Raw bytes, after which the connection is closed.
        case bytes(Data)
        /// Nothing, until the server stops.
        case silence
    }

    /// The server's address.
    public let baseURL: URL
    private let listener: LoopbackSocket
    // Unchecked because the following are accessed under `lock` only.
    private let lock = NSLock()
    private var handler: Handler?
    private var connections: Set<LoopbackSocket> = []
    private var isEnded = false
    private var storedRequests: [WebServiceRequest] = []
    private let temporaryDirectory: URL

    /// The bytes received so far.
    public var requests: [WebServiceRequest] { lock.withLock { storedRequests } }

    /// Opens a port.
    public init() throws {
        let (listener, port) = try LoopbackSocket.listening()
        self.listener = listener
        guard let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw POSIXError(.EADDRNOTAVAIL)
        }
        baseURL = url
        temporaryDirectory = FileManager.default.temporaryDirectory
            .appendingPathComponent("Loopback-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: temporaryDirectory, withIntermediateDirectories: true)
    }

    /// Starts responding.
    public func start(_ handler: @escaping Handler) {
        lock.withLock { self.handler = handler }
        let thread = Thread { [weak self, listener] in
            while true {
                guard let connection = listener.accept() else { return }
                guard let self, self.keep(connection) else { return }
                Thread { [weak self] in self?.serve(connection) }.start()
            }
        }
        thread.start()
    }

    /// Starts responding with a router.
    public func start(_ router: WebServiceRouter) {
        start { request in .response(await router.respond(to: request)) }
    }

    /// Stops the server and closes every connection.
    public func stop() {
        let open = lock.withLock {
            isEnded = true
            return connections
        }
        listener.shutdown()
        for connection in open { connection.shutdown() }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: temporaryDirectory)
    }

    private func keep(_ connection: LoopbackSocket) -> Bool {
        lock.withLock {
            if !isEnded { connections.insert(connection) }
            return !isEnded
        }
    }

    // MARK: - One connection

    private func serve(_ connection: LoopbackSocket) {
        var reader = HTTPReader(connection: connection)
        while let request = reader.request(temporaryDirectory: temporaryDirectory) {
            guard let handler = lock.withLock({ handler }) else { break }
            lock.withLock { storedRequests.append(request) }
            let answer = Self.wait { await handler(request) }
            if case .file(let url) = request.body { try? FileManager.default.removeItem(at: url) }
            guard write(answer, to: connection) else { break }
        }
        lock.withLock { _ = connections.remove(connection) }
    }

    /// Blocks this thread until an asynchronous function returns.
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
    private func write(_ answer: Answer, to connection: LoopbackSocket) -> Bool {
        switch answer {
        case .bytes(let data):
            _ = connection.send(data)
            connection.shutdown()
            return false
        case .silence:
            while connection.receive() != nil {}
            return false
        case .response(let response):
            let body: Data
            switch response.body {
            case .data(let data): body = data
            case .file(let file, _):
                body = (try? file.readToEnd()) ?? Data()
                try? file.close()
            }
            var head = "HTTP/1.1 \(response.status) Status\r\n"
            for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
            if response.status != 204 { head += "Content-Length: \(body.count)\r\n" }
            return connection.send(Data((head + "\r\n").utf8) + body)
        }
    }
}
