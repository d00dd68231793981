import CloudKitService
import Foundation
import SeamSQLite

/// The row of a record or of a tombstone.
struct StoredRecord {
    var id: Int64
    var name: String
    var type: String
    var sequence: Int64
    var created: RecordDictionary.RecordTimestamp
    var modified: RecordDictionary.RecordTimestamp
    var parent: String?
    var bytes: Int64
    var hasLinks: Bool
    /// The encoded fields; nil for a tombstone.
    var fields: Data?

    var isTombstone: Bool { fields == nil }

    /// The sequence number in the form that clients see: a short counter in base 36.
    var changeTag: String { String(sequence, radix: 36) }

    static let columns = """
        id, name, type, sequence, created_at, created_by, created_on, modified_at, modified_by,
        modified_on, parent, bytes, has_links, fields
        """

    init(row: SQLiteStatement) {
        id = row.integer(at: 0)
        name = row.text(at: 1)
        type = row.text(at: 2)
        sequence = row.integer(at: 3)
        created = .init(
            timestamp: row.integer(at: 4), userRecordName: row.optionalText(at: 5),
            deviceID: row.optionalText(at: 6))
        modified = .init(
            timestamp: row.integer(at: 7), userRecordName: row.optionalText(at: 8),
            deviceID: row.optionalText(at: 9))
        parent = row.optionalText(at: 10)
        bytes = row.counter(at: 11)
        hasLinks = row.integer(at: 12) != 0
        fields = row.isNull(at: 13) ? nil : row.blob(at: 13)
    }

    init(
        name: String, type: String, sequence: Int64, created: RecordDictionary.RecordTimestamp
    ) {
        id = 0
        self.name = name
        self.type = type
        self.sequence = sequence
        self.created = created
        modified = created
        bytes = 0
        hasLinks = false
    }
}

extension SQLiteStatement {
    func optionalText(at column: Int) -> String? { isNull(at: column) ? nil : text(at: column) }

    /// A number that is counted on from. That of a damaged file is limited, so that no sum overflows.
    func counter(at column: Int) -> Int64 { min(max(integer(at: column), 0), 1 << 48) }
}

extension RequestSession {
    func storedRecord(named name: String, in zone: Zone) throws -> StoredRecord? {
        try connection.firstRow(
            "SELECT \(StoredRecord.columns) FROM record WHERE zone_id = ? AND name = ?",
            [.integer(zone.id), .text(name)], StoredRecord.init)
    }

    /// Writes a record's row. `fields` contains the record's new fields; nil for a tombstone.
    func store(_ record: StoredRecord, in zone: Zone) throws {
        if record.id == 0 {
            try insert(record, in: zone)
        } else {
            try update(record)
        }
    }

    /// Updates a row. Only changed columns are set, because in a large zone each affected index
    /// means another page to read and write. Of the record's indexes, only the feed's is affected.
    private func update(_ record: StoredRecord) throws {
        let deletion = record.isTombstone ? ", is_deleted = 1" : ""
        try connection.execute(
            """
            UPDATE record SET
                sequence = ?, modified_at = ?, modified_by = ?, modified_on = ?, parent = ?,
                bytes = ?, has_links = ?, fields = ?\(deletion)
            WHERE id = ?
            """,
            [
                .integer(record.sequence), .integer(record.modified.timestamp),
                SQLiteValue(record.modified.userRecordName), SQLiteValue(record.modified.deviceID),
                SQLiteValue(record.parent), .integer(record.bytes),
                .integer(record.hasLinks ? 1 : 0), SQLiteValue(record.fields),
                .integer(record.id),
            ])
    }

    /// Inserts a row, or replaces a tombstone.
    private func insert(_ record: StoredRecord, in zone: Zone) throws {
        try connection.execute(
            """
            INSERT INTO record
                (zone_id, name, type, sequence, created_at, created_by, created_on, modified_at,
                 modified_by, modified_on, parent, bytes, has_links, fields, is_deleted)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
            ON CONFLICT (zone_id, name) DO UPDATE SET
                type = excluded.type, sequence = excluded.sequence,
                created_at = excluded.created_at, created_by = excluded.created_by,
                created_on = excluded.created_on, modified_at = excluded.modified_at,
                modified_by = excluded.modified_by, modified_on = excluded.modified_on,
                parent = excluded.parent, bytes = excluded.bytes,
                has_links = excluded.has_links, fields = excluded.fields, is_deleted = 0
            """,
            [
                .integer(zone.id), .text(record.name), .text(record.type),
                .integer(record.sequence), .integer(record.created.timestamp),
                SQLiteValue(record.created.userRecordName), SQLiteValue(record.created.deviceID),
                .integer(record.modified.timestamp), SQLiteValue(record.modified.userRecordName),
                SQLiteValue(record.modified.deviceID), SQLiteValue(record.parent),
                .integer(record.bytes), .integer(record.hasLinks ? 1 : 0),
                SQLiteValue(record.fields),
            ])
    }

    /// Removes a record's row completely, without a tombstone.
    func forget(_ record: StoredRecord, in zone: Zone) throws {
        try connection.execute(
            "DELETE FROM record WHERE zone_id = ? AND name = ?",
            [.integer(zone.id), .text(record.name)])
    }

    /// The record as the caller sees it.
    ///
    /// - Parameter desiredKeys: The fields to include; nil for all.
    func dictionary(
        of record: StoredRecord, in zone: Zone, desiredKeys: Set<String>?
    ) throws -> RecordDictionary {
        guard let stored = record.fields else {
            return RecordDictionary(
                recordName: record.name, recordType: record.type, zoneID: zoneID(of: zone),
                deleted: true)
        }
        return dictionary(
            of: record, in: zone,
            fields: try FieldCoding.decode(stored, desiredKeys: desiredKeys))
    }

    /// A record as the caller sees it, with fields that are already decoded.
    func dictionary(
        of record: StoredRecord, in zone: Zone, fields: [String: RecordFieldDictionary]
    ) -> RecordDictionary {
        var fields = fields
        for (name, field) in fields {
            if let located = field.value?.withDownloadURL(ofRecord: record.name) {
                fields[name] = RecordFieldDictionary(located, isEncrypted: field.isEncrypted)
            }
        }
        return RecordDictionary(
            recordName: record.name, recordType: record.type, recordChangeTag: record.changeTag,
            fields: fields, zoneID: zoneID(of: zone), created: visible(record.created),
            modified: visible(record.modified),
            parent: record.parent.map(RecordDictionary.ParentReference.init))
    }

    private func visible(
        _ timestamp: RecordDictionary.RecordTimestamp
    ) -> RecordDictionary.RecordTimestamp {
        var timestamp = timestamp
        if options.showsCallerAsDefaultOwner, timestamp.userRecordName == caller.userRecordName {
            timestamp.userRecordName = ZoneIDDictionary.defaultOwnerName
        }
        return timestamp
    }
}
