import CloudKit
import CloudKitService
import LocalCloud
import Seam3
import Testing

/// Both conforming types report errors in the same way.
@Suite("An error behind the seam") struct CloudSeamErrorTests {
    let cloud = LocalCloud.inMemory()
    let zoneID = CKRecordZone.ID(zoneName: "zone", ownerName: CKCurrentUserDefaultName)

    /// Every request that a store makes.
    enum Request: String, CaseIterable, Sendable {
        case accountStatus, userRecordID, createZone, zoneExists, subscribe, databaseChanges
        case changes, save, delete, records

        /// The cloud's kind of request.
        var kind: RequestKind {
            switch self {
            case .accountStatus: return .accountStatus
            case .userRecordID: return .fetchCaller
            case .createZone: return .modifyZones
            case .zoneExists: return .lookUpZones
            case .subscribe: return .modifySubscriptions
            case .databaseChanges: return .fetchDatabaseChanges
            case .changes: return .fetchZoneChanges
            case .save, .delete: return .modifyRecords
            case .records: return .lookUpRecords
            }
        }

        /// The item that can fail individually; nil if there is none.
        var item: String? {
            switch self {
            case .createZone, .zoneExists, .changes: return "zone"
            case .subscribe: return "subscription"
            case .save, .delete, .records: return "one"
            default: return nil
            }
        }

        /// Makes the request.
        ///
        /// - Throws: The error of the request or of its only item.
        func make(_ container: any TestContainer, _ zone: any SMCloudZone) async throws {
            let id = CKRecord.ID(recordName: "one", zoneID: zone.zoneID)
            switch self {
            case .accountStatus: _ = try await container.accountStatus()
            case .userRecordID: _ = try await container.userRecordID()
            case .createZone: try await zone.createZone()
            case .zoneExists: _ = try await zone.zoneExists()
            case .subscribe: try await zone.subscribe(id: "subscription")
            case .databaseChanges: _ = try await zone.databaseChanges(since: nil)
            case .changes: _ = try await zone.changes(since: nil, limit: 10)
            case .save:
                let record = SMCloudRecord(CKRecord(recordType: "Note", recordID: id))
                let answer = try await zone.modify(saving: [record], deleting: [])
                if let failure = answer.failure { throw failure }
                _ = try answer.saved[id]?.get()
            case .delete:
                let answer = try await zone.modify(saving: [], deleting: [id])
                if let failure = answer.failure { throw failure }
                try answer.deleted[id]?.get()
            case .records: _ = try await zone.records([id])[id]?.get()
            }
        }
    }

    private func device(
        _ path: CloudPath
    ) async throws -> (container: any TestContainer, zone: any SMCloudZone) {
        let container = path.container(on: cloud)
        let zone = container.zone(zoneID) { .userInitiated }
        try await zone.createZone()
        return (container, zone)
    }

    private func failure(
        _ request: Request, _ container: any TestContainer, _ zone: any SMCloudZone
    ) async -> CKError? {
        do {
            try await request.make(container, zone)
            return nil
        } catch {
            return error as? CKError
        }
    }

    @Test(
        "of a request has its code and the retry delay", arguments: CloudPath.available,
        Request.allCases)
    func requestError(path: CloudPath, request: Request) async throws {
        let (container, zone) = try await device(path)
        cloud.faults.add(.fail(.throttled, retryAfter: 7), for: .kind(request.kind))
        let error = await failure(request, container, zone)
        #expect(error?.code == .requestRateLimited)
        #expect(error?.retryAfterSeconds == 7)
    }

    @Test(
        "of an item is the item's", arguments: CloudPath.available,
        Request.allCases.filter { $0.item != nil })
    func itemError(path: CloudPath, request: Request) async throws {
        let (container, zone) = try await device(path)
        let item = try #require(request.item)
        cloud.faults.add(.failItems([item], .accessDenied), for: .kind(request.kind))
        #expect(await failure(request, container, zone)?.code == .permissionFailure)
    }

