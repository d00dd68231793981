import Foundation
import SQLite3

/// Reads a store's file directly, without the store.
struct RawFile {
    private let url: URL

    init(_ url: URL) throws { self.url = url }

    private func withHandle<T>(_ body: (OpaquePointer) throws -> T) throws -> T {
        var handle: OpaquePointer?
        guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
            let handle
        else {
            sqlite3_close(handle)
            throw Broken("the file cannot be opened")
        }
        defer { sqlite3_close(handle) }
        sqlite3_busy_timeout(handle, 5000)
        return try body(handle)
    }

    func execute(_ sql: String) throws {
        try withHandle { handle in
            guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
                throw Broken("\(sql): \(String(cString: sqlite3_errmsg(handle)))")
            }
        }
    }

    func text(_ sql: String) throws -> String? {
        try withHandle { handle in
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
                sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
            else { return nil }
            return String(cString: text)
        }
    }
}
