import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Two devices converge") struct ConvergenceTests {
    let cloud = LocalCloud.inMemory()

    /// Two devices that both have two zones, two folders and the clock "home".
    private func devices() async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try a.add("Zone", ["name": "Europe/Vienna"])
        try a.add("Zone", ["name": "Asia/Tokyo"])
        try a.add("Folder", ["name": "family"])
        try a.add("Folder", ["name": "work"])
        try a.add("Clock", ["label": "home", "note": "n", "position": 1])
        try a.relate("home", "timeZone", to: "Europe/Vienna")
        try await Device.settle(a, b)
        return (a, b)
    }

    @Test("after objects of every kind were created on one of them")
    func creation() async throws {
        let (a, b) = try await devices()
        try a.add(
            "Clock",
            [
                "label": "new", "uuid": UUID(), "created": Date(timeIntervalSince1970: 1.25),
                "position": -7, "chime": Data([0, 1, 255]),
            ])
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.table().count == 6)
    }

    @Test("after both created objects offline")
    func creationOnBoth() async throws {
        let (a, b) = try await devices()
        try a.add("Clock", ["label": "from a"])
        try b.add("Clock", ["label": "from b"])
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try a.table().count == 7)
    }

    @Test("after an edit on the other device")
    func edit() async throws {
        let (a, b) = try await devices()
        try b.change("home", ["note": "edited", "position": 5])
        try await Device.settle(b, a)
        try expectAgreement(a, b)
        #expect(try a.value("note", of: "home") == "edited")
        #expect(try a.value("position", of: "home") == 5)
    }

    @Test("after a deletion")
    func deletion() async throws {
        let (a, b) = try await devices()
        try b.delete("home")
        try await Device.settle(b, a)
        try expectAgreement(a, b)
        #expect(try a.table().count == 4)
    }

    @Test("after a relationship was set, moved and cleared")
    func relationships() async throws {
        let (a, b) = try await devices()
        try a.relate("home", "folder", to: "family")
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        try b.relate("home", "folder", to: "work")
        try b.relate("home", "timeZone", to: "Asia/Tokyo")
        try await Device.settle(b, a)
        try expectAgreement(a, b)
        try a.relate("home", "folder", to: nil)
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.value("folder", of: "home", as: NSManagedObject.self) == nil)
    }

    @Test("after edits of different objects on both, offline")
    func differentObjects() async throws {
        let (a, b) = try await devices()
        try a.add("Clock", ["label": "office"])
        try await Device.settle(a, b)
        try a.change("home", ["note": "by a"])
        try b.change("office", ["note": "by b"])
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.value("note", of: "home") == "by a")
        #expect(try a.value("note", of: "office") == "by b")
    }

    @Test("after an object was created and deleted before it was ever sent")
    func unsentDeletion() async throws {
        let (a, b) = try await devices()
        try a.add("Clock", ["label": "short-lived"])
        try a.delete("short-lived")
        let summary = try await a.store.sync()
        #expect(summary.savedRecordCount == 0)
        #expect(summary.deletedRecordCount == 0)
        try await Device.settle(a, b)
        try expectAgreement(a, b)
    }

    @Test("when a third device joins later")
    func thirdDevice() async throws {
        let (a, b) = try await devices()
        try b.delete("home")
        try b.add("Clock", ["label": "second"])
        try await Device.settle(a, b)
        let c = try Device("c", on: cloud)
        try await c.store.sync()
        try expectAgreement(a, b, c)
    }

    @Test("over several pages and batches")
    func manyObjects() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try a.edit { context in
            let zone = NSEntityDescription.insertNewObject(forEntityName: "Zone", into: context)
            zone.setValue("z", forKey: "name")
            for index in 0..<1000 {
                let clock = NSEntityDescription.insertNewObject(
                    forEntityName: "Clock", into: context)
                clock.setValue("clock \(index)", forKey: "label")
                clock.setValue(zone, forKey: "timeZone")
            }
        }
        let pushed = try await a.store.sync()
        #expect(pushed.savedRecordCount == 1001)
        let pulled = try await b.store.sync()
        #expect(pulled.insertedObjectIDs.count == 1001)
        try expectAgreement(a, b)
    }
}
