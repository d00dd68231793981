import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Testing

@testable import Seam3

/// The server answers each request for one record with an error that asks to try again later. It is that record's own
/// trouble as soon as it was asked again often enough.
@Suite(
    "A record that gets a temporary error each time",
    .tags(.oneFailureStaysAlone, .noFalseSuccess, .everyLoopEnds))
struct StuckRecordTests {
    let cloud = LocalCloud.inMemory()

    /// How many passes may fail before everything else has to move.
    static let patience = 4
    static let reason = "the record is stuck"

    /// The errors, and whether they name a time to wait.
    static let codes: [(CKError.Code, retryAfter: Double?)] = [
        (.serviceUnavailable, 30), (.zoneBusy, 30), (.requestRateLimited, 30), (.zoneBusy, nil),
        (.networkFailure, nil), (.networkUnavailable, nil), (.operationCancelled, nil),
    ]

    /// The change of the record that is stuck.
    enum Change: CaseIterable, Sendable { case insertion, update, deletion }

    // MARK: - Steps

    /// The clocks that a round of edits concerns: two are inserted, two are updated, one is deleted.
    private struct Round {
        let number: Int
        var inserted: [String] { ["inserted \(number) a", "inserted \(number) b"] }
        static let updated = ["updated a", "updated b"]
        var deleted: String { "deleted \(number)" }
        static let count = 4

        func edit(_ device: Device) throws {
            for label in inserted { try device.add("Clock", ["label": label]) }
            for label in Self.updated { try device.change(label, ["note": "round \(number)"]) }
            try device.delete(deleted)
        }
    }

