import CoreData

/// Which records a full refetch has seen.
extension ObjectTable {
    /// Notes that a full refetch has seen a record.
    func noteSeen(recordName: String, sweep: Int64) throws {
        try database.connection.execute(
            "UPDATE sm_object SET sweep = ? WHERE record_name = ?",
            [.integer(sweep), .text(recordName)])
    }

    /// The records that the server once had and that a full refetch has not seen.
    func unseenRecordNames(sweep: Int64) throws -> [String] {
        try database.connection.rows(
            """
            SELECT record_name FROM sm_object WHERE sweep <> ? AND state <> 'placeholder'
            AND (change_tag IS NOT NULL OR system_fields IS NOT NULL)
            """, [.integer(sweep)]
        ) { $0.text(at: 0) }
    }

    /// The number of the last full refetch that saw a record.
    func sweep(of pk: Int64) throws -> Int64 {
        try database.connection.firstRow(
            "SELECT sweep FROM sm_object WHERE pk = ?", [.integer(pk)]
        ) { $0.integer(at: 0) } ?? 0
    }

    func setSweep(_ sweep: Int64, of pk: Int64) throws {
        try database.connection.execute(
            "UPDATE sm_object SET sweep = ? WHERE pk = ?", [.integer(sweep), .integer(pk)])
    }
}
