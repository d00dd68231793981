import CloudKit
import CloudKitService
import LocalCloud
import Testing

@Suite("Which blocks are called")
struct BlockRuleTests {
    @Test("All blocks of an operation are called on one queue that is not the main queue")
    func queue() async throws {
        let devices = try await Devices.withZone()
        let isMain = Journal<Bool>()
        let operation = CKModifyRecordsOperation(
            recordsToSave: [devices.note("a"), devices.note("b")])
        operation.perRecordProgressBlock = { _, _ in isMain.note(Thread.isMainThread) }
        operation.perRecordSaveBlock = { _, _ in isMain.note(Thread.isMainThread) }
        operation.modifyRecordsResultBlock = { _ in isMain.note(Thread.isMainThread) }
        await devices.database.run(operation)
        #expect(isMain.entries == Array(repeating: false, count: 5))
    }

    @Test("Each deletion is reported once, and cascaded deletions are not")
    func deletions() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("owner"))
        let owned = devices.note("owned")
        owned["owner"] = CKRecord.Reference(recordID: devices.id("owner"), action: .deleteSelf)
        try await devices.database.save(owned)
        let told = Journal<String>()
        let operation = CKModifyRecordsOperation(
            recordIDsToDelete: [devices.id("owner"), devices.id("never")])
        operation.perRecordDeleteBlock = { id, result in
            told.note("\(id.recordName) \(code(result) == nil)")
        }
        await devices.database.run(operation)
        #expect(told.entries == ["owner true", "never true"])
        #expect(
            await thrownCode { _ = try await devices.database.record(for: devices.id("owned")) }
                == .unknownItem)
    }

    @available(*, deprecated)
    private func legacyRecordBlock(
        _ operation: CKModifyRecordsOperation, _ block: @escaping (String) -> Void
    ) {
        operation.perRecordCompletionBlock = { record, _ in block(record.recordID.recordName) }
    }

    @available(*, deprecated)
    @Test("With the newer block of a record the older one is not called")
    func legacyBlock() async throws {
        let devices = try await Devices.withZone()
        for isNewer in [false, true] {
            let old = Journal<String>()
            let operation = CKModifyRecordsOperation(recordsToSave: [devices.note("\(isNewer)")])
            legacyRecordBlock(operation) { old.note($0) }
            if isNewer { operation.perRecordSaveBlock = { _, _ in } }
            await devices.database.run(operation)
            #expect(old.entries == (isNewer ? [] : ["false"]))
        }
    }

    @available(*, deprecated)
    @Test("A partial failure of zones has the zones' errors by their IDs")
    func partialFailureOfZones() async throws {
        let devices = try await Devices.withZone()
        let missing = CKRecordZone.ID(zoneName: "Missing")
        let zoneID = devices.zoneID
        let errors = Journal<[CKError.Code?]>()
        let results = Journal<Bool>()
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [missing, devices.zoneID], configurationsByRecordZoneID: nil)
        operation.fetchRecordZoneChangesCompletionBlock = { error in
            let partial = (error as? CKError)?.partialErrorsByItemID ?? [:]
            errors.note([code(partial[missing]), code(partial[zoneID])])
        }
        operation.fetchRecordZoneChangesResultBlock = { results.note(code($0) == nil) }
        await devices.database.run(operation)
        #expect(errors.entries == [[.zoneNotFound, nil]])
        #expect(results.entries == [true])
    }

    @Test("Zones that the user removed are reported as deleted if no block asks for the reason")
    func purgeFallsBack() async throws {
        let devices = try await Devices.withZone()
        let other = CKRecordZone.ID(zoneName: "Reset")
        try await devices.database.save(CKRecordZone(zoneID: other))
        let token = try await devices.database.databaseChanges(since: nil).changeToken
        let context = devices.phone.requestContext()
        try await devices.cloud.purgeZone("Notes", in: context)
        try await devices.cloud.resetEncryptedData(ofZone: "Reset", in: context)
        for asks in [false, true] {
            let told = Journal<String>()
            let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
            operation.recordZoneWithIDWasDeletedBlock = { told.note("deleted \($0.zoneName)") }
            if asks {
                operation.recordZoneWithIDWasPurgedBlock = { told.note("purged \($0.zoneName)") }
                operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = {
                    told.note("reset \($0.zoneName)")
                }
            }
            await devices.database.run(operation)
            #expect(
                told.entries
                    == (asks
                        ? ["purged Notes", "reset Reset"] : ["deleted Notes", "deleted Reset"]))
        }
    }

    @Test("The database's feed reports its tokens between the pages", arguments: [true, false])
    func databasePages(fetchesAll: Bool) async throws {
        let devices = Devices()
        for number in 0..<3 {
            try await devices.database.save(CKRecordZone(zoneName: "Z\(number)"))
        }
        let told = Journal<String>()
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: nil)
        operation.resultsLimit = 2
        operation.fetchAllChanges = fetchesAll
        operation.recordZoneWithIDChangedBlock = { told.note($0.zoneName) }
        operation.changeTokenUpdatedBlock = { _ in told.note("token") }
        operation.fetchDatabaseChangesResultBlock = { result in
            told.note("more \((try? result.get().moreComing) == true)")
        }
        await devices.database.run(operation)
        let zones = told.entries.filter { $0.hasPrefix("Z") }
        #expect(zones == (fetchesAll ? ["Z0", "Z1", "Z2"] : ["Z0", "Z1"]))
        #expect(told.entries.contains("token") == fetchesAll)
        #expect(told.entries.last == (fetchesAll ? "more false" : "more true"))
    }

    @Test("A record whose asset cannot be downloaded is a failure of that record")
    func failedDownloadInFeed() async throws {
        let devices = try await Devices.withZone()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("x".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let record = devices.note()
        record["file"] = CKAsset(fileURL: file)
        try await devices.database.save(record)
        devices.cloud.faults.add(.fail(.assetNotAvailable), for: .kind(.downloadAsset))
        let changes = try await devices.otherDatabase.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil)
        #expect(code(changes.modificationResultsByID[record.recordID]) == .assetNotAvailable)
    }

    @Test("An endless timeout is no limit", arguments: [Double.infinity, .greatestFiniteMagnitude])
    func endlessTimeout(interval: Double) async throws {
        let devices = try await Devices.withZone()
        let operation = CKFetchRecordZonesOperation(recordZoneIDs: [devices.zoneID])
        operation.configuration.timeoutIntervalForRequest = interval
        operation.configuration.timeoutIntervalForResource = interval
        let codes = Journal<CKError.Code?>()
        operation.fetchRecordZonesResultBlock = { codes.note(code($0)) }
        await devices.database.run(operation)
        #expect(codes.entries == [nil])
    }

    @Test("An operation that takes longer than its total timeout is a network failure")
    func resourceTimeout() async throws {
        let devices = try await Devices.withZone()
        let operation = CKFetchRecordZonesOperation(recordZoneIDs: [devices.zoneID])
        operation.configuration.timeoutIntervalForResource = 0
        let gate = FaultGate()
        devices.cloud.faults.add(.wait(.beforeCommit, gate), for: .kind(.lookUpZones))
        let codes = Journal<CKError.Code?>()
        operation.fetchRecordZonesResultBlock = { codes.note(code($0)) }
        await devices.database.run(operation)
        gate.open()
        #expect(codes.entries == [.networkFailure])
    }
}
