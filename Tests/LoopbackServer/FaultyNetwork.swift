import CloudKitWebServices
import Foundation

/// A network between clients and a server that delays, cuts, repeats and reorders requests.
///
/// Clients connect to ``baseURL``. Each request is read here, and goes on over a connection of its own.
public final class FaultyNetwork: @unchecked Sendable {
    /// What becomes of a request.
    public enum Fault: Sendable {
        /// The connection ends before the server has seen anything.
        case lostRequest
        /// The connection ends after the server has seen half of the request.
        case cutRequest
        /// The server carries the request out, and the connection ends before its answer.
        case lostAnswer
        /// The server carries the request out, and the connection ends in the middle of its answer's body.
        case cutAnswer
        /// The server gets the request twice, and the second answer arrives.
        case repeated
        /// The connection ends at once. The server gets the request after so many later ones.
        case overtaken(by: Int)
        /// The request and its answer take their time.
        case delayed
    }

    /// Decides what becomes of a request.
    public typealias Choice = @Sendable (WebServiceRequest) -> Fault?

    /// Where clients connect.
    public var baseURL: URL { near.baseURL }

    private let near: LoopbackServer
    private let choice: Choice
    // Unchecked because the following are touched under `lock` only.
    private let lock = NSLock()
    private var isCalmNow = false
    private var overtaken: [Overtaken] = []

    private struct Overtaken {
        let bytes: Data
        /// How many requests pass before this one.
        var remaining: Int
    }

    /// Opens a port.
    ///
    /// - Parameter choice: Decides what becomes of each request.
    public init(choice: @escaping Choice) throws {
        near = try LoopbackServer()
        self.choice = choice
    }

    /// Begins to carry requests to a server.
    public func connect(to server: URL) {
        let port = UInt16(server.port ?? 80)
        near.start { [weak self] request in
            await self?.carry(request, to: port) ?? .bytes(Data())
        }
    }

    /// Whether nothing goes wrong. What was overtaken then arrives with the next request.
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
        for request in due { _ = await exchange(request.bytes, with: port) }
    }

    /// A request as it goes on: the connection ends with it.
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

    /// An answer that says that its connection ends: a client that used it again would send its request
    /// twice on its own.
    private static func closing(_ answer: Data) -> Data {
        guard let line = answer.range(of: Data("\r\n".utf8)) else { return answer }
        return answer[..<line.upperBound] + Data("Connection: close\r\n".utf8)
            + answer[line.upperBound...]
    }

    /// Half of an answer's body. Within its header an answer is not cut, because Foundation ends the
    /// process on Linux then.
    private static func cut(_ answer: Data) -> Data {
        guard let header = answer.range(of: Data("\r\n\r\n".utf8)) else { return Data() }
        let body = answer[header.upperBound...]
        return body.isEmpty ? Data() : answer[..<header.upperBound] + body.prefix(body.count / 2)
    }

    // MARK: - The far side

    /// Sends bytes and returns all that comes back.
    ///
    /// It blocks a thread of its own: the server that answers needs those that run tasks.
    private func exchange(_ bytes: Data, with port: UInt16) async -> Data {
        await withCheckedContinuation { continuation in
            Thread {
                var answer = Data()
                if let socket = try? LoopbackSocket(port: port) {
                    if socket.send(bytes) {
                        socket.endSending()
                        while let part = socket.receive() { answer += part }
                    }
                    socket.close()
                }
                continuation.resume(returning: answer)
            }.start()
        }
    }
}
