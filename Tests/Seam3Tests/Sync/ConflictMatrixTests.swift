import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import SeamSQLite
import Testing

@Suite("Every cell of the table of conflicts", .tags(.threeWayConflicts)) struct ConflictMatrixTests
{
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    /// The device's change, and the change on the server.
    enum Situation: CaseIterable {
        case editEdit, editDelete, deleteEdit, createCreate
    }

    /// When the device meets the conflict.
    enum Moment: CaseIterable {
        case pull, push
        /// During the push, through an error with neither the server's record nor the ancestor.
        case pushWithoutRecords
    }

    /// One row: the resulting clocks, as note, position, and whether the device's date is set.
    ///
    /// The server's side changes the note and the position, the device's the note and the date.
    struct Row: CustomStringConvertible {
        let situation: Situation
        let policy: Policy
        let expected: [String]

        var description: String { "\(situation), \(policy)" }
    }

    static let rows: [Row] = [
        Row(situation: .editEdit, policy: .serverRecordWins, expected: ["server 10 -"]),
        Row(situation: .editEdit, policy: .clientRecordWins, expected: ["client 1 +"]),
        Row(situation: .editEdit, policy: .clientTellsWhichWins, expected: ["both 10 -"]),
        Row(situation: .editEdit, policy: .keepBoth, expected: ["client 1 +", "server 10 -"]),
        Row(situation: .editEdit, policy: .mergeByProperty, expected: ["server 10 +"]),
        Row(situation: .editEdit, policy: .mergeByPropertyClientWins, expected: ["client 10 +"]),
        Row(situation: .editEdit, policy: .mergeByPropertyClientTells, expected: ["both 10 +"]),

        Row(situation: .editDelete, policy: .serverRecordWins, expected: []),
        Row(situation: .editDelete, policy: .clientRecordWins, expected: ["client 1 +"]),
        Row(situation: .editDelete, policy: .clientTellsWhichWins, expected: ["client 1 +"]),
        Row(situation: .editDelete, policy: .keepBoth, expected: ["client 1 +"]),
        Row(situation: .editDelete, policy: .mergeByProperty, expected: ["client 1 +"]),
        Row(situation: .editDelete, policy: .mergeByPropertyClientWins, expected: ["client 1 +"]),
        Row(situation: .editDelete, policy: .mergeByPropertyClientTells, expected: ["client 1 +"]),

        Row(situation: .deleteEdit, policy: .serverRecordWins, expected: ["server 10 -"]),
        Row(situation: .deleteEdit, policy: .clientRecordWins, expected: []),
        Row(situation: .deleteEdit, policy: .clientTellsWhichWins, expected: ["server 10 -"]),
        Row(situation: .deleteEdit, policy: .keepBoth, expected: ["server 10 -"]),
        Row(situation: .deleteEdit, policy: .mergeByProperty, expected: ["server 10 -"]),
        Row(situation: .deleteEdit, policy: .mergeByPropertyClientWins, expected: ["server 10 -"]),
        Row(situation: .deleteEdit, policy: .mergeByPropertyClientTells, expected: ["server 10 -"]),

        // The ancestor is unknown, so a property that both sides have set counts as changed on both.
        Row(situation: .createCreate, policy: .serverRecordWins, expected: ["server 10 -"]),
        Row(situation: .createCreate, policy: .clientRecordWins, expected: ["client 1 +"]),
        Row(situation: .createCreate, policy: .clientTellsWhichWins, expected: ["both 10 -"]),
        Row(situation: .createCreate, policy: .keepBoth, expected: ["client 1 +", "server 10 -"]),
        Row(situation: .createCreate, policy: .mergeByProperty, expected: ["server 10 +"]),
        Row(situation: .createCreate, policy: .mergeByPropertyClientWins, expected: ["client 1 +"]),
        Row(situation: .createCreate, policy: .mergeByPropertyClientTells, expected: ["both 10 +"]),
    ]

    @Test("has its row")
    func complete() {
        let cells = Set(Self.rows.map(\.description))
        #expect(cells.count == Self.rows.count)
        #expect(cells.count == Situation.allCases.count * Policy.allCases.count)
    }

    @Test("ends as its row says, on the device and on the server", arguments: rows, Moment.allCases)
    func cell(row: Row, moment: Moment) async throws {
        let device = try await device(row)
        // The device has the clock before the conflict if the server has it.
        let witness = try Device("witness", on: cloud, policy: row.policy)
        try await witness.store.sync()
        let name = try recordName(on: device)
        let client = RawClient(cloud)
        switch moment {
        case .pull:
            try await Self.changeServer(row.situation, name, client)
        case .push, .pushWithoutRecords:
            let pattern = RequestPattern.kind(
                .modifyRecords, device: device.cloudContainer.device)
            cloud.faults.add(
                .call(.beforeCommit) { _ in
                    await #expect(throws: Never.self) {
                        try await Self.changeServer(row.situation, name, client)
                    }
                }, for: pattern)
            if moment == .pushWithoutRecords {
                cloud.faults.add(.failItems([name], Self.error(row.situation)), for: pattern)
            }
        }
        let summary = try await device.store.sync()
        // A deletion has no change tag, so an edit that reaches the server right before it is lost.
        // This is the only possible loss. A refused deletion is sent again, with the same result.
        let isRace = row.situation == .deleteEdit && moment != .pull
        let expected = isRace ? [] : row.expected
        #expect(try clocks(on: device) == expected)
        #expect(summary.conflictCount == (isRace ? 0 : 1))
        try await device.store.sync()
        let newcomer = try Device("newcomer", on: cloud)
        for other in [witness, newcomer] {
            try await other.store.sync()
            #expect(try clocks(on: other) == expected)
        }
        try expectAgreement(device, witness, newcomer)
    }

    // MARK: - Both sides

    /// A device with a situation's change, which was not sent yet.
    private func device(_ row: Row) async throws -> Device {
        let device = try Device(on: cloud, policy: row.policy)
        device.store.recordConflictResolutionBlock = { server, client, _ in
            let notes: [String?] = [server["note"], client["note"]]
            if notes == ["server", "client"] { server["note"] = "both" }
            return server
        }
        // The zone exists already, even if the clock does not.
        if row.situation == .createCreate { try await device.store.sync() }
        try device.add("Clock", ["label": "home", "note": "old", "position": 1])
        if row.situation != .createCreate { try await device.store.sync() }
        if row.situation == .deleteEdit {
            try device.delete("home")
        } else {
            try device.change(
                "home", ["note": "client", "created": Date(timeIntervalSince1970: 0)])
        }
        return device
    }

    /// The name of the clock's record, which the server may not have yet.
    private func recordName(on device: Device) throws -> String {
        let file = device.directory.appendingPathComponent("Clocks.sqlite")
        let connection = try SQLiteConnection(path: file.path)
        return try #require(
            try connection.firstRow("SELECT record_name FROM sm_object") { $0.text(at: 0) })
    }

    private static func changeServer(
        _ situation: Situation, _ name: String, _ client: RawClient
    ) async throws {
        switch situation {
        case .editDelete:
            return try await client.delete(name)
        case .createCreate:
            let record = client.record(
                "Clock", named: name, ["label": "home", "note": "server", "position": 10])
            try await client.save(record)
        case .editEdit, .deleteEdit:
            let record = try await client.record(named: name)
            record["note"] = "server"
            record["position"] = 10
            try await client.save(record)
        }
    }

    private static func error(_ situation: Situation) -> ServerErrorCode {
        switch situation {
        case .editEdit: return .conflict
        case .createCreate: return .exists
        case .editDelete: return .notFound
        case .deleteEdit: return .atomicError
        }
    }

    private func clocks(on device: Device) throws -> [String] {
        try device.read { context in
            try Device.all("Clock", in: context).map { clock in
                let note = clock.value(forKey: "note") as? String ?? "-"
                let position = clock.value(forKey: "position") as? Int ?? 0
                return "\(note) \(position) \(clock.value(forKey: "created") == nil ? "-" : "+")"
            }.sorted()
        }
    }
}
