import Foundation
import SeamSQLite

/// The contents of a store file in addition to the objects.
struct FileContents: Equatable {
    /// pk → record name and whether the server has the record.
    var records: [Int64: String] = [:]
    var waiting: Set<Int64> = []
    var syncState: [String: String] = [:]
    let check: String

    init(_ device: Device) throws {
        let connection = try SQLiteConnection(
            path: device.directory.appendingPathComponent("Clocks.sqlite").path,
            options: SQLiteConnection.Options(readOnly: true))
        let records = try connection.rows(
            "SELECT pk, record_name || ' ' || (system_fields IS NOT NULL) FROM sm_object"
        ) { ($0.integer(at: 0), $0.text(at: 1)) }
        self.records = Dictionary(uniqueKeysWithValues: records)
        waiting = Set(try connection.rows("SELECT pk FROM sm_outbox") { $0.integer(at: 0) })
        syncState =
            try connection.firstRow("SELECT user_name, zone_is_created, is_subscribed FROM sm_sync")
        {
            ["user": $0.text(at: 0), "zone": $0.text(at: 1), "subscription": $0.text(at: 2)]
        } ?? [:]
        check = try connection.firstRow("PRAGMA integrity_check") { $0.text(at: 0) } ?? ""
    }
}
