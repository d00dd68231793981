import CloudKit
import LocalCloud
import Testing

@Suite("CKOperation")
struct OperationTests {
    @Test("An operation works in any queue, and waits for its dependencies")
    func dependencies() async throws {
        let devices = Devices()
        let journal = Journal<String>()
        let zone = CKModifyRecordZonesOperation(
            recordZonesToSave: [CKRecordZone(zoneID: devices.zoneID)])
        zone.database = devices.database
        zone.modifyRecordZonesResultBlock = { _ in journal.note("zone") }
        let save = CKModifyRecordsOperation(recordsToSave: [devices.note()])
        save.database = devices.database
        save.modifyRecordsResultBlock = { result in
            journal.note("save \(code(result) == nil)")
        }
        save.addDependency(zone)
        let queue = OperationQueue()
        await withCheckedContinuation { continuation in
            save.completionBlock = { continuation.resume() }
            queue.addOperation(save)
            queue.addOperation(zone)
        }
        #expect(journal.entries == ["zone", "save true"])
        #expect(save.isFinished && !save.isExecuting && !save.isCancelled)
    }

    @Test("Blocks are called in order: items, the result once, then the completion block")
    func order() async throws {
        let devices = try await Devices.withZone()
        let operation = CKModifyRecordsOperation(
            recordsToSave: [devices.note("a"), devices.note("b")],
            recordIDsToDelete: [devices.id("c")])
        let journal = Journal<String>()
        operation.perRecordProgressBlock = { record, progress in
            journal.note("progress \(record.recordID.recordName) \(progress)")
        }
        operation.perRecordSaveBlock = { recordID, _ in
            journal.note("save \(recordID.recordName)")
        }
        operation.perRecordDeleteBlock = { recordID, _ in
            journal.note("delete \(recordID.recordName)")
        }
        operation.modifyRecordsResultBlock = { _ in journal.note("result") }
        await withCheckedContinuation { continuation in
            operation.completionBlock = {
                journal.note("completion")
                continuation.resume()
            }
            devices.database.add(operation)
        }
        #expect(
            journal.entries == [
                "progress a 1.0", "save a", "progress b 1.0", "save b", "delete c", "result",
                "completion",
            ])
    }

    @Test("An operation that was canceled before its start ends as canceled and sends nothing")
    func canceledBefore() async throws {
        let devices = try await Devices.withZone()
        let operation = CKModifyRecordsOperation(recordsToSave: [devices.note()])
        let journal = Journal<CKError.Code?>()
        operation.modifyRecordsResultBlock = { journal.note(code($0)) }
        operation.cancel()
        await devices.database.run(operation)
        #expect(journal.entries == [.operationCancelled])
        let results = try await devices.database.records(for: [devices.id("n1")])
        #expect(code(results[devices.id("n1")]) == .unknownItem)
    }

    @Test(
        "An operation that is canceled while the server processes it ends at once as canceled",
        arguments: [Fault.Moment.beforeCommit, .afterCommit])
    func canceledDuring(moment: Fault.Moment) async throws {
        let devices = try await Devices.withZone()
        let gate = FaultGate()
        devices.cloud.faults.add(.wait(moment, gate), for: .kind(.modifyRecords))
        let operation = CKModifyRecordsOperation(recordsToSave: [devices.note()])
        let journal = Journal<CKError.Code?>()
        operation.modifyRecordsResultBlock = { journal.note(code($0)) }
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            devices.database.add(operation)
            Task {
                await gate.arrival()
                operation.cancel()
            }
        }
        #expect(journal.entries == [.operationCancelled])
        #expect(operation.isFinished && operation.isCancelled)
        gate.open()
    }

    @Test("A fetch that is canceled in a block reports nothing more")
    func canceledInBlock() async throws {
        let devices = try await Devices.withZone()
        _ = try await devices.database.modifyRecords(
            saving: (1...5).map { devices.note("n\($0)") }, deleting: [])
        let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [devices.zoneID])
        let journal = Journal<String>()
        operation.recordWasChangedBlock = { [unowned operation] _, _ in
            journal.note("record")
            operation.cancel()
        }
        operation.recordZoneFetchResultBlock = { _, _ in journal.note("zone") }
        operation.fetchRecordZoneChangesResultBlock = { result in
            journal.note("\(code(result) == .operationCancelled)")
        }
        await devices.database.run(operation)
        #expect(journal.entries == ["record", "true"])
    }

    @Test("Canceling a task cancels the operation behind an async method")
    func canceledTask() async throws {
        let devices = try await Devices.withZone()
        let gate = FaultGate()
        devices.cloud.faults.add(.wait(.beforeCommit, gate), for: .kind(.modifyRecords))
        let record = devices.note()
        let task = Task { try await devices.database.save(record) }
        await gate.arrival()
        task.cancel()
        let result = await task.result
        #expect(code(result) == .operationCancelled)
        gate.open()
    }

    @Test("A request that takes longer than its timeout is a network failure")
    func timeout() async throws {
        let devices = try await Devices.withZone()
        let gate = FaultGate()
        devices.cloud.faults.add(.wait(.beforeCommit, gate), for: .kind(.modifyRecords))
        let operation = CKModifyRecordsOperation(recordsToSave: [devices.note()])
        operation.configuration.timeoutIntervalForRequest = 0.01
        let journal = Journal<CKError.Code?>()
        operation.modifyRecordsResultBlock = { journal.note(code($0)) }
        await devices.database.run(operation)
        #expect(journal.entries == [.networkFailure])
        gate.open()
    }

    @Test("A configuration takes precedence over the group's, and that over the inherited one")
    func configurationPrecedence() async throws {
        let devices = try await Devices.withZone()
        let gate = FaultGate()
        devices.cloud.faults.add(
            .wait(.beforeCommit, gate), for: .kind(.modifyRecords), occurrences: .next(2))
        let impatient = CKOperation.Configuration()
        impatient.timeoutIntervalForRequest = 0.01
        let group = CKOperationGroup()
        group.defaultConfiguration = impatient
        let inGroup = CKModifyRecordsOperation(recordsToSave: [devices.note("a")])
        inGroup.group = group
        let journal = Journal<CKError.Code?>()
        inGroup.modifyRecordsResultBlock = { journal.note(code($0)) }
        await devices.database.run(inGroup)
        let inherited = await thrownCode {
            _ = try await devices.database.configuredWith(configuration: impatient) { database in
                try await database.save(devices.note("b"))
            }
        }
        #expect(journal.entries == [.networkFailure])
        #expect(inherited == .networkFailure)
        gate.open()
    }

    @Test("The configuration is copied when it is set, and nil restores the defaults")
    func configurationCopies() {
        let operation = CKModifyRecordsOperation()
        let configuration = CKOperation.Configuration()
        configuration.timeoutIntervalForRequest = 5
        operation.configuration = configuration
        configuration.timeoutIntervalForRequest = 7
        #expect(operation.configuration.timeoutIntervalForRequest == 5)
        operation.configuration = nil
        #expect(operation.configuration.timeoutIntervalForRequest == 60)
        #expect(operation.configuration.qualityOfService == .default)
    }

    @Test("A hundred operations at once all end, each with one result")
    func manyAtOnce() async throws {
        let devices = try await Devices.withZone()
        let count = try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 1...100 {
                group.addTask { _ = try await devices.database.save(devices.note("n\(index)")) }
            }
            var count = 0
            for try await _ in group { count += 1 }
            return count
        }
        #expect(count == 100)
        let changes = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil, resultsLimit: 200)
        #expect(changes.modificationResultsByID.count == 100)
    }

    @Test("Operations that are canceled at any time end exactly once")
    func canceledAnywhere() async throws {
        let devices = try await Devices.withZone()
        let journal = Journal<CKError.Code?>()
        await withTaskGroup { group in
            for index in 1...60 {
                let operation = CKModifyRecordsOperation(
                    recordsToSave: [devices.note("n\(index)")])
                operation.modifyRecordsResultBlock = { journal.note(code($0)) }
                group.addTask { await devices.database.run(operation) }
                group.addTask {
                    for _ in 0..<(index % 12) { await Task.yield() }
                    operation.cancel()
                }
            }
        }
        #expect(journal.entries.count == 60)
        #expect(journal.entries.allSatisfy { $0 == nil || $0 == .operationCancelled })
    }
}
