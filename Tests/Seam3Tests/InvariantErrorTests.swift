import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Invariants 1, 3–6, 16: every answer of the server has a reaction, and no loop is endless")
struct InvariantErrorTests {
    let cloud = LocalCloud.inMemory()

    // MARK: - Codes

    /// What is expected of a pass in which the server gives a code.
    enum Expectation {
        /// The pass fails, the change waits, and the next pass sends it.
        case waits
        /// The pass copes with it, and everything is sent in the end.
        case copes
        /// The change is set aside: the pass fails, and so do later ones until the next edit.
        case parked
    }

    static let codes = (1...37).compactMap { CKError.Code(rawValue: $0) }

    /// A code that CloudKit adds does not compile here until somebody has thought of it.
    private static func expectation(ofSaving code: CKError.Code) -> Expectation {
        switch code {
        case .internalError, .networkUnavailable, .networkFailure, .badContainer,
            .serviceUnavailable, .requestRateLimited, .missingEntitlement, .notAuthenticated,
            .zoneBusy, .badDatabase, .quotaExceeded, .operationCancelled, .changeTokenExpired,
            .zoneNotFound, .userDeletedZone, .managedAccountRestricted, .serverResponseLost,
            .accountTemporarilyUnavailable, .resultsTruncated, .partialFailure,
            .participantAlreadyInvited:
            return .waits
        case .serverRecordChanged, .batchRequestFailed, .limitExceeded, .assetFileNotFound,
            .assetFileModified:
            return .copes
        case .permissionFailure, .unknownItem, .invalidArguments, .serverRejectedRequest,
            .incompatibleVersion, .constraintViolation, .tooManyParticipants, .alreadyShared,
            .referenceViolation, .assetNotAvailable, .participantMayNeedVerification:
            return .parked
        }
    }

    private func recordNames(of device: Device) async throws -> Set<String> {
        // Nothing but the outbox knows them before the first push, so one push is let through.
        try await device.store.sync()
        return Set(try await RawClient(cloud).records().map(\.recordID.recordName))
    }