    @Test(
        "is the code of a lost answer even if everything was done", arguments: CloudPath.available,
        Request.allCases)
    func lostAnswer(path: CloudPath, request: Request) async throws {
        let (container, zone) = try await device(path)
        cloud.faults.add(.loseAnswer(), for: .kind(request.kind))
        #expect(await failure(request, container, zone)?.code == .serverResponseLost)
        #expect(
            try await zone.changes(since: nil, limit: 9).records.count == (request == .save ? 1 : 0)
        )
    }

    @Test(
        "is that of a canceled operation, whenever its task is canceled",
        arguments: CloudPath.available, Request.allCases)
    func cancellation(path: CloudPath, request: Request) async throws {
        // The behavior of `CKContainer` with canceled tasks outside operations is not specified.
        if path == .container, [.accountStatus, .userRecordID].contains(request) { return }
        let (container, zone) = try await device(path)
        let gate = FaultGate()
        cloud.faults.add(.wait(.beforeCommit, gate), for: .kind(request.kind))
        let task = Task { await failure(request, container, zone) }
        await gate.arrival()
        task.cancel()
        #expect(await task.value?.code == .operationCancelled)
        gate.open()
        let early = Task { () -> CKError? in
            while !Task.isCancelled { await Task.yield() }
            return await failure(request, container, zone)
        }
        early.cancel()
        #expect(await early.value?.code == .operationCancelled)
    }

    @Test("is an expired token, also for data that is not a token", arguments: CloudPath.available)
    func expiredTokens(path: CloudPath) async throws {
        let (container, zone) = try await device(path)
        let page = try await zone.changes(since: nil, limit: 10)
        try await cloud.expireTokens(ofZone: "zone", in: container.context)
        for token in [page.token, Data(), Data([0xff, 0xfe]), Data("text".utf8)] {
            let error = await #expect(throws: CKError.self) {
                _ = try await zone.changes(since: token, limit: 10)
            }
            #expect(error?.code == .changeTokenExpired)
        }
        for token in [Data(), Data([0xff, 0xfe]), Data("text".utf8)] {
            await #expect(throws: CKError.self) { _ = try await zone.databaseChanges(since: token) }
        }
    }

    @Test("of a missing zone is that of each record", arguments: CloudPath.available)
    func lostZone(path: CloudPath) async throws {
        let container = path.container(on: cloud)
        let zone = container.zone(zoneID) { .userInitiated }
        for request in [Request.save, .delete, .records] {
            #expect(await failure(request, container, zone)?.code == .zoneNotFound)
        }
        #expect(await failure(.changes, container, zone)?.code == .zoneNotFound)
    }

    @Test(
        "that interrupts an answer keeps what was reported before", arguments: CloudPath.available)
    func interruption(path: CloudPath) async throws {
        let (_, zone) = try await device(path)
        let records = ["one", "two"].map { name in
            SMCloudRecord(
                CKRecord(
                    recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zoneID)))
        }
        cloud.faults.add(
            .interrupt(after: 1, CloudKitServiceError(.networkFailure)),
            for: .kind(.modifyRecords))
        let answer = try await zone.modify(saving: records, deleting: [])
        #expect((answer.failure as? CKError)?.code == .networkFailure)
        #expect(answer.saved.count == 1)
        cloud.faults.add(
            .interrupt(after: 1, CloudKitServiceError(.networkFailure)),
            for: .kind(.fetchZoneChanges))
        await #expect(throws: CKError.self) { _ = try await zone.changes(since: nil, limit: 10) }
    }

    @Test(
        "of an asset is that of its record, and does not mean that the record is gone",
        arguments: CloudPath.available)
    func assets(path: CloudPath) async throws {
        let (_, zone) = try await device(path)
        let folder = try TestFolder()
        let file = folder.url.appendingPathComponent("file")
        let id = CKRecord.ID(recordName: "one", zoneID: zoneID)
        let record = CKRecord(recordType: "Photo", recordID: id)
        record["image"] = CKAsset(fileURL: file)
        let missing = try await zone.modify(saving: [SMCloudRecord(record)], deleting: [])
        #expect(throws: CKError.self) { try missing.saved[id]?.get() }
        #expect(missing.failure == nil)
        try Data("bytes".utf8).write(to: file)
        let saved = try await zone.modify(saving: [SMCloudRecord(record)], deleting: [])
        #expect(try saved.saved[id]?.get() != nil)
        cloud.faults.add(.fail(.notFound), for: .kind(.downloadAsset))
        let answer = try await zone.records([id])[id]
        #expect(throws: CKError.self) { try answer?.get() }
        if case .failure(let error as CKError)? = answer {
            #expect(error.code == .assetNotAvailable)
        }
        cloud.faults.add(.fail(.assetNotAvailable), for: .kind(.downloadAsset))
        let page = try await zone.changes(since: nil, limit: 10)
        #expect(page.records.isEmpty && page.failures.keys.contains(id))
    }
}
