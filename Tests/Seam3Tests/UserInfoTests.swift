import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The model's user info determines what is synced") struct UserInfoTests {
    let cloud = LocalCloud.inMemory()

    /// Items with notes. The notes and one attribute stay on the device, and two names are pinned.
    private static func model() -> NSManagedObjectModel {
        let text = NSAttributeDescription("text", .stringAttributeType)
        text.userInfo = [SMStore.SMFieldNameUserInfoKey: "title"]
        let local = NSAttributeDescription("local", .stringAttributeType)
        local.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
        let item = NSEntityDescription("Item", [text, local])
        item.userInfo = [SMStore.SMRecordTypeUserInfoKey: "OldItem"]
        let note = NSEntityDescription(
            "Note", [NSAttributeDescription("text", .stringAttributeType)])
        note.userInfo = [SMStore.SMSyncedUserInfoKey: "no"]
        NSRelationshipDescription.join((item, "note", 1), (note, "items", 0))
        return NSManagedObjectModel(item, note)
    }

    @Test("a pinned record type and field, an attribute and an entity left out")
    func userInfo() async throws {
        let a = try Device("a", on: cloud, model: Self.model())
        let b = try Device("b", on: cloud, model: Self.model())
        try a.edit { context in
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            item.setValue("t", forKey: "text")
            item.setValue("l", forKey: "local")
            item.setValue(note, forKey: "note")
        }
        try await Device.settle(a, b)
        let records = try await RawClient(cloud).records()
        #expect(records.map(\.recordType) == ["OldItem"])
        #expect(records.first?.valueKeys == ["title"])
        try b.edit { context in
            let item = try #require(try Device.all("Item", in: context).first)
            #expect(item.value(forKey: "text") as? String == "t")
            #expect(item.value(forKey: "local") == nil)
            item.setValue("from b", forKey: "text")
        }
        try await Device.settle(b, a)
        try a.read { context in
            let item = try #require(try Device.all("Item", in: context).first)
            #expect(item.value(forKey: "text") as? String == "from b")
            #expect(item.value(forKey: "local") as? String == "l")
            #expect(item.value(forKey: "note") != nil)
        }
        #expect(try b.count("Note") == 0)
        // A property that is not synced is not an outgoing change.
        try a.edit { try Device.all("Item", in: $0).first?.setValue("m", forKey: "local") }
        try a.add("Note", ["text": "n"])
        #expect(try a.store.syncStatus().pendingChangeCount == 0)
    }

    /// Invalid models, with the names in the error messages.
    static let refused: [(name: String, problem: String)] = [
        ("bad type", "Item"), ("bad field", "Item.text"), ("same type", "Other"),
        ("same field", "Item.text"), ("digits", "Item.price_decimal"),
    ]

    private static func refusedModel(_ name: String) -> NSManagedObjectModel {
        let text = NSAttributeDescription("text", .stringAttributeType)
        let item = NSEntityDescription("Item", [text])
        let other = NSEntityDescription(
            "Other", [NSAttributeDescription("x", .stringAttributeType)])
        switch name {
        case "bad type": item.userInfo = [SMStore.SMRecordTypeUserInfoKey: "_Item"]
        case "bad field": text.userInfo = [SMStore.SMFieldNameUserInfoKey: "no good"]
        case "same type": other.userInfo = [SMStore.SMRecordTypeUserInfoKey: "Item"]
        case "same field":
            let again = NSAttributeDescription("again", .stringAttributeType)
            again.userInfo = [SMStore.SMFieldNameUserInfoKey: "text"]
            item.properties += [again]
        default:
            item.properties += [
                NSAttributeDescription("price", .decimalAttributeType),
                NSAttributeDescription("price_decimal", .stringAttributeType),
            ]
        }
        return NSManagedObjectModel(item, other)
    }

    @Test(
        "names that CloudKit refuses or that collide are refused when the store is loaded",
        arguments: refused)
    func refusal(name: String, problem: String) throws {
        let error = #expect(throws: SMStoreError.self) {
            try Device(on: cloud, model: Self.refusedModel(name))
        }
        #expect(error?.description.contains("\(problem):") == true)
    }

    @Test("a name that CloudKit would refuse is accepted if it stays on the device")
    func localNames() throws {
        let odd = NSAttributeDescription("_odd", .stringAttributeType)
        odd.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
        let device = try Device(
            on: cloud, model: NSManagedObjectModel(NSEntityDescription("Item", [odd])))
        try device.add("Item", ["_odd": "o"])
        #expect(try device.count("Item") == 1)
    }
}
