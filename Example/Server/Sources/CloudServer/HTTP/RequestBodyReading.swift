import Foundation
import Hummingbird
import NIOCore

/// Why the body of a request was not read.
enum BodyFailure: Error {
    /// It has more bytes than it may have.
    case tooLarge
    /// It took longer than it may take.
    case tooSlow
}

extension Request {
    /// How long a body may be, and how long it may take.
    struct BodyLimit {
        var bytes: Int64
        var seconds: TimeInterval
    }

    /// The body.
    ///
    /// - Throws: A ``BodyFailure``, or an error of the connection.
    func data(_ limit: BodyLimit) async throws -> Data {
        var data = Data()
        try await forEachChunk(limit) { data.append(contentsOf: $0.readableBytesView) }
        return data
    }

    /// Writes the body to a new file that only the server's user reads.
    ///
    /// - Throws: A ``BodyFailure``, or an error of the connection or the file system.
    func write(to file: URL, _ limit: BodyLimit) async throws {
        let isNew = FileManager.default.createFile(
            atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isNew else { throw CocoaError(.fileWriteUnknown) }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try await forEachChunk(limit) { try handle.write(contentsOf: Data($0.readableBytesView)) }
    }

    /// The server ends a connection that is silent for too long, so looking at the clock with each chunk
    /// is enough to end one that trickles.
    private func forEachChunk(
        _ limit: BodyLimit, _ use: (ByteBuffer) throws -> Void
    ) async throws {
        let length = headers[.contentLength].flatMap { Int64($0) } ?? 0
        guard length <= limit.bytes else { throw BodyFailure.tooLarge }
        let end = ContinuousClock.now + .seconds(limit.seconds)
        var count: Int64 = 0
        for try await chunk in body {
            count += Int64(chunk.readableBytes)
            guard count <= limit.bytes else { throw BodyFailure.tooLarge }
            guard ContinuousClock.now < end else { throw BodyFailure.tooSlow }
            try use(chunk)
        }
    }
}

extension BodyFailure {
    /// The answer, after which the connection ends: nobody waits for the rest of the body.
    func response(on channel: any Channel) -> Response {
        Response(status: self == .tooLarge ? .contentTooLarge : .requestTimeout)
            .endingConnection(channel)
    }
}

extension Request {
    /// A body of this size may follow a request that is answered without it: it is read and dropped, and
    /// the connection goes on.
    private static let droppedSize = 65_536

    /// The length of the body; nil if the request does not tell it.
    var bodyLength: Int? {
        guard headers[.transferEncoding] == nil else { return nil }
        guard let text = headers[.contentLength] else { return 0 }
        return Int(text)
    }

    /// The answer to a request whose body nobody reads. After a long one the connection ends.
    func withoutBody(_ response: Response, on channel: any Channel) -> Response {
        guard let length = bodyLength, length <= Self.droppedSize else {
            return response.endingConnection(channel)
        }
        return response
    }
}

extension Response {
    /// The answer, after which the connection ends. The client gets a moment to read it.
    func endingConnection(_ channel: any Channel) -> Response {
        var response = self
        response.headers[.connection] = "close"
        channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
        return response
    }

    /// The answer, which the client has to take in time. Then the connection ends, so that nothing is
    /// kept for a client that does not read.
    func taken(within seconds: TimeInterval, on channel: any Channel) -> Response {
        guard body.contentLength != 0 else { return self }
        var response = self
        let body = body
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            let end = channel.eventLoop.scheduleTask(in: .milliseconds(Int64(seconds * 1000))) {
                channel.close(promise: nil)
            }
            defer { end.cancel() }
            try await body.write(writer)
        }
        return response
    }
}
