import CoreData
import Testing

/// What is no file of a store, and what Apple's Core Data is not asked to destroy.
@Suite final class DestroyedStoreTests {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "DestroyedStoreTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = RecordingStore.register
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    @Test("Destroying a folder is refused, and leaves what is in it")
    func destroyFolder() throws {
        try Data("a".utf8).write(to: folder.appendingPathComponent("a.sqlite"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        for url in [folder, folder.appendingPathComponent("."), URL(fileURLWithPath: "/dev/zero")] {
            #expect {
                try coordinator.destroyPersistentStore(at: url, ofType: RecordingStore.storeType)
            } throws: { error in
                (error as? CocoaError)?.code == .persistentStoreOpen
            }
            #expect(throws: CocoaError.self) {
                try coordinator.replacePersistentStore(
                    at: folder.appendingPathComponent("b.sqlite"), withPersistentStoreFrom: url,
                    ofType: RecordingStore.storeType)
            }
        }
        #expect(exists("a.sqlite") && !exists("b.sqlite"))
    }

    @Test(
        "The null device stays a device, however it is spelled",
        arguments: ["/dev/null", "/dev//null", "/dev/./null", "/dev/shm/../null", "//dev/null"])
    func destroyNullDevice(path: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        let url = URL(fileURLWithPath: path)
        try coordinator.destroyPersistentStore(at: url, ofType: RecordingStore.storeType)
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
        #expect(type as? FileAttributeType == .typeCharacterSpecial)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        #expect(store.type == NSSQLiteStoreType)
    }
}
