import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Testing

@testable import Seam3

/// If all records get the error, the server is busy, and no record is at fault.
@Suite(
    "A server that answers every record with a temporary error",
    .tags(.everyLoopEnds, .boundedGrowth)
)
struct BusyServerTests {
    let cloud = LocalCloud.inMemory()

    static let codes: [CKError.Code] = [.serviceUnavailable, .zoneBusy, .requestRateLimited]

    /// Whether the error is that of the request or of each record.
    enum Scope: CaseIterable, Sendable { case request, records }

    /// Refuses everything that is sent.
    @discardableResult
    private func refuse(
        _ scope: Scope, _ code: CKError.Code, retryAfter: Double?, _ records: Set<String>
    ) -> FaultPlan.ID {
        let error = ServerErrorCode(ckErrorCode: code.rawValue)
        return cloud.faults.add(
            scope == .request
                ? .fail(error, retryAfter: retryAfter)
                : .failItems(records, error, retryAfter: retryAfter),
            for: .kind(.modifyRecords), occurrences: .always)
    }

    /// A device with new clocks, and the names of their records.
    private func device(count: Int) async throws -> (device: Device, records: Set<String>) {
        HarshCloud.spare(cloud)
        let device = try Device(on: cloud)
        try await device.store.sync()
        try device.edit { context in
            for number in 0..<count {
                NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
                    .setValue("clock \(number)", forKey: "label")
            }
        }
        let log = RequestLog(.modifyRecords, of: device, on: cloud)
        cloud.faults.add(.fail(.networkUnavailable), for: .kind(.modifyRecords))
        await device.attemptSync()
        cloud.faults.removeAll()
        let records = try #require(log.requests.last?.items)
        try #require(records.count == count)
        return (device, records)
    }

    @Test(
        "gets few requests from each pass, however many records wait", arguments: codes,
        Scope.allCases)
    func requestsOfAPass(code: CKError.Code, scope: Scope) async throws {
        let (device, records) = try await device(count: 40)
        refuse(scope, code, retryAfter: 30, records)
        let log = RequestLog(of: device, on: cloud)
        for pass in 1...8 {
            let before = log.requests.filter { $0.kind == .modifyRecords }.count
            #expect(await device.attemptSync() != nil)
            let count = log.requests.filter { $0.kind == .modifyRecords }.count - before
            #expect(count <= 4, "pass \(pass) has sent \(count) requests")
        }
        #expect(try device.store.syncStatus().pendingChangeCount == 40)
        #expect(log.count <= 8 * 16, "\(log.count) requests in 8 passes")
    }

    @Test(
        "is asked again at the time that it names, also after a relaunch", arguments: codes,
        Scope.allCases)
    func retryAfter(code: CKError.Code, scope: Scope) async throws {
        let (device, records) = try await device(count: 6)
        refuse(scope, code, retryAfter: 3_000, records)
        for pass in 1...3 {
            let clock = ManualClock()
            await device.store.engine?.use(clock.clock)
            device.store.syncAutomatically = true
            #expect(await device.attemptSync() != nil)
            let next = try #require(try device.store.syncStatus().nextAttempt, "pass \(pass)")
            #expect(next.timeIntervalSince(clock.now) >= 3_000, "pass \(pass)")
            if pass == 2 { try device.relaunch() }
        }
    }

    @Test("is asked again at intervals that double if it names no time", arguments: Scope.allCases)
    func growingIntervals(scope: Scope) async throws {
        let (device, records) = try await device(count: 6)
        // A sync without an error starts over.
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        try await device.store.sync()
        for label in 0..<6 { try device.change("clock \(label)", ["note": "edited"]) }
        refuse(scope, .zoneBusy, retryAfter: nil, records)
        device.store.syncAutomatically = true
        for (failures, expected) in [5, 10, 20, 40, 80, 160].enumerated() {
            #expect(await device.attemptSync() != nil)
            let next = try #require(try device.store.syncStatus().nextAttempt)
            let delay = next.timeIntervalSince(clock.now)
            #expect(
                (Double(expected) * 0.8...Double(expected) * 1.2).contains(delay),
                "failure \(failures + 1): \(delay)")
        }
    }

    @Test("gets everything when it is no longer busy", arguments: codes, Scope.allCases)
    func recovery(code: CKError.Code, scope: Scope) async throws {
        let (device, records) = try await device(count: 6)
        let fault = refuse(scope, code, retryAfter: 30, records)
        for pass in 1...8 {
            #expect(await device.attemptSync() != nil)
            if pass == 4 { try device.relaunch() }
        }
        cloud.faults.remove(fault)
        let client = RawClient(cloud)
        try await device.store.sync()
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        #expect(try await client.records(ofType: "Clock").count == 6)
    }
}
