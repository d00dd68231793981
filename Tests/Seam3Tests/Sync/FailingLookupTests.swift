import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A record that is requested again in vain") struct FailingLookupTests {
    let cloud = LocalCloud.inMemory()

    /// Codes with which each request for the record fails.
    static let codes: [ServerErrorCode] = [
        .internalError, .badRequest, .serverRejectedRequest, .networkFailure, .accessDenied,
        .limitExceeded, .notFound, .serverResponseLost,
    ]

    @Test("does not delay changes that are to be sent", arguments: codes)
    func push(code: ServerErrorCode) async throws {
        let writer = try Device("writer", on: cloud)
        let reader = try Device("reader", on: cloud)
        try await reader.store.sync()
        try writer.add("Clock", ["label": "bell", "chime": Data([1, 2, 3])])
        try await writer.store.sync()
        let download = cloud.faults.add(
            .fail(.assetNotAvailable),
            for: .kind(.downloadAsset, device: reader.cloudContainer.device), occurrences: .always)
        await reader.attemptSync()
        try #require(try reader.count("Clock") == 0)
        let lookup = cloud.faults.add(
            .fail(code), for: .kind(.lookUpRecords, device: reader.cloudContainer.device),
            occurrences: .always)
        try reader.add("Clock", ["label": "own"])
        await reader.attemptSync()
        #expect(cloud.faults.matchCount(of: lookup) > 0)
        #expect(try reader.store.syncStatus().pendingChangeCount == 0)
        for fault in [download, lookup] { cloud.faults.remove(fault) }
        for _ in 1...2 { await reader.attemptSync() }
        #expect(try reader.count("Clock") == 2)
    }
}
