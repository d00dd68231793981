import CloudKitService
import Foundation
import SeamSQLite

/// The signed-in users, in a small file beside the containers.
///
/// An entry applies to one device and container, to a device, to a container, or to all; the most
/// specific one counts.
final class AccountStore: @unchecked Sendable {
    /// The status of an account and its user.
    struct Account: Hashable, Sendable {
        var status: AccountStatus
        var user: String
    }

    /// The user who is signed in by default.
    static let defaultUser = "default"

    // Unchecked because `connection` is accessed only while `lock` is held.
    private let lock = NSLock()
    private var connection: SQLiteConnection?
    private let directory: URL?

    init(directory: URL?) { self.directory = directory }

    func account(container: String, device: String) throws(CloudKitServiceError) -> Account {
        try withConnection { connection in
            try connection.firstRow(
                """
                SELECT status, user FROM account
                WHERE container IN (?1, '') AND device IN (?2, '')
                ORDER BY device = '', container = '' LIMIT 1
                """, [.text(container), .text(device)]
            ) {
                Account(
                    status: AccountStatus(rawValue: $0.text(at: 0)) ?? .couldNotDetermine,
                    user: $0.text(at: 1))
            } ?? Account(status: .available, user: Self.defaultUser)
        }
    }

    /// Sets the status and, if given, the user; removes more specific entries.
    func set(
        status: AccountStatus, user: String?, container: String?, device: String?
    ) throws(CloudKitServiceError) {
        let current = try account(container: container ?? "", device: device ?? "")
        try withConnection { connection in
            try connection.transaction {
                try connection.execute(
                    "DELETE FROM account WHERE (?1 = '' OR container = ?1)"
                        + " AND (?2 = '' OR device = ?2)",
                    [.text(container ?? ""), .text(device ?? "")])
                try connection.execute(
                    "INSERT INTO account (container, device, status, user) VALUES (?, ?, ?, ?)",
                    [
                        .text(container ?? ""), .text(device ?? ""), .text(status.rawValue),
                        .text(user ?? current.user),
                    ])
            }
        }
    }

    private func withConnection<T>(
        _ body: (SQLiteConnection) throws -> T
    ) throws(CloudKitServiceError) -> T {
        lock.lock()
        defer { lock.unlock() }
        let path =
            directory?.appendingPathComponent("Accounts.sqlite").path
            ?? SQLiteConnection.inMemoryPath
        do {
            if let connection { return try body(connection) }
            if let directory {
                try FileManager.default.createDirectory(
                    at: directory, withIntermediateDirectories: true)
            }
            let opened = try SQLiteConnection(path: path)
            try opened.execute(
                """
                CREATE TABLE IF NOT EXISTS account (
                    container TEXT NOT NULL, device TEXT NOT NULL, status TEXT NOT NULL,
                    user TEXT NOT NULL, PRIMARY KEY (container, device)) WITHOUT ROWID
                """)
            connection = opened
            return try body(opened)
        } catch let error as SQLiteError {
            throw CloudKitServiceError(error, path: path)
        } catch {
            throw CloudKitServiceError(.internalError, reason: "\(path): \(error)")
        }
    }
}
