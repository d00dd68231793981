import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("Files of large data follow their store, through acknowledgements, moves and crashes")
struct ExternalDataSafetyTests {
    let cloud = LocalCloud.inMemory()

    private func device(
        _ name: String = "device", _ policy: SMSyncConflictResolutionPolicy = .serverRecordWins
    ) throws -> Device {
        try Device(name, on: cloud, policy: policy, model: PhotoModel.make())
    }

    // MARK: - Acknowledgments

    @Test(
        "A replaced file stays as long as a conflict may need it, and goes with the acknowledgement"
    )
    func acknowledgement() async throws {
        let device = try device()
        try device.add("Photo", ["name": "a", "data": PhotoModel.data(1, 200_000)])
        try await device.store.sync()
        try device.setPhoto("a", PhotoModel.data(2, 300_000))
        try device.setPhoto("a", PhotoModel.data(3, 400_000))
        #expect(try device.externalFileSizes() == [200_000, 400_000])
        try await device.store.sync()
        #expect(try device.externalFileSizes() == [400_000])
        try device.setPhoto("a", nil)
        #expect(try device.externalFileSizes() == [400_000])
        try await device.store.sync()
        #expect(try device.externalFileSizes().isEmpty)
    }

    @Test("It goes with the deletion of its object, and if the server's side of a conflict wins")
    func otherEnds() async throws {
        let (a, b) = (try device("a"), try device("b"))
        for name in ["a", "b"] {
            try a.add("Photo", ["name": name, "data": PhotoModel.data(1, 200_000)])
        }
        try await Device.settle(a, b)
        try a.setPhoto("a", PhotoModel.data(2))
        try a.edit { context in context.delete(try Device.object("Photo", "a", in: context)) }
        // Until the deletion is acknowledged, it may have to be compared with the server's version.
        #expect(try a.externalFileSizes() == [200_000, 200_000])
        try b.setPhoto("b", PhotoModel.data(3, 250_000))
        try await b.store.sync()
        try a.setPhoto("b", PhotoModel.data(4, 300_000))
        try await Device.settle(a, b)
        #expect(try a.externalFileSizes() == [250_000])
        #expect(try b.externalFileSizes() == [250_000])
    }

    /// When and how a device replaces data while it forgets the server.
    struct Edit {
        let isBefore: Bool
        let isBatchUpdate: Bool
        var data: Data?

        static let all = [true, false].flatMap { isBefore in
            [true, false].flatMap { isBatchUpdate in
                [nil, PhotoModel.data(2, 300_000)].map {
                    Edit(isBefore: isBefore, isBatchUpdate: isBatchUpdate, data: $0)
                }
            }
        }
    }

    @Test(
        "When everything is marked as new, it stays, so that the edit of data that nobody else has changed stands",
        arguments: Edit.all,
        [SMSyncConflictResolutionPolicy.mergeByProperty, .mergeByPropertyClientWins])
    func forgetting(edit: Edit, policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = (try device("a", policy), try device("b", policy))
        try a.add("Photo", ["name": "a", "data": PhotoModel.data(1, 200_000)])
        try await Device.settle(a, b)
        if !edit.isBefore { try a.store.resetCloudFieldsInBackingStore() }
        if edit.isBatchUpdate {
            let update = NSBatchUpdateRequest(entityName: "Photo")
            update.propertiesToUpdate = ["data": edit.data ?? NSNull()]
            _ = try a.execute(update, as: NSBatchUpdateResult.self)
        } else {
            try a.setPhoto("a", edit.data)
        }
        if edit.isBefore { try a.store.resetCloudFieldsInBackingStore() }
        try a.relaunch(model: PhotoModel.make())
        let new = [edit.data?.count].compactMap { $0 }
        #expect(try a.externalFileSizes() == [200_000] + new)
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try device.values("data", of: "Photo") == ["a": edit.data])
            #expect(try device.externalFileSizes() == new)
        }
    }

    // MARK: - Moves

    @Test("A copy of a store has copies of its files") func replacement() throws {
        let device = try device()
        try device.add("Photo", ["name": "a", "data": PhotoModel.data(1)])
        let coordinator = device.container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let copy = try self.device("copy")
        try copy.add("Photo", ["name": "old", "data": PhotoModel.data(2, 200_000)])
        let url = copy.directory.appendingPathComponent("Clocks.sqlite")
        let target = copy.container.persistentStoreCoordinator
        for store in target.persistentStores { try target.remove(store) }
        try target.replacePersistentStore(
            at: url,
            withPersistentStoreFrom: device.directory.appendingPathComponent("Clocks.sqlite"),
            ofType: SMStore.type)
        try copy.open(model: PhotoModel.make())
        #expect(try copy.values("data", of: "Photo") == ["a": PhotoModel.data(1)])
        #expect(try copy.externalFileSizes() == [PhotoModel.size])
        #expect(try device.externalFileSizes() == [PhotoModel.size])
    }

    @Test("A store that is migrated to another place has its files there") func migration() throws {
        let device = try device()
        try device.add("Photo", ["name": "a", "data": PhotoModel.data(1)])
        let coordinator = device.container.persistentStoreCoordinator
        let url = device.directory.appendingPathComponent("Moved.sqlite")
        let moved = try coordinator.migratePersistentStore(
            device.store, to: url,
            options: [SMStore.SMStoreContainerOption: device.cloudContainer], withType: SMStore.type
        )
        (moved as? SMStore)?.syncAutomatically = false
        try coordinator.destroyPersistentStore(
            at: device.directory.appendingPathComponent("Clocks.sqlite"), ofType: SMStore.type)
        #expect(try device.externalFileNames().isEmpty)
        #expect(try device.values("data", of: "Photo") == ["a": PhotoModel.data(1)])
    }

    // MARK: - Crashes

    /// The progress of a save to a photo when the process ends.
    enum Crash: CaseIterable, Sendable {
        /// The new file is written, and the transaction is not committed.
        case beforeCommit
        /// The transaction is committed, and the old file is not removed.
        case afterCommit
    }

    @Test(
        "A crash during a save loses no file that a row has, and leftover files are removed",
        arguments: Crash.allCases)
    func crash(_ crash: Crash) throws {
        struct End: Error {}
        let device = try device()
        try device.add("Photo", ["name": "a", "data": PhotoModel.data(1, 200_000)])
        try device.store.lock.locked {
            // The steps of a save, up to the end of the process.
            let database = try device.store.openedDatabase()
            let entity = try #require(database.schema.entity(named: "Photo"))
            let data = try #require(entity.attribute(named: "data"))
            let pk = try #require(
                try database.connection.firstRow("SELECT pk FROM sm_object") { $0.integer(at: 0) })
            do {
                try database.connection.transaction {
                    let old = try #require(try database.rows.row(pk, of: entity))
                    var row = old
                    row.version += 1
                    row.values[data.index] = try database.stored(
                        PhotoModel.data(2, 300_000), of: data)
                    _ = try database.rows.update(
                        row, columnsAt: [data.index], expectedVersion: old.version)
                    if crash == .beforeCommit { throw End() }
                }
            } catch is End {}
        }
        #expect(try device.externalFileSizes() == [200_000, 300_000])
        try device.relaunch(model: PhotoModel.make())
        let kept =
            crash == .beforeCommit ? PhotoModel.data(1, 200_000) : PhotoModel.data(2, 300_000)
        #expect(try device.externalFileSizes() == [kept.count])
        #expect(try device.values("data", of: "Photo") == ["a": kept])
    }
}
