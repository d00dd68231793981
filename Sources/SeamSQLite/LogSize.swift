import SQLite3

/// How many pages the write-ahead log had after the last transaction of a connection.
///
/// SQLite would move the log's contents into the file as a part of the transaction that makes the log too large, while
/// the other writers wait.
final class LogSize {
    var pageCount = 0

    /// Notes the size of the log after each transaction, in place of SQLite's checkpoints.
    func follow(_ handle: OpaquePointer) {
        sqlite3_wal_hook(
            handle,
            { context, _, _, pageCount in
                guard let context else { return SQLITE_OK }
                Unmanaged<LogSize>.fromOpaque(context).takeUnretainedValue().pageCount =
                    Int(pageCount)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
