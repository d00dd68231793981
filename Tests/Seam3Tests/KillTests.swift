import CoreData
import SeamSQLite
import Testing

@testable import Seam3

/// How often a process is killed, and how often two processes save. An environment variable
/// increases both.
private enum Rounds {
    static let kills = number("SEAM3_KILLS", 6)
    static let saves = number("SEAM3_SAVES", 40)

    private static func number(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }
}

@Suite("A process that is killed", .tags(.oneTransaction), .serialized) struct KillTests {
    @Test("while it saves leaves every acknowledged save, and no partial save")
    func saves() async throws {
        let folder = try TestFolder()
        try StoreStack(at: folder.store, model: ShopModel.make()).close()
        for round in 0..<(Rounds.kills + 2) / 3 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = folder.url as URL, round = round as Int] in
                try saveUntilKilled(in: url, round: round)
            }
            try expectWhole(folder.store)
        }
        let log = folder.url.appendingPathComponent("acknowledged")
        let acknowledged = Set(
            try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init))
        let stack = try StoreStack(at: folder.store, model: ShopModel.make())
        let members = Dictionary(grouping: try stack.names("Item")) {
            String($0.prefix { $0 != "/" })
        }
        #expect(Set(members.keys).isSuperset(of: acknowledged))
        #expect(Set(try stack.names("Box")) == Set(members.keys))
        for (_, names) in members { #expect(names.count == 5) }
    }

    @Test("while it replaces large data leaves each row with its file")
    func externalData() async throws {
        let folder = try TestFolder()
        try StoreStack(at: folder.store, model: PhotoModel.make()).close()
        for round in 0..<(Rounds.kills + 2) / 3 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = folder.store as URL, round = round as Int] in
                try replacePhotosUntilKilled(at: url, round: round)
            }
            try expectWhole(folder.store)
            let stack = try StoreStack(at: folder.store, model: PhotoModel.make())
            try stack.perform { context in
                for photo in try Device.all("Photo", in: context) {
                    let name = try #require(photo.value(forKey: "name") as? String)
                    let data = try #require(photo.value(forKey: "data") as? Data)
                    #expect(data.count == PhotoModel.size)
                    #expect(Set(data) == [try #require(UInt8(name))])
                }
            }
            try stack.close()
        }
    }

    @Test("while it migrates leaves a file that can be migrated")
    func migrates() async throws {
        let folder = try TestFolder()
        try fill(folder.store, count: 1500)
        for round in 0..<(Rounds.kills + 1) / 3 {
            let copy = folder.url.appendingPathComponent("round \(round)")
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
            let url = try FileKind.copy(folder.store, to: copy)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = url as URL] in
                killSoon(within: 150)
                _ = try StoreStack(at: url, model: KillTests.newModel())
                while true { sleep(1) }
            }
            try expectWhole(url)
            let stack = try StoreStack(at: url, model: Self.newModel())
            #expect(try stack.names("Item").count == 1500)
            try stack.close()
        }
    }

    @Test("while it adopts a file leaves one that can be adopted")
    func adopts() async throws {
        let folder = try TestFolder()
        _ = try CoreDataFixture(at: folder.store)
        let connection = try SQLiteConnection(path: folder.store.path)
        try connection.transaction {
            for pk in 10..<1510 {
                try connection.execute(
                    "INSERT INTO ZTAG VALUES (?, 5, 1, ?)", [.integer(Int64(pk)), .text("\(pk)")])
            }
        }
        for round in 0..<Rounds.kills / 3 {
            let copy = folder.url.appendingPathComponent("round \(round)")
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
            let url = try FileKind.copy(folder.store, to: copy)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [url = url as URL] in
                killSoon(within: 250)
                try SMStore.adoptFile(at: url, model: CoreDataFixture.model())
                while true { sleep(1) }
            }
            try SMStore.adoptFile(at: url, model: CoreDataFixture.model())
            try expectWhole(url)
            let stack = try StoreStack(at: url, model: CoreDataFixture.model())
            #expect(try stack.names("Tag").count == 1502)
            #expect(try stack.names("Car").count == 3)
            try stack.close()
        }
    }

    @Test("Two processes that save at once lose nothing")
    func twoWriters() async throws {
        let folder = try TestFolder()
        try StoreStack(at: folder.store, model: ShopModel.make()).close()
        let count = Rounds.saves
        async let first: Void = Self.saveElsewhere(count, "a", at: folder.store)
        async let second: Void = Self.saveElsewhere(count, "b", at: folder.store)
        _ = await (first, second)
        let stack = try StoreStack(at: folder.store, model: ShopModel.make())
        let expected = ["a", "b"].flatMap { name in (0..<count).map { "\(name)\($0)" } }
        #expect(try stack.names("Box").sorted() == expected.sorted())
        try expectWhole(folder.store)
    }

    // MARK: - Parts

    private static func saveElsewhere(_ count: Int, _ name: String, at url: URL) async {
        await #expect(processExitsWith: .success) {
            [url = url as URL, count = count as Int, name = name as String] in
            try KillTests.save(count, name, at: url)
        }
    }

    static func save(_ count: Int, _ name: String, at url: URL) throws {
        let stack = try StoreStack(at: url, model: ShopModel.make())
        for number in 0..<count { try stack.add("Box", "\(name)\(number)") }
    }

    static func newModel() -> NSManagedObjectModel {
        let shop = ShopEntities(model: ShopModel.make())
        shop.attribute("Item", "price").attributeType = .decimalAttributeType
        shop.relationship("Item", "box").maxCount = 0
        return shop.model
    }

    private func fill(_ url: URL, count: Int) throws {
        let stack = try StoreStack(at: url, model: ShopModel.make())
        try stack.perform { context in
            let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
            for number in 0..<count {
                let item = NSEntityDescription.insertNewObject(
                    forEntityName: "Item", into: context)
                item.setValue("\(number)", forKey: "name")
                item.setValue(Double(number), forKey: "price")
                item.setValue(box, forKey: "box")
            }
            try context.save()
        }
        try stack.close()
    }

    private func expectWhole(_ url: URL) throws {
        let connection = try SQLiteConnection(path: url.path)
        #expect(try connection.rows("PRAGMA integrity_check") { $0.text(at: 0) } == ["ok"])
    }
}

