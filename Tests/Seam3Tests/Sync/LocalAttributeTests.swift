import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("An attribute that stays on the device") struct LocalAttributeTests {
    let cloud = LocalCloud.inMemory()

    /// Tags with a natural key, and local attributes that have defaults.
    private static func model() -> NSManagedObjectModel {
        let count = NSAttributeDescription("count", .integer64AttributeType)
        count.isOptional = false
        count.defaultValue = 7
        let hint = NSAttributeDescription("hint", .stringAttributeType)
        hint.defaultValue = "none"
        let image = NSAttributeDescription("image", .binaryDataAttributeType)
        image.allowsExternalBinaryDataStorage = true
        image.defaultValue = Data(repeating: 1, count: 200_000)
        for attribute in [count, hint, image] {
            attribute.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
        }
        let attributes = ["name", "note"].map { NSAttributeDescription($0, .stringAttributeType) }
        let tag = NSEntityDescription("Tag", attributes + [count, hint, image])
        tag.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"]
        return NSManagedObjectModel(tag)
    }

    private func devices() async throws -> (Device, Device) {
        let a = try Device("a", on: cloud, model: Self.model())
        let b = try Device("b", on: cloud, model: Self.model())
        try a.add("Tag", ["name": "work", "count": 9, "hint": "own"])
        try await Device.settle(a, b)
        return (a, b)
    }

    /// Expects the defaults, and that the object can be saved.
    private func expectDefaults(on device: Device) throws {
        try device.edit { context in
            let tag = try Device.object("Tag", "work", in: context)
            #expect(tag.value(forKey: "count") as? Int == 7)
            #expect(tag.value(forKey: "hint") as? String == "none")
            #expect((tag.value(forKey: "image") as? Data)?.count == 200_000)
            tag.setValue("edited", forKey: "note")
        }
    }

    @Test("has its default in an object that arrives, which can be saved") func arrival()
        async throws
    {
        let (a, b) = try await devices()
        try expectDefaults(on: b)
        try await Device.settle(b, a)
        try a.read { context in
            let tag = try Device.object("Tag", "work", in: context)
            #expect(tag.value(forKey: "note") as? String == "edited")
            #expect(tag.value(forKey: "count") as? Int == 9)
            #expect(tag.value(forKey: "hint") as? String == "own")
        }
    }

    @Test("has its default in an object that comes back because another device has edited it")
    func returning() async throws {
        let (a, b) = try await devices()
        try b.edit { context in
            try Device.object("Tag", "work", in: context).setValue("note", forKey: "note")
        }
        try await b.store.sync()
        try a.deleteAll("Tag")
        try await Device.settle(a, b)
        try expectDefaults(on: a)
    }

    @Test("has its default in an object whose record is found again") func completeSync()
        async throws
    {
        let (_, b) = try await devices()
        try b.store.resetBackingStore()
        try await b.store.sync(complete: true)
        try expectDefaults(on: b)
    }
}
