import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The conflict policy of an entity") struct EntityPolicyTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    /// Plain has no policy. Letter has one by name, Parcel inherits it, and Card has its own, by
    /// number.
    private static func model() -> NSManagedObjectModel {
        func entity(_ name: String, _ policy: Any?) -> NSEntityDescription {
            let entity = NSEntityDescription(name)
            if let policy {
                entity.userInfo = [SMStore.SMSyncConflictResolutionPolicyUserInfoKey: policy]
            }
            return entity
        }
        let letter = entity("Letter", "clientRecordWins")
        letter.properties = [NSAttributeDescription("name", .stringAttributeType)]
        let parcel = entity("Parcel", nil)
        let card = entity("Card", "3")
        letter.subentities = [parcel, card]
        let plain = entity("Plain", nil)
        plain.properties = [NSAttributeDescription("name", .stringAttributeType)]
        return NSManagedObjectModel(letter, parcel, card, plain)
    }

    private func device(_ name: String) throws -> Device {
        try Device(name, on: cloud, model: Self.model())
    }

    private func rename(_ entity: String, on device: Device, to name: String) throws {
        try device.edit { context in
            try Device.all(entity, in: context).first?.setValue(name, forKey: "name")
        }
    }

    private func names(_ entity: String, on device: Device) throws -> [String] {
        try device.read { context in
            try Device.all(entity, in: context)
                .compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
    }

    /// Both devices rename the object of an entity, and device b resolves the conflict.
    private func conflict(
        _ entity: String, _ prepare: (SMStore) -> Void = { _ in }
    ) async throws -> [String] {
        let a = try device("a")
        let b = try device("b")
        prepare(b.store)
        try a.add(entity, ["name": "old"])
        try await Device.settle(a, b)
        try rename(entity, on: a, to: "by a")
        try rename(entity, on: b, to: "by b")
        try await Device.settle(a, b)
        #expect(try names(entity, on: a) == names(entity, on: b))
        return try names(entity, on: b)
    }

    /// Entities, and the names of their objects after a conflict.
    static let modeled: [(String, [String])] = [
        ("Plain", ["by a"]), ("Letter", ["by b"]), ("Parcel", ["by b"]),
        ("Card", ["by a", "by b"]),
    ]

    @Test(
        "is that of the model, inherited or its own, or otherwise the store's", arguments: modeled)
    func model(entity: String, expected: [String]) async throws {
        #expect(try await conflict(entity) == expected)
    }

    @Test("can be set for one entity at run time, and applies to its subentities")
    func chosen() async throws {
        let names = try await conflict("Parcel") { store in
            store.setSyncConflictResolutionPolicy(.keepBoth, forEntityNamed: "Letter")
        }
        #expect(names == ["by a", "by b"])
    }

    @Test("can be set for the store at run time, for entities without one")
    func store() async throws {
        #expect(
            try await conflict("Plain") { $0.syncConflictResolutionPolicy = .clientRecordWins }
                == ["by b"])
    }

    @Test("can be read, and is the model's again after it was reset")
    func told() throws {
        let device = try device("a")
        let store = device.store
        func policies() -> [Policy] {
            ["Plain", "Letter", "Parcel", "Card"].map {
                store.syncConflictResolutionPolicy(forEntityNamed: $0)
            }
        }
        let modeled: [Policy] = [
            .serverRecordWins, .clientRecordWins, .clientRecordWins, .keepBoth,
        ]
        #expect(policies() == modeled)
        store.setSyncConflictResolutionPolicy(.mergeByProperty, forEntityNamed: "Parcel")
        #expect(policies()[1...2] == [.clientRecordWins, .mergeByProperty])
        store.setSyncConflictResolutionPolicy(nil, forEntityNamed: "Parcel")
        #expect(policies() == modeled)
        #expect(store.syncConflictResolutionPolicy(forEntityNamed: "Nothing") == .serverRecordWins)
    }

    /// Invalid policies.
    static let nonsense = ["server", "9", ""]

    @Test("with an unknown name is refused with the model", arguments: nonsense)
    func refused(text: String) throws {
        let item = NSEntityDescription(
            "Item", [NSAttributeDescription("name", .stringAttributeType)])
        item.userInfo = [SMStore.SMSyncConflictResolutionPolicyUserInfoKey: text]
        let error = #expect(throws: SMStoreError.self) {
            try Device(on: cloud, model: NSManagedObjectModel(item))
        }
        #expect(error?.description.contains("Item: \(text) is not a conflict policy") == true)
    }

    @Test("mergeByPropertyClientTells calls the block only for properties that both changed")
    func clientTells() async throws {
        let a = try Device("a", on: cloud, policy: .mergeByPropertyClientTells)
        let b = try Device("b", on: cloud, policy: .mergeByPropertyClientTells)
        nonisolated(unsafe) var questions = 0
        b.store.recordConflictResolutionBlock = { server, client, _ in
            questions += 1
            // The app was not asked about the position, so its value is ignored.
            client["position"] = 99
            return client
        }
        try a.add("Clock", ["label": "home", "note": "old", "position": 1])
        try await Device.settle(a, b)
        try a.change("home", ["position": 2])
        try b.change("home", ["note": "by b"])
        try await Device.settle(a, b)
        #expect(questions == 0)
        try a.change("home", ["note": "by a", "position": 3])
        try b.change("home", ["note": "by b again"])
        try await Device.settle(a, b)
        #expect(questions == 1)
        #expect(try a.value("note", of: "home") == "by b again")
        #expect(try a.value("position", of: "home") == 3)
        try expectAgreement(a, b)
    }

    /// Blocks that break the rules.
    enum Fault: CaseIterable { case missing, returnsAnother }

    @Test(
        "without a block that works is reported by a notification of the store, and the server wins",
        arguments: [Policy.clientTellsWhichWins, .mergeByPropertyClientTells], Fault.allCases)
    func reported(policy: Policy, fault: Fault) async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud, policy: policy)
        if fault == .returnsAnother {
            b.store.recordConflictResolutionBlock = { _, _, _ in CKRecord(recordType: "Clock") }
        }
        try a.add("Clock", ["label": "home", "note": "old"])
        try await Device.settle(a, b)
        try a.change("home", ["note": "by a"])
        try b.change("home", ["note": "by b"])
        try await a.store.sync()
        let errors = AsyncStream<Int> { continuation in
            nonisolated(unsafe) let token = NotificationCenter.default.addObserver(
                forName: .smSyncOperationError, object: b.store, queue: nil
            ) { note in
                let error = note.userInfo?[SMStore.SMStoreErrorDomain] as? SMStoreError
                continuation.yield(error?.code ?? 0)
                continuation.finish()
            }
            continuation.onTermination = { _ in NotificationCenter.default.removeObserver(token) }
        }
        try await b.store.sync()
        #expect(
            await errors.first { _ in true } == SMStoreError.conflictResolutionBlock("").code)
        #expect(try b.value("note", of: "home") == "by a")
        try expectAgreement(a, b)
    }
}
