import SQLite3

/// The rows that a connection has inserted, updated or deleted since someone asked, by number.
///
/// SQLite reports none of tables without row numbers, and none of a table that is emptied by one statement.
final class ChangedRows {
    private var numbers: Set<Int64> = []
    private let isWanted: (UnsafePointer<CChar>) -> Bool

    init(ofTables isWanted: @escaping (UnsafePointer<CChar>) -> Bool) {
        self.isWanted = isWanted
    }

    /// Notes each row from now on. The object must live as long as the connection is open.
    func follow(_ handle: OpaquePointer) {
        sqlite3_update_hook(
            handle,
            { context, _, _, table, number in
                guard let context, let table else { return }
                Unmanaged<ChangedRows>.fromOpaque(context).takeUnretainedValue().note(
                    number, of: table)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func note(_ number: Int64, of table: UnsafePointer<CChar>) {
        if isWanted(table) { numbers.insert(number) }
    }

    func take() -> Set<Int64> {
        defer { numbers = [] }
        return numbers
    }
}
