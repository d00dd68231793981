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
        try device.edit { context in
            try Device.object("Item", "i2", in: context).setValue(20, forKey: "count")
            try Device.object("Box", "b2", in: context).setValue("b2", forKey: "name")
        }
        return device
    }

    @Test("keeps everything that the new model has", arguments: MigrationCase.inferred)
    func keeps(migration: MigrationCase) async throws {
        let device = try await device(migration.oldModel())
        let before = try FileContents(device)
        try device.relaunch(model: migration.newModel())
        for line in migration.expected {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
                .map(String.init)
            #expect(try device.text(words[0], words[1], words[2]) == words[3], "\(line)")
        }
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
        for line in migration.expected {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
                .map(String.init)
            #expect(try device.text(words[0], words[1], words[2]) == words[3], "\(line)")
        }
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
