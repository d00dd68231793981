import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("A change that the server refuses") struct ParkedChangeTests {
    let cloud = LocalCloud.inMemory()

    /// The refused change.
    enum Refused: String, CaseIterable { case insertion, update, deletion }

    /// Codes with which a server refuses a single record.
    static let codes: [ServerErrorCode] = [
        .badRequest, .accessDenied, .serverRejectedRequest, .internalError,
        .validatingReferenceError, .uniqueFieldError, .quotaExceeded, .limitExceeded,
    ]

    private func labels() async throws -> Set<String> {
        Set(
            try await RawClient(cloud).records(ofType: "Clock").compactMap { record in
                let label: String? = record["label"]
                return label
            })
    }

    private func name(of label: String) async throws -> String {
        let records = try await RawClient(cloud).records(ofType: "Clock")
        let record = records.first { record in
            let found: String? = record["label"]
            return found == label
        }
        return try #require(record).recordID.recordName
    }

    /// A device with the clocks "refused" and "other". The server refuses the first one's change.
    private func device(
        _ refused: Refused, _ code: ServerErrorCode = .badRequest,
        occurrences: Fault.Occurrences = .always
    ) async throws -> Device {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "other"])
        if refused != .insertion { try device.add("Clock", ["label": "refused"]) }
        try await device.store.sync()
        switch refused {
        case .insertion:
            // It has a record name as soon as it was sent.
            try device.add("Clock", ["label": "refused"])
            let names = Names()
            cloud.faults.add(
                .call(.beforeCommit) { names.names = $0.items }, for: .kind(.modifyRecords))
            cloud.faults.add(.fail(.networkFailure), for: .kind(.modifyRecords))
            await device.attemptSync()
            refuse(try #require(names.names.first), code, occurrences)
        case .update:
            refuse(try await name(of: "refused"), code, occurrences)
            try device.change("refused", ["note": "edited"])
        case .deletion:
            refuse(try await name(of: "refused"), code, occurrences)
            try device.delete("refused")
        }
        return device
    }

    private func refuse(
        _ name: String, _ code: ServerErrorCode, _ occurrences: Fault.Occurrences
    ) {
        cloud.faults.add(
            .failItems([name], code), for: .kind(.modifyRecords, item: name),
            occurrences: occurrences)
    }

    private final class Names: @unchecked Sendable {
        // Unchecked because there is only one request.
        var names: Set<String> = []
    }

    // MARK: - Other changes do not wait

    @Test("does not delay a deletion", arguments: Refused.allCases, codes)
    func deletions(refused: Refused, code: ServerErrorCode) async throws {
        let device = try await device(refused, code)
        try device.delete("other")
        #expect(await device.attemptSync() != nil)
        #expect(try await !labels().contains("other"))
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        // Nor later, when the change has been parked.
        try device.add("Clock", ["label": "third"])
        await device.attemptSync()
        #expect(try await labels().contains("third"))
        try device.delete("third")
        await device.attemptSync()
        #expect(try await !labels().contains("third"))
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
    }

    @Test("counts as never sent if the server never took it, whatever else is sent around it")
    func amongOthers() async throws {
        let device = try Device(on: cloud)
        let tooLarge = String(repeating: "a", count: 1_200_000)
        for (label, note) in [("first", ""), ("refused", tooLarge), ("last", "")] {
            try device.add("Clock", ["label": label, "note": note])
        }
        #expect(await device.attemptSync() != nil)
        for label in ["first", "last"] { try device.change(label, ["note": "edited"]) }
        #expect(await device.attemptSync() != nil)
        #expect(try await labels() == ["first", "last"])
        // An object that the server cannot know needs no deletion there.
        try device.delete("refused")
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("delays the deletion of its destination no longer than anything else")
    func related() async throws {
        let device = try Device(on: cloud)
        try device.add("Folder", ["name": "family"])
        try device.add("Clock", ["label": "refused"])
        try device.relate("refused", "folder", to: "family")
        try await device.store.sync()
        refuse(try await name(of: "refused"), .badRequest, .always)
        try device.change("refused", ["note": "edited"])
        await device.attemptSync()
        try device.edit { $0.delete(try Device.object("Folder", "family", in: $0)) }
        await device.attemptSync()
        #expect(try await RawClient(cloud).records(ofType: "Folder").isEmpty)
    }

    /// Codes with which a server refuses each request that contains a particular record.
    static let requestCodes: [ServerErrorCode] = [
        .badRequest, .accessDenied, .serverRejectedRequest, .internalError, .quotaExceeded,
        .networkFailure, .validatingReferenceError,
    ]

    @Test("does not delay a deletion, even if each of its requests fails", arguments: requestCodes)
    func failingRequest(code: ServerErrorCode) async throws {
        let device = try await device(.insertion, occurrences: .next(0))
        let log = RequestLog(.modifyRecords, of: device, on: cloud)
        cloud.faults.add(.fail(.networkFailure), for: .kind(.modifyRecords))
        await device.attemptSync()
        let name = try #require(log.requests.last?.items.first)
        cloud.faults.add(
            .fail(code), for: .kind(.modifyRecords, item: name), occurrences: .always)
        try device.delete("other")
        for _ in 1...2 { #expect(await device.attemptSync() != nil) }
        #expect(try await !labels().contains("other"))
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
    }

    /// The requests of an upload, and codes with which they fail.
    static let uploads: [(RequestKind, ServerErrorCode)] = [
        (.uploadAsset, .networkFailure), (.uploadAsset, .internalError),
        (.uploadAsset, .badRequest), (.requestAssetUploads, .internalError),
        (.requestAssetUploads, .networkFailure), (.uploadAsset, .quotaExceeded),
    ]

    @Test("delays nothing, even if its asset cannot be sent", arguments: uploads)
    func failingUpload(_ upload: (kind: RequestKind, code: ServerErrorCode)) async throws {
        let device = try await device(.insertion, occurrences: .next(0))
        try device.add("Clock", ["label": "large", "chime": Data(repeating: 1, count: 9)])
        try device.delete("other")
        cloud.faults.add(.fail(upload.code), for: .kind(upload.kind), occurrences: .always)
        for _ in 1...2 { await device.attemptSync() }
        #expect(try await labels() == ["refused"])
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
    }

    @Test("because the quota is used up is sent once a deletion has freed space")
    func quota() async throws {
        var options = LocalCloudOptions()
        options.quota = 300_000
        let cloud = LocalCloud.inMemory(options: options)
        let device = try Device(on: cloud, model: PhotoModel.make())
        try device.add("Photo", ["name": "old", "data": PhotoModel.data(1, 200_000)])
        try await device.store.sync()
        try device.edit { $0.delete(try Device.object("Photo", "old", in: $0)) }
        try device.add("Photo", ["name": "new", "data": PhotoModel.data(2, 200_000)])
        for _ in 1...3 { await device.attemptSync() }
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        let names = try await RawClient(cloud).records().map { record -> String? in record["name"] }
        #expect(names == ["new"])
    }

    // MARK: - Retrying

    @Test("once is sent after a while", arguments: Refused.allCases, codes)
    func transient(refused: Refused, code: ServerErrorCode) async throws {
        let device = try await device(refused, code, occurrences: .next())
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        await device.attemptSync()
        clock.advance(by: 7200)
        #expect(await device.attemptSync() == nil)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("once is sent after a relaunch", arguments: Refused.allCases)
    func relaunch(refused: Refused) async throws {
        let device = try await device(refused, occurrences: .next())
        #expect(await device.attemptSync() != nil)
        try device.relaunch()
        #expect(await device.attemptSync() == nil)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("once is sent by a store that syncs automatically", .timeLimit(.minutes(1)))
    func byItself() async throws {
        let device = try await device(.update, occurrences: .next())
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        device.store.syncAutomatically = true
        let ends = device.store.events
        await device.attemptSync()
        let next = try #require(try device.store.syncStatus().nextAttempt)
        #expect(next.timeIntervalSince(clock.now) <= 7200)
        clock.advance(by: await clock.nextSleep())
        var passes = 0
        for await event in ends where event.kind == .sync && event.endDate != nil {
            passes += 1
            if event.succeeded || passes == 10 { break }
        }
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("again and again is sent less and less often", arguments: Refused.allCases)
    func moreAndMoreRarely(refused: Refused) async throws {
        let device = try await device(refused)
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        let log = RequestLog(.modifyRecords, of: device, on: cloud)
        var counts: [Int] = []
        for _ in 1...3 {
            let before = log.count
            // Eight hours with a sync every ten minutes.
            for _ in 1...48 {
                await device.attemptSync()
                clock.advance(by: 600)
            }
            counts.append(log.count - before)
        }
        #expect(counts[0] >= 2 && counts[0] <= 16, "\(counts)")
        #expect(counts[2] >= 1 && counts[2] <= 8, "\(counts)")
        #expect(counts[0] >= counts[2], "\(counts)")
    }

    @Test("is reported by every sync as long as it waits, and by the status")
    func told() async throws {
        let device = try await device(.update)
        for _ in 1...2 { #expect(await device.attemptSync() is SMStoreError) }
        #expect(try device.store.syncStatus().lastError != nil)
        #expect(try device.store.statistics().pendingChanges["Clock"]?.refused == 1)
    }
}
