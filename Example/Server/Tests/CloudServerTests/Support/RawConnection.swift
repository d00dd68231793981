import Foundation
import Testing

/// An answer of the server.
struct RawReply: Sendable {
    let status: Int
    /// By name in lower case.
    let headers: [String: String]
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    /// What is at a path of keys and indexes of the JSON in the body, as text.
    func value(_ path: String...) -> String? {
        let json = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)
        let found = path.reduce(json as Any?) { value, key in
            if let index = Int(key), let list = value as? [Any] {
                return list.indices.contains(index) ? list[index] : nil
            }
            return (value as? [String: Any])?[key]
        }
        return found.map { "\($0)" }
    }
}

/// A connection that sends what it is told to, byte by byte: a client that puts addresses in order
/// before it sends them cannot test what a server does with others.
final class RawConnection: Sendable {
    private let handle: Int32

    /// Why there is no connection or no answer.
    struct Failure: Error {
        let reason: String
    }

    init(port: Int) throws {
        handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = LoopbackPort.address(of: port)
        var timeout = timeval(tv_sec: 90, tv_usec: 0)
        setsockopt(
            handle, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let reason = "connect: \(String(cString: strerror(errno)))"
            close(handle)
            throw Failure(reason: reason)
        }
    }

    deinit { close(handle) }

    /// - Returns: Whether the server still takes bytes.
    @discardableResult
    func send(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = Foundation.send(
                    handle, bytes.baseAddress?.advanced(by: offset), bytes.count - offset,
                    Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
    }

    /// Says that no more bytes come.
    func endSending() { shutdown(handle, Int32(SHUT_WR)) }

    /// Everything up to the end of the connection.
    func readAll() -> Data {
        var data = Data()
        while let part = receive() { data += part }
        return data
    }

    /// The next bytes; nil at the end of the connection.
    private func receive() -> Data? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        // With a timeout the system never goes on by itself after a signal.
        repeat { count = recv(handle, &bytes, bytes.count, 0) } while count < 0 && errno == EINTR
        return count > 0 ? Data(bytes[..<count]) : nil
    }

    /// Everything up to the end of the connection, or of an answer that tells its length.
    func readAnswer() -> Data {
        var data = Data()
        while let part = receive() {
            data += part
            guard let end = data.range(of: Data("\r\n\r\n".utf8)),
                let reply = try? Self.reply(data),
                let length = reply.headers["content-length"].flatMap({ Int($0) })
            else { continue }
            if data.count >= end.upperBound + length { break }
        }
        return data
    }

    /// Sends a request and reads the answer, on a thread where waiting harms nobody.
    static func exchange(
        port: Int, method: String, target: String, headers: [String: String] = [:],
        body: Data = Data()
    ) async throws -> RawReply {
        var headers = headers
        if headers["Host"] == nil { headers["Host"] = "127.0.0.1:\(port)" }
        headers["Connection"] = "close"
        if headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil {
            headers["Content-Length"] = "\(body.count)"
        }
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        let request = Data("\(method) \(target) HTTP/1.1\r\n\(lines)\r\n".utf8) + body
        let answer = try await Thread.runBlocking {
            let connection = try RawConnection(port: port)
            connection.send(request)
            return connection.readAnswer()
        }
        return try reply(answer)
    }

    static func reply(_ answer: Data) throws -> RawReply {
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else {
            throw Failure(reason: "no header in \(answer.count) bytes")
        }
        var lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        let status = lines.removeFirst().split(separator: " ").dropFirst().first.flatMap { Int($0) }
        var headers: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        var body = Data(answer[end.upperBound...])
        if headers["transfer-encoding"] == "chunked" { body = unchunked(body) }
        return RawReply(status: try #require(status), headers: headers, body: body)
    }

    private static func unchunked(_ data: Data) -> Data {
        var (rest, body) = (data, Data())
        while let end = rest.range(of: Data("\r\n".utf8)),
            let count = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16),
            count > 0, rest.endIndex >= end.upperBound + count + 2
        {
            body += rest[end.upperBound..<end.upperBound + count]
            rest = Data(rest[(end.upperBound + count + 2)...])
        }
        return body
    }
}
