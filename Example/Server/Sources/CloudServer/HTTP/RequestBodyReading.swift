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
        // The client gets a moment to read the answer.
        channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
        return Response(
            status: self == .tooLarge ? .contentTooLarge : .requestTimeout,
            headers: [.connection: "close"])
    }
}
