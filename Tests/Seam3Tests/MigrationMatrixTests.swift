import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A migration inferred in place", .tags(.nothingLeftOutSilently)) struct MigrationMatrixTests
{
    let cloud = LocalCloud.inMemory()

    /// A device with a file of the old model. Most objects are on the server, and some changes
    /// wait.
    private func device(_ model: NSManagedObjectModel) async throws -> Device {
        let device = try Device("shop", on: cloud, model: model)
        try ShopModel.fill(device)
        try await device.store.sync()
        try device.edit(edit)
        return device
    }

    private func edit(_ context: NSManagedObjectContext) throws {
        try Device.object("Item", "i2", in: context).setValue(20, forKey: "count")
        try Device.object("Box", "b2", in: context).setValue("b2", forKey: "name")
    }

    /// Expects objects, in the form of ``MigrationCase/expected``.
    private func expect(_ lines: [String], on device: Device) throws {
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
                .map(String.init)
            #expect(try device.text(words[0], words[1], words[2]) == words[3], "\(line)")
        }
    }

    @Test("keeps everything that the new model has", arguments: MigrationCase.inferred)
    func keeps(migration: MigrationCase) async throws {
        let device = try await device(migration.oldModel())
        let before = try FileContents(device)
        try device.relaunch(model: migration.newModel())
        try expect(migration.expected, on: device)
        let after = try FileContents(device)
        #expect(after.syncState == before.syncState)
        #expect(after.check == "ok")
        for (pk, record) in after.records where before.records[pk] != nil {
            #expect(before.records[pk] == record)
        }
        #expect(after.waiting.isSuperset(of: before.waiting))
    }

    @Test(
        "is followed by a sync that ends with nothing waiting",
        arguments: MigrationCase.inferred)
    func syncs(migration: MigrationCase) async throws {
        let device = try await device(migration.oldModel())
        try device.relaunch(model: migration.newModel())
        try await device.store.sync()
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        try expect(migration.expected, on: device)
    }

    /// What was sent without an answer before the migration.
    enum Unanswered: CaseIterable { case insertions, editedInsertions, edits }

    @Test(
        "keeps edits that follow a request without an answer",
        .tags(.sentIsTheAncestor), arguments: MigrationCase.inferred, Unanswered.allCases)
    func unanswered(migration: MigrationCase, unanswered: Unanswered) async throws {
        try await migrate(migration, after: unanswered) {
            try $0.relaunch(model: migration.newModel())
        }
    }

    @Test(
        "by a mapping model instead keeps edits that follow a request without an answer, too",
        .tags(.sentIsTheAncestor), arguments: MigrationCase.mapped, Unanswered.allCases)
    func unansweredAndMapped(migration: MigrationCase, unanswered: Unanswered) async throws {
        try await migrate(migration, after: unanswered) {
            try $0.map(from: migration.oldModel(), to: migration.newModel())
        }
    }

    private func migrate(
        _ migration: MigrationCase, after unanswered: Unanswered,
        by migrate: (Device) throws -> Void
    ) async throws {
        let device = try Device("shop", on: cloud, model: migration.oldModel())
        try ShopModel.fill(device)
        if unanswered == .edits { try await device.store.sync() }
        var restore = {}
        if unanswered != .insertions { restore = try device.edit { try ShopModel.clear($0) } }
        cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        try device.edit { context in
            restore()
            try edit(context)
        }
        restore = {}
        try migrate(device)
        try await device.store.sync()
        try expect(migration.expected, on: device)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test(
        "is refused with the reason, and leaves the file unchanged",
        arguments: MigrationCase.refused)
    func refuses(migration: MigrationCase) async throws {
        let device = try await device(migration.oldModel())
        let before = try FileContents(device)
        let error = #expect(throws: CocoaError.self) {
            try device.relaunch(model: migration.newModel())
        }
        #expect(error?.code == .inferredMappingModel)
        let reason = error?.userInfo["reason"] as? String ?? ""
        for word in migration.expected { #expect(reason.contains(word), "\(reason)") }
        try device.open(model: migration.oldModel())
        #expect(try FileContents(device) == before)
        #expect(try device.text("Item", "i1", "box") == "b1")
    }
}
