import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

@Suite("Ten processes on one cloud directory")
struct SharedDirectoryTests {
    @Test("All records of all processes are saved, and a counter that all raise is exact")
    func tenProcesses() async throws {
        let directory = try TemporaryDirectory()
        let test = try await TestCloud(cloud: LocalCloud(directory: directory.url))
        try await test.modify(create("counter", ["n": .int64(0)]))
        await withTaskGroup { group in
            for number in 0..<10 {
                group.addTask { await runProcess(number, directory: directory.url) }
            }
        }
        let counter = try #require(try await test.lookUp("counter"))
        #expect(counter.fields["n"]?.value == .int64(100))
        var names: Set<String> = []
        var token: String?
        while true {
            let page = try await test.changes(since: token, limit: 37)
            names.formUnion(page.records.map(\.recordName))
            token = page.syncToken
            if !page.moreComing { break }
        }
        #expect(names.count == 10 * 10 * 3 + 1)
    }
}

private func runProcess(_ number: Int, directory: URL) async {
    await #expect(processExitsWith: .success) {
        [number = number as Int, directory = directory as URL] in
        let cloud = LocalCloud(directory: directory)
        let device = RequestContext(container: "iCloud.test", device: "device-\(number)")
        for round in 0..<10 { try await raiseCounter(round, number, cloud, device) }
    }
}

/// Saves three new records and increments the counter, and repeats this until no other process has
/// been faster.
private func raiseCounter(
    _ round: Int, _ number: Int, _ cloud: LocalCloud, _ device: RequestContext
) async throws {
    let zone = ZoneIDDictionary(zoneName: "Z")
    while true {
        let found = try await cloud.lookUpRecords(
            LookUpRecordsRequest(zoneID: zone, records: [.init("counter")]), in: device)
        let counter = try #require(found.records.first?.item)
        guard case .int64(let value) = counter.fields["n"]?.value else { return }
        let raised = record("counter", ["n": .int64(value + 1)], tag: counter.recordChangeTag)
        let own = (0..<3).map { create("\(number)-\(round)-\($0)") }
        let response = try await cloud.modifyRecords(
            ModifyRecordsRequest(
                zoneID: zone, atomic: true,
                operations: [RecordOperation(.update, raised)] + own), in: device)
        if response.records.allSatisfy({ $0.error == nil }) { return }
        try #require(response.records.first?.error?.serverErrorCode == .conflict)
    }
}
