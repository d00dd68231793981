import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Seam3Testing
import Testing

@Suite("The schema of a model") struct SchemaTests {
    let cloud = LocalCloud.inMemory()

    /// A model with each type of attribute and each kind of relationship.
    private static func model() -> NSManagedObjectModel {
        let types: [(String, NSAttributeType)] = [
            ("count", .integer32AttributeType), ("ratio", .doubleAttributeType),
            ("title", .stringAttributeType), ("date", .dateAttributeType),
            ("price", .decimalAttributeType), ("id", .UUIDAttributeType),
            ("link", .URIAttributeType), ("flag", .booleanAttributeType),
            ("data", .binaryDataAttributeType), ("photo", .binaryDataAttributeType),
            ("secret", .stringAttributeType), ("draft", .stringAttributeType),
        ]
        let attributes = types.map { NSAttributeDescription($0.0, $0.1) }
        let byName = Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0) })
        byName["photo"]?.allowsExternalBinaryDataStorage = true
        byName["secret"]?.allowsCloudEncryption = true
        byName["draft"]?.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
        let note = NSEntityDescription("Note", attributes)
        let list = NSEntityDescription(
            "List", [NSAttributeDescription("name", .stringAttributeType)])
        list.userInfo = [SMStore.SMRecordTypeUserInfoKey: "Folder"]
        let tag = NSEntityDescription("Tag", [NSAttributeDescription("type", .stringAttributeType)])
        NSRelationshipDescription.join((note, "list", 1), (list, "notes", 0))
        list.relationshipsByName["notes"]?.isOrdered = true
        NSRelationshipDescription.join((note, "tags", 0), (tag, "notes", 0))
        return NSManagedObjectModel(note, list, tag)
    }

    private static func recordType(_ name: String, _ fields: [String]) -> String {
        let lines =
            [
                #""___createTime" TIMESTAMP"#, #""___createdBy" REFERENCE"#, #""___etag" STRING"#,
                #""___modTime" TIMESTAMP"#, #""___modifiedBy" REFERENCE"#,
                #""___recordID" REFERENCE QUERYABLE"#,
            ] + fields + [
                #"GRANT WRITE TO "_creator""#, #"GRANT CREATE TO "_icloud""#,
                #"GRANT READ TO "_world""#,
            ]
        return "    RECORD TYPE \(name) (\n"
            + lines.map { "        \($0)" }.joined(separator: ",\n") + "\n    );\n"
    }

    private static let expected =
        "DEFINE SCHEMA\n\n"
        + [
            recordType("Folder", ["SM_edits BYTES", "name STRING"]),
            recordType(
                "Note",
                [
                    "SM_edits BYTES", "count INT64", "data BYTES", "data_asset ASSET",
                    "date TIMESTAMP", "flag INT64",
                    "id STRING", "link STRING", #""list" REFERENCE"#, "list_order STRING",
                    "photo ASSET", "price DOUBLE", "price_decimal STRING", "ratio DOUBLE",
                    "secret ENCRYPTED STRING", "title STRING",
                ]),
            recordType("SM_Link_Note_tags", ["source REFERENCE", "target REFERENCE"]),
            recordType("Tag", ["SM_edits BYTES", #""type" STRING"#]),
        ].joined(separator: "\n")

    @Test("has each field that any value may need")
    func text() throws {
        #expect(try SMStore.cloudKitSchema(for: Self.model()) == Self.expected)
    }

    @Test("names the properties that cannot be synced")
    func unsupported() {
        let odd = NSManagedObjectModel(
            NSEntityDescription("Note", [NSAttributeDescription("etag", .stringAttributeType)]))
        #expect(throws: SMStoreError.self) { try SMStore.cloudKitSchema(for: odd) }
    }

    private func device(
        in environment: RequestContext.Environment, model: NSManagedObjectModel
    ) throws -> Device {
        let container = LocalContainer(
            identifier: Device.containerIdentifier, service: cloud, environment: environment)
        return try Device(
            on: cloud, model: model, options: [SMStore.SMStoreContainerOption: container])
    }

    /// Saves an object with a value for each field.
    private func fill(_ device: Device) throws {
        try device.edit { context in
            func insert(_ name: String) -> NSManagedObject {
                NSEntityDescription.insertNewObject(forEntityName: name, into: context)
            }
            let note = insert("Note")
            let list = insert("List")
            let tag = insert("Tag")
            note.setValue(NSDecimalNumber(string: "1.23456789012345678901"), forKey: "price")
            note.setValue(Data(count: 800_000), forKey: "data")
            note.setValue(Data(count: 10), forKey: "photo")
            note.setValue("s", forKey: "secret")
            note.setValue(list, forKey: "list")
            note.setValue(NSSet(object: tag), forKey: "tags")
        }
    }

    @Test("lets production accept every value once it is imported and deployed")
    func production() async throws {
        let schema = try SMStore.cloudKitSchema(for: Self.model())
        try await cloud.importSchema(schema, container: Device.containerIdentifier)
        try await cloud.deploySchema(container: Device.containerIdentifier)
        let device = try device(in: .production, model: Self.model())
        try fill(device)
        try await device.store.sync()
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("is needed: production refuses fields that development has not seen")
    func learnedOnly() async throws {
        let first = try device(in: .development, model: Self.model())
        try first.add("Note", ["price": NSDecimalNumber(string: "1.5")])
        try await first.store.sync()
        try await cloud.deploySchema(container: Device.containerIdentifier)
        let second = try device(in: .production, model: Self.model())
        try fill(second)
        let error = await second.attemptSync()
        #expect(error?.localizedDescription.contains("in production schema") == true)
    }

    @Test("is taught to the server in development, and no record is left")
    func initialized() async throws {
        let device = try device(in: .development, model: Self.model())
        try await device.store.initializeCloudKitSchema()
        let learned = try await cloud.exportSchema(container: Device.containerIdentifier)
        // A field that was created by a number accepts any number.
        let numbers = Self.expected.replacingOccurrences(of: " INT64", with: " NUMBER")
            .replacingOccurrences(of: " DOUBLE", with: " NUMBER")
        // Fields learned from records have indexes.
        let fields = learned.replacingOccurrences(
            of: #"(?m)^( +(?!"___)[^ ]+ [^ \n]+)( [A-Z]+ABLE)+,$"#, with: "$1,",
            options: .regularExpression)
        #expect(fields == numbers)
        let zone = device.cloudContainer.zone(
            CKRecordZone.ID(zoneName: "SMStore_Schema", ownerName: CKCurrentUserDefaultName)
        ) { .userInitiated }
        #expect(try await zone.changes(since: nil, limit: 100).records.isEmpty)
        let other = try self.device(in: .development, model: Self.model())
        try await other.store.sync()
        #expect(try other.count("Note") == 0)
    }

    @Test("is not taught during a dry run")
    func dryRun() async throws {
        let device = try device(in: .development, model: Self.model())
        try await device.store.initializeCloudKitSchema(options: .dryRun)
        let learned = try await cloud.exportSchema(container: Device.containerIdentifier)
        #expect(learned == "DEFINE SCHEMA\n\n")
    }

    @Test("is not taught by a production server, which says so")
    func initializedInProduction() async throws {
        let device = try device(in: .production, model: Self.model())
        let error = await #expect(throws: CKError.self) {
            try await device.store.initializeCloudKitSchema()
        }
        #expect(error?.code == .invalidArguments || error?.code == .serverRejectedRequest)
    }
}
