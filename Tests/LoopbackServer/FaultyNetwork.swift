import CloudKitWebServices
import Foundation

/// A network between clients and a server that delays, interrupts, repeats and reorders requests.
///
/// Clients connect to ``baseURL``. Each request is read here and forwarded over a separate
/// connection.
public final class FaultyNetwork: @unchecked Sendable {
    /// The fate of a request.
    public enum Fault: Sendable {
        /// The connection ends before the server has received anything.
        case lostRequest
        /// The connection ends after the server has received half of the request.
        case cutRequest
        /// The server executes the request, and the connection ends before the response.
        case lostAnswer
        /// The server executes the request, and the connection ends in the middle of the response's
        /// body.
        case cutAnswer
        /// The server gets the request twice, and the second response arrives.
        case repeated
        /// The connection ends at once. The server gets the request after a number of later ones.
        case overtaken(by: Int)
        /// The request and its response are delayed.
        case delayed
    }

    /// Decides the fate of a request.
    public typealias Choice = @Sendable (WebServiceRequest) -> Fault?

    /// The address for clients.
    public var baseURL: URL { near.baseURL }

    private let near: LoopbackServer
    private let choice: Choice
    private let onLateArrival: @Sendable () -> Void
    // Unchecked because the following are accessed under `lock` only.
    private let lock = NSLock()
    private var isCalmNow = false
    private var overtaken: [Overtaken] = []

    private struct Overtaken {
        let bytes: Data
        /// The number of requests that are forwarded before this one.
        var remaining: Int
    }

    /// Opens a port.
    ///
    /// - Parameters:
    ///   - onLateArrival: Is called when the server has received a request after later ones.
    ///   - choice: Decides the fate of each request.
    public init(
        onLateArrival: @escaping @Sendable () -> Void = {}, choice: @escaping Choice
    ) throws {
        near = try LoopbackServer()
        self.choice = choice
        self.onLateArrival = onLateArrival
    }

    /// Starts forwarding requests to a server.
    public func connect(to server: URL) {
        let port = UInt16(server.port ?? 80)
        near.start { [weak self] request in
            await self?.carry(request, to: port) ?? .bytes(Data())
        }
    }

    /// Whether there are no faults. Delayed requests then arrive with the next request.
    public var isCalm: Bool {
        get { lock.withLock { isCalmNow } }
        set {
            lock.withLock {
                isCalmNow = newValue
                guard newValue else { return }
                for index in overtaken.indices { overtaken[index].remaining = 0 }
            }
        }
    }

    private func carry(_ request: WebServiceRequest, to port: UInt16) async -> LoopbackServer.Answer
    {
        let bytes = Self.bytes(of: request)
        let fault = isCalm ? nil : choice(request)
        switch fault {
        case .lostRequest:
            return .bytes(Data())
        case .overtaken(let count):
            lock.withLock { overtaken.append(Overtaken(bytes: bytes, remaining: count - 1)) }
            return .bytes(Data())
        case .cutRequest:
            _ = await exchange(bytes.prefix(bytes.count / 2), with: port)
            return .bytes(Data())
        case .repeated:
            _ = await exchange(bytes, with: port)
        case .delayed:
            try? await Task.sleep(nanoseconds: 5_000_000)
        case .lostAnswer, .cutAnswer, nil:
            break
        }
        let answer = Self.closing(await exchange(bytes, with: port))
        await deliverOvertaken(to: port)
        switch fault {
        case .lostAnswer: return .bytes(Data())
        case .cutAnswer: return .bytes(Self.cut(answer))
        default: return .bytes(answer)
        }
    }

    private func deliverOvertaken(to port: UInt16) async {
        let due = lock.withLock { () -> [Overtaken] in
            let due = overtaken.filter { $0.remaining <= 0 }
            overtaken = overtaken.filter { $0.remaining > 0 }
            for index in overtaken.indices { overtaken[index].remaining -= 1 }
            return due
        }
        for request in due {
            _ = await exchange(request.bytes, with: port)
            onLateArrival()
        }
    }

    /// A request in its forwarded form, after which the connection ends.
    private static func bytes(of request: WebServiceRequest) -> Data {
        let body: Data
        switch request.body {
        case .data(let data): body = data
        case .file(let url): body = (try? Data(contentsOf: url)) ?? Data()
        }
        var head = "\(request.method) \(request.target) HTTP/1.1\r\n"
        for (name, value) in request.headers
        where !["connection", "content-length", "expect", "transfer-encoding"].contains(name) {
            head += "\(name): \(value)\r\n"
        }
        return Data("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    /// A response that announces the end of its connection, because a client that reuses the
    /// connection might send its request twice on its own.
    private static func closing(_ answer: Data) -> Data {
        guard let line = answer.range(of: Data("\r\n".utf8)) else { return answer }
        return answer[..<line.upperBound] + Data("Connection: close\r\n".utf8)
            + answer[line.upperBound...]
    }

    /// Half of a response's body. A response is never interrupted within its header, because
    /// Foundation on Linux would end the process.
    private static func cut(_ answer: Data) -> Data {
        guard let header = answer.range(of: Data("\r\n\r\n".utf8)) else { return Data() }
        let body = answer[header.upperBound...]
        return body.isEmpty ? Data() : answer[..<header.upperBound] + body.prefix(body.count / 2)
    }

    // MARK: - The server's side

    /// Sends bytes and returns the complete response.
    ///
    /// It blocks a separate thread, because the server needs the threads that run tasks.
    private func exchange(_ bytes: Data, with port: UInt16) async -> Data {
        await withCheckedContinuation { continuation in
            Thread {
                var answer = Data()
                if let socket = try? LoopbackSocket(port: port) {
                    if socket.send(bytes) {
                        socket.endSending()
                        while let part = socket.receive() { answer += part }
                    }
                }
                continuation.resume(returning: answer)
            }.start()
        }
    }
}
