import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("Every write to a store's file", .tags(.oneTransaction)) struct WriteTransactionTests {
    /// Notes the writing statements of a connection that are not part of a transaction of the store, for which
    /// the system is asked not to suspend the process.
    private final class Watch: @unchecked Sendable {
        // Unchecked because a connection runs one statement at a time.

        private(set) var strangers: [String] = []
        private(set) var count = 0

        init(_ database: StoreDatabase) {
            database.connection.trace = { [unowned self, unowned database] sql in
                let verbs = ["INSERT", "UPDATE", "DELETE", "REPLACE", "BEGIN IMMEDIATE"]
                guard verbs.contains(where: sql.hasPrefix), !sql.contains(" temp.") else { return }
                count += 1
                if !database.isWriting { strangers.append(sql) }
            }
        }
    }

    @Test("is part of a transaction of the store, whoever writes")
    func writes() async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device(on: cloud)
        let engine = try #require(device.store.engine)
        let own = Watch(try device.store.openedDatabase())
        let syncing = Watch(await engine.database)
        try device.add("Clock", ["label": "home", "chime": Data([1])])
        try device.change("home", ["note": "new"])
        try await device.store.sync()
        cloud.faults.add(.fail(.networkFailure), for: .kind(.fetchZoneChanges))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        await engine.sync(after: .networkReturned)
        try device.delete("home")
        try await device.store.sync()
        try device.store.resetBackingStore()
        #expect(own.strangers == [])
        #expect(syncing.strangers == [])
        #expect(own.count > 0 && syncing.count > 0)
    }
}
