import CoreData

/// What the store knows about all records of an entity, or of a kind of link.
extension ObjectTable {
    /// Whether the server may have seen one of the records.
    func hasSent(ofEntity number: Int64) throws -> Bool {
        try database.connection.firstRow(
            "SELECT 1 FROM sm_object WHERE entity = ? AND was_sent = 1 LIMIT 1",
            [.integer(number)]
        ) { _ in true } ?? false
    }

    /// Whether nothing is known of any object.
    var isEmpty: Bool {
        get throws {
            try database.connection.firstRow("SELECT 1 FROM sm_object LIMIT 1") { _ in true } == nil
        }
    }

    /// The number of objects of some entities that are present.
    func presentCount(ofEntities numbers: [Int64]) throws -> Int {
        try Int(
            clamping: database.connection.firstRow(
                "SELECT count(*) FROM sm_object WHERE state = 'present' AND entity IN (\(numbers.sqlList))"
            ) { $0.integer(at: 0) } ?? 0)
    }

    /// The objects that are present and whose records the server has never seen.
    func unsentKeys(ofEntity number: Int64) throws -> [Int64] {
        try keys("entity = ? AND state = 'present' AND was_sent = 0", number)
    }

    /// The objects and links that were deleted here.
    func deletedKeys(ofEntity number: Int64) throws -> [Int64] {
        try keys("entity = ? AND state <> 'present' AND state = 'deleted'", number)
    }

    private func keys(_ condition: String, _ number: Int64) throws -> [Int64] {
        try database.connection.rows(
            "SELECT pk FROM sm_object WHERE \(condition) ORDER BY pk", [.integer(number)]
        ) { $0.integer(at: 0) }
    }

    /// Forgets the system fields of the records.
    func forgetSystemFields(ofEntity number: Int64) throws {
        try database.connection.execute(
            "UPDATE sm_object SET change_tag = NULL, system_fields = NULL WHERE entity = ?",
            [.integer(number)])
    }
}