    @Test("3: as the answer to one record", arguments: codes)
    func oneRecord(code: CKError.Code) async throws {
        let device = try Device(on: cloud)
        let server = ServerErrorCode(ckErrorCode: code.rawValue)
        // Some codes cannot come from a server; it says another instead.
        guard server.ckErrorCode == code.rawValue else { return }
        try device.add("Clock", ["label": "a"])
        try device.add("Clock", ["label": "b"])
        let name = try #require(try await recordNames(of: device).first)
        try device.change("a", ["note": "edited"])
        try device.change("b", ["note": "edited"])
        cloud.faults.add(
            .failItems([name], server),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        let expectation = Self.expectation(ofSaving: code)
        do {
            try await device.store.sync()
            // Gone from the server means deleted there, which the default policy takes over.
            #expect(expectation == .copes || code == .unknownItem)
        } catch {
            #expect(expectation != .copes)
            #expect(try device.store.syncStatus().pendingChangeCount == 1)
            // The neighbour has been sent.
            let notes = try await RawClient(cloud).records().map { record -> String in
                let note: String? = record["note"]
                return note ?? ""
            }
            #expect(notes.sorted() == ["", "edited"])
            if expectation == .parked {
                await #expect(throws: SMStoreError.self) { try await device.store.sync() }
                for label in ["a", "b"] { try device.change(label, ["note": "edited again"]) }
            }
            try await device.store.sync()
        }
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        // The server does have the record, so the devices differ until it is told of.
        guard code != .unknownItem else { return }
        let other = try Device("other", on: cloud)
        try await other.store.sync()
        try expectAgreement(device, other)
    }

    @Test(
        "3, 4: as the answer to a whole request", arguments: codes,
        [RequestKind.modifyRecords, .fetchZoneChanges])
    func wholeRequest(code: CKError.Code, kind: RequestKind) async throws {
        let server = ServerErrorCode(ckErrorCode: code.rawValue)
        guard server.ckErrorCode == code.rawValue else { return }
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "a"])
        try device.add("Clock", ["label": "b"])
        try await device.store.sync()
        try device.change("a", ["note": "edited"])
        try device.change("b", ["note": "edited"])
        cloud.faults.add(.fail(server), for: .kind(kind, device: device.cloudContainer.device))
        do {
            try await device.store.sync()
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
            let coped: [CKError.Code] =
                kind == .modifyRecords
                ? [.limitExceeded, .batchRequestFailed] : [.changeTokenExpired]
            #expect(coped.contains(code))
        } catch {
            #expect(try device.store.syncStatus().pendingChangeCount == 2)
            #expect(try device.store.syncStatus().lastError != nil)
        }
        try await device.store.sync()
        let other = try Device("other", on: cloud)
        try await other.store.sync()
        try expectAgreement(device, other)
        #expect(try other.value("note", of: "a") == "edited")
    }

    @Test("1: what was refused is sent again by a complete synchronisation")
    func refusedAndComplete() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "a"])
        let name = try #require(try await recordNames(of: device).first)
        try device.change("a", ["note": "edited"])
        cloud.faults.add(
            .failItems([name], .badRequest),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        guard case .changesNotAcknowledged(1, let underlying?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((underlying as? SMStoreError)?.code == SMStoreError.refusedByServer("").code)
        let summary = try await device.store.sync(complete: true)
        #expect(summary.savedRecordCount == 1)
    }

    // MARK: - Bounds

    /// Codes that ask for another attempt.
    static let repeating: [ServerErrorCode] = [
        .conflict, .exists, .atomicError, .limitExceeded, .notFound, .assetFileModified,
    ]

    @Test(
        "5: a server that never stops answering so does not keep the pass for ever",
        arguments: repeating, [SMSyncConflictResolutionPolicy.serverRecordWins, .clientRecordWins])
    func endlessAnswer(code: ServerErrorCode, policy: SMSyncConflictResolutionPolicy) async throws {
        let device = try Device(on: cloud, policy: policy)
        device.store.recordConflictResolutionBlock = { _, client, _ in client }
        try device.add("Clock", ["label": "a"])
        let name = try #require(try await recordNames(of: device).first)
        try device.change("a", ["note": "edited"])
        let fault = cloud.faults.add(
            .failItems([name], code),
            for: .kind(.modifyRecords, device: device.cloudContainer.device), occurrences: .always)
        _ = try? await device.store.sync()
        #expect(cloud.faults.matchCount(of: fault) <= 20)
    }

    @Test("5: a deletion that the server never takes ends the pass with an error")
    func endlessDeletion() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "a"])
        let name = try #require(try await recordNames(of: device).first)
        try device.delete("a")
        let fault = cloud.faults.add(
            .failItems([name], .atomicError),
            for: .kind(.modifyRecords, device: device.cloudContainer.device), occurrences: .always)
        await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(cloud.faults.matchCount(of: fault) <= 20)
        cloud.faults.removeAll()
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().isEmpty)
    }

    @Test(
        "18: a delay of any size that a server asks for stops nothing",
        arguments: [-1, 0.5, 1e12, 1e300])
    func absurdDelay(seconds: Double) async throws {
        let device = try Device(on: cloud)
        device.store.syncAutomatically = true
        cloud.faults.add(
            .fail(.zoneBusy, retryAfter: seconds),
            for: .kind(.fetchZoneChanges, device: device.cloudContainer.device))
        await #expect(throws: CKError.self) { try await device.store.sync() }
        let next = try #require(try device.store.syncStatus().nextAttempt)
        #expect(next < Date().addingTimeInterval(2 * 86_400))
        try await device.store.sync()
        #expect(try device.store.syncStatus().nextAttempt == nil)
    }

    // MARK: - Conflicts

    @Test("6: both devices insert the same record, and the error has no server record")
    func insertInsert() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "mine", "chime": Data([1])])
        // Only the answer is lost, and another device changes the record at once.
        let client = RawClient(cloud)
        cloud.faults.add(
            .loseAnswer(), for: .kind(.modifyRecords, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        let record = try #require(try await client.records().first)
        record["label"] = "theirs"
        try await client.save(record)
        try device.edit { try Device.clock("mine", in: $0).setValue("note", forKey: "note") }
        try await device.store.sync()
        let other = try Device("other", on: cloud)
        try await other.store.sync()
        try expectAgreement(device, other)
        #expect(try other.count("Clock") == 1)
    }

    @Test("6: innocent neighbours of a refused record go in the same pass")
    func neighbours() async throws {
        let device = try Device(on: cloud)
        for label in ["a", "b", "c"] { try device.add("Clock", ["label": label]) }
        let names = try await recordNames(of: device).sorted()
        for label in ["a", "b", "c"] { try device.change(label, ["note": "edited"]) }
        cloud.faults.add(
            .failItems([names[0]], .badRequest),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        cloud.faults.add(
            .failItems([names[1], names[2]], .atomicError),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
    }

    @Test("a new object is not deleted because the server misses something else")
    func unknownItemForInsertion() async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        try device.add("Clock", ["label": "new"])
        cloud.faults.add(
            .fail(.networkFailure),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        let names = NameCollector()
        let gate = cloud.faults.add(
            .call(.beforeCommit) { names.note($0.items) },
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        cloud.faults.add(
            .fail(.networkFailure),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        cloud.faults.remove(gate)
        cloud.faults.add(
            .failItems(names.items, .notFound),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        #expect(try device.count("Clock") == 1)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
    }

    private final class NameCollector: @unchecked Sendable {
        // Unchecked because the requests come one after another.
        var items: Set<String> = []
        func note(_ names: Set<String>) { items.formUnion(names) }
    }

    // MARK: - Limits

    /// A cloud that takes few operations at once.
    private func smallCloud(_ operations: Int) -> LocalCloud {
        var options = LocalCloudOptions()
        options.maximumOperations = operations
        return LocalCloud.inMemory(options: options)
    }

    @Test("16: batches of saves and of deletions shrink to what the server takes")
    func smallBatches() async throws {
        let cloud = smallCloud(7)
        let device = try Device(on: cloud)
        try device.edit { context in
            for index in 0..<50 {
                NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
                    .setValue("\(index)", forKey: "name")
            }
        }
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().count == 50)
        try device.edit { context in
            for folder in try Device.all("Folder", in: context) { context.delete(folder) }
        }
        let summary = try await device.store.sync()
        #expect(summary.deletedRecordCount == 50)
        #expect(try await RawClient(cloud).records().isEmpty)
    }

    @Test("16: a limit on bytes is kept, and a record beyond it is set aside alone")
    func bytes() async throws {
        let device = try Device(on: cloud)
        let text = String(repeating: "x", count: 400_000)
        for index in 0..<5 { try device.add("Clock", ["label": "\(index)", "note": text]) }
        try device.add(
            "Clock", ["label": "too large", "note": String(repeating: "y", count: 1_100_000)])
        await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        #expect(try await RawClient(cloud).records().count == 5)
        try device.change("too large", ["note": "small"])
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().count == 6)
    }

    @Test("16: the limit may be told for one record")
    func limitForOneRecord() async throws {
        let device = try Device(on: cloud)
        for label in ["a", "b", "c", "d"] { try device.add("Clock", ["label": label]) }
        let names = try await recordNames(of: device)
        for label in ["a", "b", "c", "d"] { try device.change(label, ["note": "edited"]) }
        cloud.faults.add(
            .failItems(names, .limitExceeded),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        let summary = try await device.store.sync()
        #expect(summary.savedRecordCount == 4)
    }

    @Test("deletions go out though the quota is used up, so that it can be freed")
    func quota() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "old"])
        try await device.store.sync()
        try device.delete("old")
        try device.add("Clock", ["label": "new"])
        cloud.faults.add(
            .fail(.quotaExceeded), for: .kind(.modifyRecords, device: device.cloudContainer.device))
        let error = await #expect(throws: CKError.self) { try await device.store.sync() }
        #expect(error?.code == .quotaExceeded)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        #expect(try await RawClient(cloud).records().isEmpty)
    }
}
