import CloudKitWebServices
import Foundation

/// Reads requests from a connection.
struct HTTPReader {
    let connection: LoopbackSocket
    private var buffer = Data()

    init(connection: LoopbackSocket) { self.connection = connection }

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
            _ = connection.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
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

    /// The bytes up to a mark, which is consumed, too.
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
        guard let bytes = connection.receive() else { return false }
        buffer.append(bytes)
        return true
    }
}
