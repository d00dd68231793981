import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A batch update of natural keys") struct NaturalKeyBatchTests {
    let cloud = LocalCloud.inMemory()

    private func device() throws -> Device {
        let tag = NSEntityDescription(
            "Tag",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("draft", .stringAttributeType),
            ])
        tag.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"]
        return try Device(on: cloud, model: NSManagedObjectModel(tag))
    }

    private func update(_ device: Device, _ format: String, to value: NSExpression) throws {
        try device.edit { context in
            let request = NSBatchUpdateRequest(entityName: "Tag")
            request.predicate = NSPredicate(format: format)
            request.propertiesToUpdate = ["name": value]
            _ = try context.execute(request)
        }
    }

    /// One text in two Unicode forms.
    static let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")

    @Test("refuses a value that another object has in another form")
    func otherForm() throws {
        let device = try device()
        try device.add("Tag", ["name": Self.composed])
        try device.add("Tag", ["name": "tea"])
        #expect(throws: CocoaError.self) {
            try update(
                device, "name == 'tea'", to: NSExpression(forConstantValue: Self.decomposed))
        }
        #expect(try device.count("Tag") == 2)
    }

    @Test("refuses two forms of one value for two objects")
    func twoForms() throws {
        let device = try device()
        try device.add("Tag", ["name": "tea", "draft": Self.composed])
        try device.add("Tag", ["name": "milk", "draft": Self.decomposed])
        #expect(throws: CocoaError.self) {
            try update(device, "name != nil", to: NSExpression(forKeyPath: "draft"))
        }
    }

    @Test("lets two objects swap their values")
    func swap() throws {
        let device = try device()
        try device.add("Tag", ["name": "tea", "draft": "milk"])
        try device.add("Tag", ["name": "milk", "draft": "tea"])
        try update(device, "name != nil", to: NSExpression(forKeyPath: "draft"))
        #expect(try device.store.checkInvariants() == [])
    }
}