    /// A device with the clocks that the rounds need. The clock "stuck" has a change that nothing has sent yet.
    ///
    /// - Returns: The device, the ID of the clock, and the name of its record.
    private func device(
        _ change: Change = .insertion
    ) async throws -> (device: Device, clock: NSManagedObjectID, record: String) {
        HarshCloud.spare(cloud)
        let device = try Device(on: cloud)
        for label in Round.updated + (0..<Round.count).map({ Round(number: $0).deleted }) {
            try device.add("Clock", ["label": label])
        }
        try await device.store.sync()
        let clock = try device.add("Clock", ["label": "stuck"])
        let log = RequestLog(.modifyRecords, of: device, on: cloud)
        if change == .insertion {
            cloud.faults.add(.fail(.networkFailure), for: .kind(.modifyRecords))
        }
        await device.attemptSync()
        cloud.faults.removeAll()
        let names = log.requests.last?.items ?? []
        try #require(names.count == 1)
        switch change {
        case .insertion: break
        case .update: try device.change("stuck", ["note": "stuck"])
        case .deletion: try device.delete("stuck")
        }
        return (device, clock, try #require(names.first))
    }

    /// Answers each request for records with an error for these.
    @discardableResult
    private func refuse(
        _ records: Set<String>, _ code: CKError.Code, retryAfter: Double? = nil
    ) -> FaultPlan.ID {
        cloud.faults.add(
            .failItems(
                records, ServerErrorCode(ckErrorCode: code.rawValue), reason: Self.reason,
                retryAfter: retryAfter),
            for: .kind(.modifyRecords), occurrences: .always)
    }

    /// Passes that fail, after which everything else moves.
    private func losePatience(_ device: Device, relaunching: Bool = false) async throws {
        for _ in 1...Self.patience {
            #expect(await device.attemptSync() != nil)
            if relaunching { try device.relaunch() }
        }
    }

    /// Expects that the server has the changes of a round.
    private func expectArrival(
        _ round: Round, _ comment: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var notes: [String: String] = [:]
        for record in try await RawClient(cloud).records(ofType: "Clock") {
            let (label, note): (String?, String?) = (record["label"], record["note"])
            notes[label ?? "?"] = note ?? ""
        }
        for label in round.inserted {
            #expect(notes[label] != nil, "\(label), \(comment)", sourceLocation: sourceLocation)
        }
        for label in Round.updated {
            #expect(
                notes[label] == "round \(round.number)", "\(label), \(comment)",
                sourceLocation: sourceLocation)
        }
        #expect(
            notes[round.deleted] == nil, "\(round.deleted), \(comment)",
            sourceLocation: sourceLocation)
    }

    /// Edits other clocks, and expects that the changes arrive: the first ones after a few passes, each later one with the
    /// next pass.
    private func expectOthersMove(_ device: Device, relaunching: Bool) async throws {
        try Round(number: 0).edit(device)
        try await losePatience(device, relaunching: relaunching)
        try await expectArrival(Round(number: 0), "after \(Self.patience) passes")
        for number in 1..<Round.count {
            let round = Round(number: number)
            try round.edit(device)
            #expect(await device.attemptSync() != nil, "round \(number)")
            try await expectArrival(round, "with the next pass")
            if relaunching { try device.relaunch() }
        }
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        #expect(try device.store.checkInvariants() == [])
    }

    // MARK: - Other records

    @Test("holds up no insertion, update or deletion", arguments: codes, [false, true])
    func others(error: (CKError.Code, retryAfter: Double?), relaunching: Bool) async throws {
        let (device, _, record) = try await device()
        refuse([record], error.0, retryAfter: error.retryAfter)
        try await expectOthersMove(device, relaunching: relaunching)
        try cloud.checkUnused()
    }

    @Test(
        "holds up nothing if its update or deletion is stuck",
        arguments: [Change.update, .deletion])
    func otherChanges(change: Change) async throws {
        let (device, _, record) = try await device(change)
        refuse([record], .zoneBusy, retryAfter: 30)
        try await expectOthersMove(device, relaunching: false)
    }

    @Test(
        "holds up nothing for long if the connection fails with each of its requests",
        arguments: [CKError.Code.networkFailure, .serverResponseLost])
    func failingConnection(code: CKError.Code) async throws {
        let (device, _, record) = try await device()
        cloud.faults.add(
            .fail(ServerErrorCode(ckErrorCode: code.rawValue), reason: Self.reason),
            for: .kind(.modifyRecords, item: record), occurrences: .always)
        for number in 0..<Round.count {
            let round = Round(number: number)
            try round.edit(device)
            try await losePatience(device)
            try await expectArrival(round, "after \(Self.patience) passes")
        }
    }

    @Test("holds up nothing that another device has sent")
    func pulling() async throws {
        let (device, _, record) = try await device()
        refuse([record], .zoneBusy, retryAfter: 30)
        let other = try Device("other", on: cloud)
        try other.add("Clock", ["label": "from there"])
        try await other.store.sync()
        try await losePatience(device)
        #expect(try device.hasNoValue("note", of: "from there"))
        try other.change("from there", ["note": "edited"])
        try await other.store.sync()
        #expect(await device.attemptSync() != nil)
        #expect(try device.value("note", of: "from there", as: String.self) == "edited")
    }

    @Test(
        "does not make a store that syncs automatically wait with other changes",
        .timeLimit(.minutes(1)))
    func automatic() async throws {
        let (device, _, record) = try await device()
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        refuse([record], .zoneBusy, retryAfter: 3_000)
        try Round(number: 0).edit(device)
        try await losePatience(device)
        var ends = SyncEnds(device.store)
        device.store.syncAutomatically = true
        let start = clock.now
        try Round(number: 1).edit(device)
        let advancing = Task {
            while !Task.isCancelled { clock.advance(by: min(await clock.nextSleep(), 60)) }
        }
        for _ in 1...5 {
            #expect(await ends.next() != nil)
            if try device.store.syncStatus().pendingChangeCount == 1 { break }
        }
        advancing.cancel()
        #expect(clock.now.timeIntervalSince(start) < 600)
        device.store.syncAutomatically = false
        try await expectArrival(Round(number: 1), "automatically")
    }

    // MARK: - The record itself

    @Test("is reported by its state and the store's status", arguments: codes)
    func status(error: (CKError.Code, retryAfter: Double?)) async throws {
        let (device, clock, record) = try await device()
        refuse([record], error.0, retryAfter: error.retryAfter)
        try Round(number: 0).edit(device)
        try await losePatience(device)
        let failure = try #require(await device.attemptSync())
        #expect(failure is SMStoreError || failure is CKError, "\(failure)")
        let status = try device.store.syncStatus()
        #expect(status.pendingChangeCount == 1)
        #expect(try device.store.statistics().pendingChanges["Clock"]?.insertions == 1)
        let lastError = try #require(status.lastError)
        switch try device.store.syncState(of: clock) {
        case .waiting(.insertion):
            let isNamed =
                lastError.contains(Self.reason) || Self.codes(in: failure).contains(error.0)
            #expect(isNamed, "\(lastError)")
        case .refused(.insertion, let reason, _):
            #expect(reason.contains(Self.reason), "\(reason)")
        case let state: Issue.record("\(state)")
        }
    }

    /// The codes of an error, of those below it, and of its items.
    private static func codes(in error: any Error) -> Set<CKError.Code> {
        guard let error = error as? CKError else {
            let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
            return underlying.map(codes(in:)) ?? []
        }
        return (error.partialErrorsByItemID ?? [:]).values.reduce(into: [error.code]) {
            $0.formUnion(codes(in: $1))
        }
    }

    /// What makes a store ask again for a record that was set aside.
    enum Occasion: CaseIterable, Sendable { case completeSync, relaunch, edit }

    /// A deleted object cannot be edited.
    static let occasions = Change.allCases.flatMap { change in
        Occasion.allCases.map { (change, $0) }.filter { $0 != .deletion || $1 != .edit }
    }

    @Test("is sent when the error ceases", arguments: occasions)
    func sentInTheEnd(change: Change, occasion: Occasion) async throws {
        let (device, _, record) = try await device(change)
        let fault = refuse([record], .zoneBusy, retryAfter: 30)
        try Round(number: 0).edit(device)
        try await losePatience(device)
        cloud.faults.remove(fault)
        switch occasion {
        case .completeSync: try await device.store.sync(complete: true)
        case .relaunch:
            try device.relaunch()
            try await device.store.sync()
        case .edit:
            try device.change("stuck", ["note": "edited"])
            try await device.store.sync()
        }
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        #expect(try device.store.syncStatus().lastError == nil)
        let records = try await RawClient(cloud).records(ofType: "Clock")
        let isThere = records.contains { $0.recordID.recordName == record }
        #expect(isThere == (change != .deletion))
        let fresh = try Device("fresh", on: cloud)
        try await fresh.store.sync()
        #expect(try fresh.table() == device.table())
    }

    @Test("is sent after a while without the app's help when the error ceases")
    func sentLater() async throws {
        let (device, _, record) = try await device()
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        let fault = refuse([record], .serviceUnavailable, retryAfter: 30)
        try await losePatience(device)
        cloud.faults.remove(fault)
        clock.advance(by: 90_000)
        try await device.store.sync()
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("is asked for less and less often")
    func moreAndMoreRarely() async throws {
        let (device, _, record) = try await device()
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        refuse([record], .zoneBusy, retryAfter: 30)
        let requests = RequestLog(.modifyRecords, of: device, on: cloud)
        var counts: [Int] = []
        for _ in 1...3 {
            let before = requests.requests.filter { $0.items.contains(record) }.count
            // Eight hours with a sync every 20 minutes.
            for _ in 1...24 {
                await device.attemptSync()
                clock.advance(by: 1_200)
            }
            counts.append(requests.requests.filter { $0.items.contains(record) }.count - before)
        }
        #expect(counts[0] >= 2 && counts[0] <= 16, "\(counts)")
        #expect(counts[2] <= 8, "\(counts)")
    }
}