/// Ends the process after a random time.
private func killSoon(within milliseconds: Int) {
    let delay = Int.random(in: 0...milliseconds)
    // A separate thread, because with one processor the caller may occupy the only thread of the
    // global queues.
    Thread.detachNewThread {
        Thread.sleep(forTimeInterval: Double(delay) / 1000)
        _ = kill(getpid(), SIGKILL)
    }
}

/// Saves a box with five items repeatedly, and records the completed saves.
private func saveUntilKilled(in folder: URL, round: Int) throws {
    let stack = try StoreStack(
        at: folder.appendingPathComponent("Store.sqlite"), model: ShopModel.make())
    let log = folder.appendingPathComponent("acknowledged").path
    let descriptor = open(log, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    killSoon(within: 60)
    for number in 0..<1_000_000 {
        let name = "\(round)-\(number)"
        try stack.perform { context in
            let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
            box.setValue(name, forKey: "name")
            for index in 0..<5 {
                let item = NSEntityDescription.insertNewObject(
                    forEntityName: "Item", into: context)
                item.setValue("\(name)/\(index)", forKey: "name")
                item.setValue(box, forKey: "box")
            }
            try context.save()
        }
        let line = Array("\(name)\n".utf8)
        _ = write(descriptor, line, line.count)
    }
}

/// Saves five photos repeatedly, each time with different data, which the name identifies.
private func replacePhotosUntilKilled(at url: URL, round: Int) throws {
    let stack = try StoreStack(at: url, model: PhotoModel.make())
    killSoon(within: 120)
    for number in 0..<1_000_000 {
        try stack.perform { context in
            var photos = try Device.all("Photo", in: context)
            if photos.count < 5 {
                photos = [
                    NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
                ]
            }
            let byte = UInt8(truncatingIfNeeded: round * 31 + number)
            photos[number % photos.count].setValue("\(byte)", forKey: "name")
            photos[number % photos.count].setValue(PhotoModel.data(byte), forKey: "data")
            try context.save()
        }
    }
}
