import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A conflict block's record") struct ReturnedRecordTests {
    let cloud = LocalCloud.inMemory()

    /// A mistake in a block, and what the error must name.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let block: @Sendable (CKRecord) -> Void
        let names: [String]

        init(_ text: String, _ names: [String], _ block: @escaping @Sendable (CKRecord) -> Void) {
            testDescription = text
            self.names = names
            self.block = block
        }
    }

    static let mistakes = [
        Mistake("a number for a string", ["Clock.note", "an Int64", "a String"]) { $0["note"] = 7 },
        Mistake("a string for a number", ["Clock.position", "a String", "an Int64"]) {
            $0["position"] = "7"
        },
        Mistake("a fraction for an integer", ["Clock.position", "a Double", "an Int64"]) {
            $0["position"] = 7.5
        },
        Mistake("a number beyond its attribute", ["Clock.position", "Integer 32"]) {
            $0["position"] = Int64.max
        },
        Mistake("a string for a date", ["Clock.created", "a String", "a Date"]) {
            $0["created"] = "today"
        },
        Mistake("a string that is no UUID", ["Clock.uuid", "a UUID"]) { $0["uuid"] = "7" },
        Mistake("a string for a reference", ["Clock.folder", "a String", "a Reference"]) {
            $0["folder"] = "family"
        },
        Mistake("a number for data", ["Clock.chime", "an Int64", "an Asset"]) { $0["chime"] = 7 },
        Mistake("an array for a string", ["Clock.note", "an array", "a String"]) {
            $0["note"] = ["a", "b"]
        },
        Mistake("nothing for a required string", ["Clock.label", "required"]) {
            $0["label"] = String?.none
        },
        Mistake("a misspelled key", ["Clock", "nots", "Did you mean note?"]) { $0["nots"] = "x" },
        Mistake("a key of nothing", ["Clock", "weather"]) { $0["weather"] = "x" },
        Mistake("a plain key in the encrypted values", ["Clock.note", "encryptedValues"]) {
            $0.encryptedValues["note"] = "x"
        },
        Mistake("an asset without a file", ["Clock.chime"]) {
            $0["chime"] = CKAsset(fileURL: URL(fileURLWithPath: "/nowhere/chime"))
        },
    ]

    /// Two devices with a clock that both have edited, and whose conflict device b has yet to meet.
    private func conflict(
        _ policy: SMSyncConflictResolutionPolicy = .clientTellsWhichWins,
        model: () -> NSManagedObjectModel = ClockModel.make
    ) async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, model: model())
        let b = try Device("b", on: cloud, policy: policy, model: model())
        try a.add(
            "Clock",
            ["label": "home", "note": "old", "position": 1, "created": Date(), "uuid": UUID()])
        try await Device.settle(a, b)
        try a.change("home", ["note": "by a", "position": 2])
        try b.change("home", ["note": "by b", "position": 3])
        try await a.store.sync()
        return (a, b)
    }

    /// The errors that a store posts while a closure runs.
    private func posted(by store: SMStore, _ body: () async throws -> Void) async throws
        -> [SMStoreError]
    {
        let errors = ErrorList()
        let token = NotificationCenter.default.addObserver(
            forName: .smSyncOperationError, object: store, queue: nil
        ) { note in
            errors.add(note.userInfo?[SMStore.SMStoreErrorDomain] as? SMStoreError)
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try await body()
        // Posted on the main queue, one after the other.
        await MainActor.run {}
        return errors.all
    }

    @Test(
        "with a value that its property cannot have is refused: the server wins, and the error names both",
        arguments: mistakes)
    func refused(mistake: Mistake) async throws {
        let (a, b) = try await conflict()
        b.store.recordConflictResolutionBlock = { server, _, _ in
            server["note"] = "by the block"
            mistake.block(server)
            return server
        }
        let errors = try await posted(by: b.store) { try await b.store.sync() }
        try #require(errors.count == 1)
        #expect(errors == [.conflictResolutionBlock("")])
        let text = errors[0].description
        for name in mistake.names { #expect(text.contains(name), "\(text)") }
        #expect(try b.value("note", of: "home") == "by a")
        try await a.store.sync()
        try expectAgreement(a, b)
    }

    @Test("with a renamed property's name as a key is refused, and the error names the field")
    func renamedKey() async throws {
        func model() -> NSManagedObjectModel {
            let model = ClockModel.make()
            model.entitiesByName["Clock"]?.attributesByName["note"]?.userInfo = [
                SMStore.SMFieldNameUserInfoKey: "remark"
            ]
            return model
        }
        let (a, b) = try await conflict(model: model)
        b.store.recordConflictResolutionBlock = { server, _, _ in
            server["note"] = "by the block"
            return server
        }
        let errors = try await posted(by: b.store) { try await b.store.sync() }
        let text = errors.first?.description ?? ""
        #expect(text.contains("Did you mean remark, the field of Clock.note?"), "\(text)")
        #expect(try b.value("note", of: "home") == "by a")
        try await a.store.sync()
        try expectAgreement(a, b)
    }

    @Test("may have the fields of a newer version of the app, which stay as they are")
    func unknownFields() async throws {
        let (a, b) = try await conflict()
        let client = RawClient(cloud)
        let record = try #require(try await client.records(ofType: "Clock").first)
        record["mood"] = "happy"
        try await client.save(record)
        b.store.recordConflictResolutionBlock = { server, _, _ in
            server["note"] = "by the block"
            return server
        }
        let errors = try await posted(by: b.store) { try await b.store.sync() }
        #expect(errors == [])
        #expect(try b.value("note", of: "home") == "by the block")
        try await a.store.sync()
        try expectAgreement(a, b)
    }

    @Test("that changes a field which no property has is refused")
    func changedUnknownField() async throws {
        let (_, b) = try await conflict()
        let client = RawClient(cloud)
        let record = try #require(try await client.records(ofType: "Clock").first)
        record["mood"] = "happy"
        try await client.save(record)
        b.store.recordConflictResolutionBlock = { server, _, _ in
            server["mood"] = "sad"
            return server
        }
        let errors = try await posted(by: b.store) { try await b.store.sync() }
        #expect(errors == [.conflictResolutionBlock("")])
        #expect(errors.first?.description.contains("mood") == true)
        #expect(try b.value("note", of: "home") == "by a")
    }

    @Test("is taken if it is the client's, or has a value of each type, or lacks optional values")
    func accepted() async throws {
        let (a, b) = try await conflict()
        b.store.recordConflictResolutionBlock = { _, client, _ in
            client["position"] = 8.0
            client["created"] = Date(timeIntervalSinceReferenceDate: 0)
            client["uuid"] = UUID().uuidString
            client["note"] = String?.none
            return client
        }
        let errors = try await posted(by: b.store) { try await b.store.sync() }
        #expect(errors == [])
        #expect(try b.value("position", of: "home") == 8)
        #expect(try b.hasNoValue("note", of: "home"))
        try await a.store.sync()
        try expectAgreement(a, b)
    }
}
