import CloudKit
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("Saves that follow each other closely") struct GatheredSavesTests {
    let cloud = LocalCloud.inMemory()

    /// Waits, for a while at most, until nothing of a device waits for the server.
    private func waitUntilSent(_ device: Device) async throws {
        for _ in 1...200 {
            if try device.store.syncStatus().pendingChangeCount == 0,
                device.store.syncProgress == nil
            {
                return
            }
            try await Task.sleep(nanoseconds: 50_000_000)
        }
        Issue.record("changes wait for ten seconds")
    }

    @Test("cost few requests", .timeLimit(.minutes(1)))
    func manySaves() async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        device.store.syncAutomatically = true
        // A pass that was due for another reason, and a machine that is busy with other tests, cost more.
        var fewest: [RequestKind]?
        for round in 0..<4 where fewest.map({ $0.count > 12 + 1 }) ?? true {
            let log = RequestLog(of: device, on: cloud)
            for index in 0..<20 {
                try device.add("Clock", ["label": "\(round) \(index)"])
                // A user who works quickly: ten saves a second.
                try await Task.sleep(nanoseconds: 100_000_000)
            }
            try await waitUntilSent(device)
            #expect(try await RawClient(cloud).records().count == 20 * (round + 1))
            fewest = log.requests.map(\.kind)
        }
        #expect(try #require(fewest).count <= 12 + 1, "\(fewest ?? [])")
    }

    @Test("one by one, cost two requests each when nothing else is new", .timeLimit(.minutes(1)))
    func oneSave() async throws {
        let device = try Device(on: cloud)
        device.store.syncAutomatically = true
        try device.add("Clock", ["label": "first"])
        try await waitUntilSent(device)
        // A pass that was due before the first save may still come between.
        var fewest: [RequestKind] = []
        for index in 0..<5 where fewest.isEmpty || fewest.count > 2 {
            let log = RequestLog(of: device, on: cloud)
            try device.add("Clock", ["label": "next \(index)"])
            try await waitUntilSent(device)
            fewest = log.requests.map(\.kind)
        }
        #expect(fewest.count <= 2, "\(fewest)")
    }

    @Test("after an error look at account and zone again", .timeLimit(.minutes(1)))
    func afterError() async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        try device.add("Clock", ["label": "first"])
        await device.syncSendingNothing(on: cloud)
        let log = RequestLog(.accountStatus, of: device, on: cloud)
        await device.attemptSync()
        #expect(log.count >= 1)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }
}
