import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Names that CloudKit or the store reserves") struct ReservedFieldTests {
    private static let names = [
        "recordID", "recordType", "recordChangeTag", "creationDate", "modificationDate",
        "creatorUserRecordID", "lastModifiedUserRecordID", "etag", "SM_edits",
    ]

    private static func model(
        _ property: NSAttributeDescription, entity: String = "Entry"
    ) -> NSManagedObjectModel {
        NSManagedObjectModel(NSEntityDescription(entity, [property]))
    }

    @Test(
        "are refused when the store is loaded, naming the property and the remedy", arguments: names
    )
    func field(name: String) throws {
        let attribute = NSAttributeDescription(name, .stringAttributeType)
        let error = #expect(throws: SMStoreError.self) {
            try Device(on: LocalCloud.inMemory(), model: Self.model(attribute))
        }
        #expect(error?.description.contains("Entry.\(name)") == true)
        #expect(error?.description.contains("SMFieldName") == true)
    }

    @Test("are sent under another field", arguments: names)
    func otherField(name: String) async throws {
        let cloud = LocalCloud.inMemory()
        func model() -> NSManagedObjectModel {
            let attribute = NSAttributeDescription(name, .stringAttributeType)
            attribute.userInfo = [SMStore.SMFieldNameUserInfoKey: "entry_\(name)"]
            return Self.model(attribute)
        }
        let a = try Device("a", on: cloud, model: model())
        let b = try Device("b", on: cloud, model: model())
        try a.add("Entry", [name: "kept"])
        try await a.store.sync()
        try await b.store.sync()
        let values = try b.read { context in
            try Device.all("Entry", in: context).map { $0.value(forKey: name) as? String }
        }
        #expect(values == ["kept"])
    }

    @Test("cannot be record types")
    func recordType() {
        let attribute = NSAttributeDescription("name", .stringAttributeType)
        #expect(throws: SMStoreError.self) {
            try Device(on: LocalCloud.inMemory(), model: Self.model(attribute, entity: "Users"))
        }
    }
}
