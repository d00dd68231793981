import CloudKitWebServices
import SyncedNotes

/// A zone with notes in a cloud, wherever that is.
struct NoteZone: Sendable {
    /// The zone.
    static let zoneID = ZoneIDDictionary(zoneName: "Notes")

    /// The number of notes.
    let size: Int
    /// The tokens at the ends of the pages of the first fetch, in order.
    let tokens: [String]

    /// A response that is not what a benchmark expects.
    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    /// Fills a zone with notes.
    init(size: Int, on client: NoteClient) async throws {
        self.size = size
        let made = try await client.service.modifyZones(
            ModifyZonesRequest(operations: [ZoneOperation(.create, Self.zoneID)]),
            in: client.context)
        guard made.zones.first?.item != nil else { throw Unexpected(description: "\(made)") }
        for start in stride(from: 0, to: size, by: 200) {
            try await client.save(start..<min(start + 200, size))
        }
        var tokens: [String?] = [nil]
        var moreComing = true
        while moreComing {
            let page = try await client.changes(since: tokens.last ?? nil, limit: 50)
            tokens.append(page.syncToken)
            moreComing = page.moreComing
        }
        self.tokens = tokens.compactMap { $0 }
    }
}

/// A client that sends one request after the other.
struct NoteClient: Sendable {
    let service: any CloudKitService
    let context: CloudKitWebServices.RequestContext

    init(_ service: any CloudKitService, device: String) {
        self.service = service
        context = .init(container: ServerProcess.container, device: device)
    }

    /// Saves notes whatever version the server has.
    func save(_ numbers: some Sequence<Int>) async throws {
        let response = try await service.modifyRecords(
            ModifyRecordsRequest(
                zoneID: NoteZone.zoneID, atomic: true, operations: numbers.map(Self.operation),
                desiredKeys: []), in: context)
        try Self.check(response.records)
    }

    /// Fetches notes by name.
    func fetch(_ numbers: some Sequence<Int>) async throws {
        let response = try await service.lookUpRecords(
            LookUpRecordsRequest(
                zoneID: NoteZone.zoneID, records: numbers.map { .init(Self.name($0)) }),
            in: context)
        try Self.check(response.records)
    }

    /// Fetches a page of the zone's changes.
    func changes(since token: String?, limit: Int) async throws -> ZoneChangesResponse.Zone {
        let response = try await service.fetchZoneChanges(
            ZoneChangesRequest(
                zones: [.init(zoneID: NoteZone.zoneID, syncToken: token, resultsLimit: limit)]),
            in: context)
        guard let page = response.zones.first?.item else {
            throw NoteZone.Unexpected(description: "\(response)")
        }
        return page
    }

    private static func check(_ results: [ItemResult<RecordDictionary>]) throws {
        if let error = results.lazy.compactMap(\.error).first {
            throw NoteZone.Unexpected(description: "\(error)")
        }
    }

    /// The name of the note with a number.
    static func name(_ number: Int) -> String { "note-\(number)" }

    private static func operation(_ number: Int) -> RecordOperation {
        let values = NoteValues(number)
        return RecordOperation(
            .forceUpdate,
            RecordDictionary(
                recordName: name(number), recordType: "Note",
                fields: [
                    "title": RecordFieldDictionary(.string(values.title)),
                    "body": RecordFieldDictionary(.string(values.body)),
                    "number": RecordFieldDictionary(.int64(Int64(number))),
                    "date": RecordFieldDictionary(.timestamp(values.date)),
                ]))
    }
}
