import CloudKit
import Testing

@Suite("Conflicts")
struct ConflictTests {
    private func conflict(
        _ devices: Devices, saving record: CKRecord
    ) async throws -> CKError {
        let error = await #expect(throws: CKError.self) {
            try await devices.database.save(record)
        }
        return try #require(error)
    }

    @Test("The error contains the client's record, the server's record, and their ancestor")
    func threeRecords() async throws {
        let devices = try await Devices.withZone()
        let record = try await devices.database.save(devices.note("a", "Lunch"))
        let other = try await devices.otherDatabase.record(for: record.recordID)
        other["title"] = "Dinner"
        try await devices.otherDatabase.save(other)
        record["title"] = "Tea"
        let error = try await conflict(devices, saving: record)
        #expect(error.clientRecord?["title"] == "Tea")
        #expect(error.serverRecord?["title"] == "Dinner")
        #expect(error.ancestorRecord?["title"] == "Lunch")
        #expect(error.serverRecord?.recordChangeTag == other.recordChangeTag)
    }

    @Test("The ancestor of a record that was never fetched has no fields")
    func newRecord() async throws {
        let devices = try await Devices.withZone()
        try await devices.otherDatabase.save(devices.note("a", "Dinner"))
        let error = try await conflict(devices, saving: devices.note("a", "Tea"))
        #expect(error.ancestorRecord?.allKeys().isEmpty == true)
        #expect(
            error.userInfo["ServerErrorDescription"] as? String == "record to insert already exists"
        )
    }

    @Test("Changes merged into the server's record can be saved")
    func merge() async throws {
        let devices = try await Devices.withZone()
        try await devices.otherDatabase.save(devices.note("a", "Dinner"))
        let error = try await conflict(devices, saving: devices.note("a", "Tea"))
        let server = try #require(error.serverRecord)
        server["title"] = "Tea and dinner"
        try await devices.database.save(server)
        let saved = try await devices.otherDatabase.record(for: devices.id("a"))
        #expect(saved["title"] == "Tea and dinner")
    }

    @Test("A conflict is reported for each record that has one, and not for the others")
    func batch() async throws {
        let devices = try await Devices.withZone()
        try await devices.otherDatabase.save(devices.note("a", "Dinner"))
        let results = try await devices.database.modifyRecords(
            saving: [devices.note("a"), devices.note("b")], deleting: [], atomically: false)
        #expect(code(results.saveResults[devices.id("a")]) == .serverRecordChanged)
        #expect(code(results.saveResults[devices.id("b")]) == nil)
    }
}
