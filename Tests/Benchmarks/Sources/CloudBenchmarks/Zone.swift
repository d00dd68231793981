import CloudKit
import LocalCloud

/// A zone of notes in a local cloud.
final class Zone {
    private let database: CKDatabase
    private let zoneID: CKRecordZone.ID
    private var tokens: [CKServerChangeToken] = []

    init(named name: String, in container: CKContainer, size: Int) async throws {
        database = container.privateCloudDatabase
        zoneID = CKRecordZone.ID(zoneName: name)
        try await database.save(CKRecordZone(zoneID: zoneID))
        for start in stride(from: 0, to: size, by: 400) {
            let records = (start..<min(start + 400, size)).map(record)
            guard try await save(records) == records.count else { throw Incomplete() }
        }
        // The first query creates the index that the yardstick has, and that later saves have to
        // update.
        _ = try await records(withNumberFrom: 0, limit: 1)
        try await readTokens()
    }

    struct Incomplete: Error {}

    private func record(_ index: Int) -> CKRecord {
        let note = Note(index)
        let record = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: note.name, zoneID: zoneID))
        record["title"] = note.title
        record["body"] = note.body
        record["number"] = note.number
        record["date"] = Date(timeIntervalSince1970: Double(note.date) / 1000)
        return record
    }

    /// Records the tokens at the ends of the pages of the zone's first fetch.
    private func readTokens() async throws {
        var token: CKServerChangeToken?
        var moreComing = true
        while moreComing {
            let page = try await database.recordZoneChanges(
                inZoneWith: zoneID, since: token, desiredKeys: [])
            (token, moreComing) = (page.changeToken, page.moreComing)
            tokens.append(page.changeToken)
        }
        tokens = Array(tokens.prefix(tokens.count / 2))
    }

    /// The end of a page in the older half of the feed.
    func randomToken() -> CKServerChangeToken? { tokens.randomElement() }

    func changes(since token: CKServerChangeToken?, limit: Int) async throws -> [CKRecord] {
        let page = try await database.recordZoneChanges(
            inZoneWith: zoneID, since: token, resultsLimit: limit)
        return try page.modificationResultsByID.values.map { try $0.get().record }
    }

    func records(named names: [String]) async throws -> [CKRecord] {
        let ids = names.map { CKRecord.ID(recordName: $0, zoneID: zoneID) }
        return try await database.records(for: ids).values.map { try $0.get() }
    }

    func save(_ records: [CKRecord]) async throws -> Int {
        let results = try await database.modifyRecords(saving: records, deleting: [])
        return try results.saveResults.values.map { try $0.get() }.count
    }

    func records(withNumberFrom start: Int, limit: Int) async throws -> [CKRecord] {
        let query = CKQuery(
            recordType: "Note", predicate: NSPredicate(format: "number >= %lld", start))
        query.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        let page = try await database.records(
            matching: query, inZoneWith: zoneID, resultsLimit: limit)
        return try page.matchResults.map { try $0.1.get() }
    }
}
