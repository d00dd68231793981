import CloudKitService
import Foundation
import PrivateFiles
import SeamSQLite

/// The SQLite file of one environment of one container, with one connection for writing and one for
/// reading. In memory there is a single connection.
final class ContainerStore: Sendable {
    /// Identifies the store in the cloud; also the topic of its signals.
    let key: String
    private let path: String
    private let writer: SerialConnection
    private let reader: SerialConnection

    init(key: String, directory: URL?) {
        self.key = key
        guard let directory else {
            path = SQLiteConnection.inMemoryPath
            writer = SerialConnection(label: "LocalCloud \(key)") {
                try ContainerSchema.open(path: SQLiteConnection.inMemoryPath)
            }
            reader = writer
            return
        }
        let path = directory.appendingPathComponent("Container.sqlite").path
        let open: @Sendable () throws -> SQLiteConnection = {
            // The folder of the container has one for each environment. That of the cloud may be the user's own.
            try PrivateFile.makeFolder(at: directory.deletingLastPathComponent())
            try PrivateFile.makeFolder(at: directory)
            PrivateFile.prepareDatabase(atPath: path)
            return try ContainerSchema.open(path: path)
        }
        self.path = path
        writer = SerialConnection(label: "LocalCloud \(key) writer", open: open)
        reader = SerialConnection(label: "LocalCloud \(key) reader", open: open)
    }

    /// Runs a transaction that may write. It has been committed when this returns.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> T
    ) async throws -> T {
        try await reportingDamage {
            try await self.writer.run { connection in
                try connection.transaction(.immediate) { try body(connection) }
            }
        }
    }

    /// Runs a transaction that sees a consistent state of the file.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> T
    ) async throws -> T {
        try await reportingDamage {
            try await self.reader.run { connection in
                try connection.transaction(.deferred) { try body(connection) }
            }
        }
    }

    private func reportingDamage<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as SQLiteError {
            throw CloudKitServiceError(error, path: path)
        } catch is FieldCoding.DamagedFields {
            throw CloudKitServiceError(
                .internalError, reason: "A record in the cloud file \(path) is damaged")
        } catch let error as DecodingError {
            throw CloudKitServiceError(
                .internalError, reason: "The cloud file \(path) is damaged: \(error)")
        }
    }
}

extension CloudKitServiceError {
    /// The error that a client sees when the server's own file fails.
    init(_ error: SQLiteError, path: String) {
        switch error.code {
        case .busy, .locked:
            self.init(.tryAgainLater, reason: "The cloud file is busy: \(path)", retryAfter: 1)
        default:
            self.init(.internalError, reason: "The cloud file \(path) failed: \(error)")
        }
    }
}
