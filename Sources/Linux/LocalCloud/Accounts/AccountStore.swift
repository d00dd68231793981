import CloudKitService
import Foundation
import PrivateFiles
import SeamSQLite

/// The signed-in users, in a small file beside the containers.
///
/// An entry applies to one device and container, to a device, to a container, or to all; the most
/// specific one counts. The entry of a device applies to those, too, whose names continue its name
/// after a slash, so that a server with many devices of a user needs one entry for the user.
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
    private var assumed: [String: String] = [:]
    private let directory: URL?

    init(directory: URL?) { self.directory = directory }

    /// Lets a device act for a user, without an entry.
    func assume(_ user: String, device: String) { lock.locked { assumed[device] = user } }

    func account(container: String, device: String) throws(CloudKitServiceError) -> Account {
        if let user = lock.locked({ assumed[device] }) {
            return Account(status: .available, user: user)
        }
        let names = Self.names(applyingTo: device)
        let places = names.map { _ in "?" }.joined(separator: ", ")
        return try withConnection { connection in
            // Of names of which each begins the next, the longest is the most specific.
            try connection.firstRow(
                """
                SELECT status, user FROM account
                WHERE container IN (?, '') AND device IN (\(places))
                ORDER BY length(device) DESC, container = '' LIMIT 1
                """, [.text(container)] + names.map { .text($0) }
            ) {
                Account(
                    status: AccountStatus(rawValue: $0.text(at: 0)) ?? .couldNotDetermine,
                    user: $0.text(at: 1))
            } ?? Account(status: .available, user: Self.defaultUser)
        }
    }

    /// The names whose entries apply to a device: its own, what of it is before a slash, and that
    /// of all devices.
    private static func names(applyingTo device: String) -> [String] {
        let slashes = device.utf8.indices.filter { device.utf8[$0] == UInt8(ascii: "/") }
        return [device] + slashes.map { String(device[..<$0]) } + [""]
    }

    /// Every entry: for a device, a container, both or all.
    func entries() throws(CloudKitServiceError) -> [LocalCloud.AccountEntry] {
        try withConnection { connection in
            try connection.rows(
                "SELECT container, device, status, user FROM account ORDER BY device, container", []
            ) {
                LocalCloud.AccountEntry(
                    container: $0.text(at: 0).isEmpty ? nil : $0.text(at: 0),
                    device: $0.text(at: 1).isEmpty ? nil : $0.text(at: 1),
                    user: $0.text(at: 3),
                    status: AccountStatus(rawValue: $0.text(at: 2)) ?? .couldNotDetermine)
            }
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
                    // '0' is the character after '/'.
                    """
                    DELETE FROM account WHERE (?1 = '' OR container = ?1) AND (
                        ?2 = '' OR device = ?2 OR device > ?2 || '/' AND device < ?2 || '0')
                    """,
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
                try PrivateFile.makeFolderIfMissing(at: directory)
                PrivateFile.prepareDatabase(atPath: path)
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
