import CoreData
import SeamSQLite
import Testing

@testable import Seam3

@Suite("A store whose file cannot be used", .tags(.noCrashFromOutside)) struct StoreFailureTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func stack(_ options: [String: NSObject] = [:]) throws -> StoreStack {
        try StoreStack(at: folder.store, model: ShopModel.make(), options: options)
    }

    @Test("on a full disk reports 640, and saves the same objects when there is space")
    func diskFull() throws {
        let stack = try stack()
        try stack.add("Box", "before")
        let store = try #require(
            stack.container.persistentStoreCoordinator.persistentStores.first as? SMStore)
        let connection = try store.lock.locked { try store.database().connection }
        let pages = try connection.firstRow("PRAGMA page_count") { $0.integer(at: 0) } ?? 0
        try store.lock.locked { try connection.execute("PRAGMA max_page_count = \(pages)") }
        let names = (0..<2000).map { "box \($0)" }
        let error = #expect(throws: CocoaError.self) {
            try stack.perform { context in
                for name in names {
                    NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
                        .setValue(name, forKey: "name")
                }
                try context.save()
            }
        }
        #expect(error?.code == .fileWriteOutOfSpace)
        try store.lock.locked { try connection.execute("PRAGMA max_page_count = 1000000") }
        try stack.perform { try $0.save() }
        try stack.close()
        #expect(try self.stack().names("Box").count == 2001)
    }

    @Test("waits for another's lock as long as it may, reports 134090, and saves afterward")
    func locked() throws {
        let stack = try stack([NSPersistentStoreTimeoutOption: NSNumber(value: 0.1)])
        try stack.add("Box", "before")
        let other = try SQLiteConnection(path: folder.store.path)
        try other.transaction(.immediate) { () throws -> Void in
            let error = #expect(throws: CocoaError.self) { try stack.add("Box", "waiting") }
            #expect(error?.code == .persistentStoreTimeout)
            #expect(try stack.names("Lid").isEmpty)
        }
        try stack.perform { try $0.save() }
        #expect(try stack.names("Box").sorted() == ["before", "waiting"])
    }

    @Test("that was removed while it was open is not written to, and can be created again")
    func removed() throws {
        let stack = try stack()
        try stack.add("Box", "before")
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.removeItem(atPath: folder.store.path + suffix)
        }
        let error = #expect(throws: CocoaError.self) { try stack.add("Box", "kept") }
        #expect(error?.code == .fileNoSuchFile)
        #expect(try stack.perform { $0.insertedObjects.count } == 1)
        try stack.close()
        let new = try self.stack()
        try new.add("Box", "new")
        #expect(try new.names("Box") == ["new"])
    }

    @Test("that is not a database is an error, and is left unchanged")
    func notADatabase() throws {
        let bytes = Data("this is a letter and not a database".utf8)
        try bytes.write(to: folder.store)
        let error = #expect(throws: SMStoreError.self) { try stack() }
        #expect(error?.code == 4)
        #expect(try Data(contentsOf: folder.store) == bytes)
    }

    @Test("of a newer version of the layout is an error, and is left unchanged")
    func newerLayout() throws {
        let stack = try stack()
        try stack.add("Box", "before")
        try stack.close()
        func setLayout(_ version: Int64) throws {
            try SQLiteConnection(path: folder.store.path).execute(
                "UPDATE sm_metadata SET value = ? WHERE key = 'layout_version'",
                [.integer(version)])
        }
        try setLayout(FileLayout.layoutVersion + 1)
        let bytes = try Data(contentsOf: folder.store)
        let error = #expect(throws: SMStoreError.self) { try self.stack() }
        #expect(error?.description.contains("newer version") == true)
        #expect(try Data(contentsOf: folder.store) == bytes)
        try setLayout(FileLayout.layoutVersion)
        #expect(try self.stack().names("Box") == ["before"])
    }

    @Test(
        "of the layout without numbers of transactions is read, and gets them when it is opened for writing"
    )
    func formerLayout() throws {
        let stack = try stack()
        try stack.add("Box", "before")
        try stack.close()
        let connection = try SQLiteConnection(path: folder.store.path)
        try connection.execute("ALTER TABLE sm_sequence DROP COLUMN last_transaction")
        try connection.execute("UPDATE sm_metadata SET value = 2 WHERE key = 'layout_version'")
        connection.close()
        let reader = try self.stack([NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        #expect(try reader.names("Box") == ["before"])
        try reader.close()
        try self.stack().add("Box", "after")
        #expect(try self.stack().names("Box").sorted() == ["after", "before"])
    }

    @Test("in a read-only file or folder is read, refuses to save, and loses nothing")
    func readOnly() async throws {
        let stack = try stack()
        try stack.add("Box", "before")
        try stack.close()
        await #expect(processExitsWith: .success) { [url = folder.store as URL] in
            let folder = url.deletingLastPathComponent()
            _ = chmod(url.path, 0o444)
            _ = chmod(folder.path, 0o555)
            // The superuser can write to any file.
            if getuid() == 0 { _ = setuid(65534) }
            let error = #expect(throws: (any Error).self) {
                try StoreStack(at: url, model: ShopModel.make()).add("Box", "refused")
            }
            #expect(error is SMStoreError || error is CocoaError)
        }
        _ = chmod(folder.url.path, 0o755)
        _ = chmod(folder.store.path, 0o644)
        #expect(try self.stack().names("Box") == ["before"])
        try self.stack().add("Box", "after")
        let reader = try self.stack([NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        #expect(throws: CocoaError.self) { try reader.add("Box", "refused") }
        #expect(try self.stack().names("Box").sorted() == ["after", "before"])
    }
}
