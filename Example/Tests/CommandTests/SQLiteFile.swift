import CSQLite
import Foundation

/// SQLite files that tests write.
enum SQLiteFile {
    struct Failure: Error {
        let message: String
    }

    /// Runs statements on a file, which is created if it does not exist.
    static func write(_ statements: String, to path: String) throws {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open(path, &connection) == SQLITE_OK,
            sqlite3_exec(connection, statements, nil, nil, nil) == SQLITE_OK
        else { throw Failure(message: String(cString: sqlite3_errmsg(connection))) }
    }

    /// A file as Core Data's own store writes it, with two folders of the demo's model.
    static var coreDataFolders: String {
        get throws {
            let metadata = try PropertyListSerialization.data(
                fromPropertyList: ["NSStoreType": "SQLite"], format: .binary, options: 0)
            let hexadecimal = metadata.map { String(format: "%02x", $0) }.joined()
            return """
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
                    Z_MAX INTEGER);
                CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
                INSERT INTO Z_METADATA VALUES (1, '\(UUID().uuidString)', x'\(hexadecimal)');
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Folder', 0, 2);
                INSERT INTO ZFOLDER VALUES (1, 1, 1, 'Family'), (2, 1, 1, 'Work');
                """
        }
    }
}
