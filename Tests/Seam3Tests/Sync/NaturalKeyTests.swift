import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A natural key") struct NaturalKeyTests {
    let cloud = LocalCloud.inMemory()

    /// The natural key of countries is their code, and that of cities the country code and the
    /// name. Subentities of a country share its key.
    private static func model() -> NSManagedObjectModel {
        let country = NSEntityDescription(
            "Country",
            [
                NSAttributeDescription("code", .stringAttributeType),
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("population", .integer64AttributeType),
            ])
        country.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "code"]
        let island = NSEntityDescription("Island")
        country.subentities = [island]
        let city = NSEntityDescription(
            "City",
            [
                NSAttributeDescription("code", .stringAttributeType),
                NSAttributeDescription("number", .integer32AttributeType),
                NSAttributeDescription("name", .stringAttributeType),
            ])
        city.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "code, number"]
        NSRelationshipDescription.join((city, "country", 1), (country, "cities", 0))
        NSRelationshipDescription.join((country, "neighbors", 0), (country, "neighborOf", 0))
        return NSManagedObjectModel(country, island, city)
    }

    private func device(
        _ name: String, _ policy: SMSyncConflictResolutionPolicy = .serverRecordWins
    ) throws -> Device {
        try Device(name, on: cloud, policy: policy, model: Self.model())
    }

    private func country(_ code: String, _ context: NSManagedObjectContext) throws
        -> NSManagedObject
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Country")
        request.predicate = NSPredicate(format: "code == %@", code)
        return try #require(try context.fetch(request).first)
    }

    /// Countries as "code name", sorted.
    private func countries(_ device: Device) throws -> [String] {
        try device.read { context in
            try Device.all("Country", in: context).map { country in
                let code = country.value(forKey: "code") as? String ?? "-"
                return "\(code) \(country.value(forKey: "name") as? String ?? "-")"
            }.sorted()
        }
    }

    private func constraintError(_ body: () throws -> Void) {
        do {
            try body()
            Issue.record("nothing was refused")
        } catch {
            #expect((error as NSError).code == 133021)
        }
    }

    // MARK: - Two devices

    @Test("makes equal objects of two devices one, with their relationships")
    func seeds() async throws {
        let devices = [try device("a"), try device("b")]
        for device in devices {
            try device.edit { context in
                for code in ["DE", "FR", "IT"] {
                    let country = NSEntityDescription.insertNewObject(
                        forEntityName: "Country", into: context)
                    country.setValue(code, forKey: "code")
                    country.setValue("the same", forKey: "name")
                    for number in 1...2 {
                        let city = NSEntityDescription.insertNewObject(
                            forEntityName: "City", into: context)
                        city.setValue(code, forKey: "code")
                        city.setValue(number, forKey: "number")
                        city.setValue(country, forKey: "country")
                    }
                }
            }
        }
        for _ in 1...2 { for device in devices { try await device.store.sync() } }
        for device in devices {
            #expect(try countries(device) == ["DE the same", "FR the same", "IT the same"])
            #expect(try device.count("City") == 6)
            try device.read { context in
                let cities = try country("FR", context).value(forKey: "cities")
                #expect((cities as? Set<NSManagedObject>)?.count == 2)
            }
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
        #expect(try await RawClient(cloud).records().count == 9)
    }

    @Test("identifies the object that replaces one whose deletion waits")
    func replacedDestination() async throws {
        let (a, b) = (try device("a"), try device("b"))
        try a.edit { context in
            let country = NSEntityDescription.insertNewObject(
                forEntityName: "Country", into: context)
            country.setValue("DE", forKey: "code")
            let city = NSEntityDescription.insertNewObject(forEntityName: "City", into: context)
            city.setValue("DE", forKey: "code")
            city.setValue(country, forKey: "country")
        }
        try await Device.settle(a, b)
        try b.edit { try Device.all("City", in: $0).first?.setValue("Bonn", forKey: "name") }
        try await b.store.sync()
        try a.edit { context in
            for name in ["City", "Country"] {
                for object in try Device.all(name, in: context) { context.delete(object) }
            }
        }
        // The city comes back with the other device's values; its country does not.
        let fault = cloud.faults.add(
            .fail(.networkFailure), for: .kind(.modifyRecords), occurrences: .always)
        await #expect(throws: CKError.self) { try await a.store.sync() }
        cloud.faults.remove(fault)
        try a.add("Country", ["code": "DE"])
        #expect(try a.store.checkInvariants().isEmpty)
        try await Device.settle(a, b)
        for device in [a, b] {
            try device.read { context in
                let city = try #require(try Device.all("City", in: context).first)
                #expect(city.value(forKey: "name") as? String == "Bonn")
                #expect(city.value(forKeyPath: "country.code") as? String == "DE")
            }
            #expect(try device.store.checkInvariants().isEmpty)
        }
    }

    /// Policies, and the resulting name of a country that both devices created with different
    /// names.
    static let policies: [(SMSyncConflictResolutionPolicy, String)] = [
        (.serverRecordWins, "A"), (.clientRecordWins, "B"), (.keepBoth, "A"),
        (.mergeByProperty, "A"), (.mergeByPropertyClientWins, "B"),
    ]

    @Test(
        "leaves it to the policy which of two equal objects wins; both cannot be kept",
        arguments: policies)
    func createCreate(policy: SMSyncConflictResolutionPolicy, expected: String) async throws {
        let a = try device("a", policy)
        let b = try device("b", policy)
        try a.add("Country", ["code": "DE", "name": "A"])
        try b.add("Country", ["code": "DE", "name": "B"])
        for device in [a, b, a, b] { try await device.store.sync() }
        #expect(try countries(a) == ["DE \(expected)"])
        #expect(try countries(b) == ["DE \(expected)"])
    }

    @Test("under keepBoth merges what two devices changed")
    func keepBothMerges() async throws {
        let a = try device("a", .keepBoth)
        let b = try device("b", .keepBoth)
        try a.add("Country", ["code": "DE", "name": "old", "population": 1])
        for device in [a, b] { try await device.store.sync() }
        try a.edit { try country("DE", $0).setValue("new", forKey: "name") }
        try b.edit { try country("DE", $0).setValue(2, forKey: "population") }
        for device in [a, b, a] { try await device.store.sync() }
        for device in [a, b] {
            #expect(try countries(device) == ["DE new"])
            try device.read { context in
                let country = try country("DE", context)
                #expect(country.value(forKey: "population") as? Int == 2)
            }
        }
    }

    @Test("is the same whatever the values' encoding")
    func canonical() async throws {
        let a = try device("a")
        let b = try device("b")
        try a.add("Country", ["code": "R\u{E9}union"])
        try b.add("Country", ["code": "Re\u{301}union"])
        for device in [a, b] { try await device.store.sync() }
        #expect(try await RawClient(cloud).records().count == 1)
    }

    // MARK: - One device

    @Test("is refused to a second object, in one save and in a later one")
    func refused() throws {
        let device = try device("a")
        constraintError {
            try device.edit { context in
                for _ in 1...2 {
                    NSEntityDescription.insertNewObject(forEntityName: "Country", into: context)
                        .setValue("DE", forKey: "code")
                }
            }
        }
        try device.read { $0.rollback() }
        try device.add("Country", ["code": "DE"])
        constraintError { try device.add("Island", ["code": "DE"]) }
        try device.read { $0.rollback() }
        #expect(try device.count("Country") == 1)
    }

    @Test("is refused to an object that has its values in another form")
    func refusedForms() async throws {
        let device = try device("a")
        let (composed, decomposed) = ("R\u{E9}union", "Re\u{301}union")
        try device.add("Country", ["code": composed])
        constraintError { try device.add("Island", ["code": decomposed]) }
        try device.read { $0.rollback() }
        try device.add("Country", ["code": "DE"])
        constraintError {
            try device.edit { context in
                try country("DE", context).setValue(decomposed, forKey: "code")
            }
        }
        try device.read { $0.rollback() }
        try device.edit { context in
            try country(composed, context).setValue("RE", forKey: "code")
            NSEntityDescription.insertNewObject(forEntityName: "Country", into: context)
                .setValue(decomposed, forKey: "code")
        }
        #expect(try device.count("Country") == 3)
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().count == 3)
    }

    @Test("that is a date is the same within a millisecond, also where a record cannot hold it")
    func dates() async throws {
        let day = NSAttributeDescription("day", .dateAttributeType)
        let event = NSEntityDescription("Event", [day])
        event.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "day"]
        let device = try Device("a", on: cloud, model: NSManagedObjectModel(event))
        for (first, second) in [(1000.0001, 1000.0004), (1e300, 9.2e15), (-1e300, -1e200)] {
            func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
            try device.add("Event", ["day": date(first)])
            constraintError { try device.add("Event", ["day": date(second)]) }
            constraintError {
                try device.edit { context in
                    let request = NSBatchInsertRequest(
                        entityName: "Event", objects: [["day": date(second)]])
                    context.mergePolicy = NSMergePolicy.error
                    _ = try context.execute(request)
                }
            }
            try device.read { $0.rollback() }
        }
        try device.add("Event", ["day": Date(timeIntervalSinceReferenceDate: 1000.002)])
        #expect(try device.count("Event") == 4)
    }

    @Test("that is nil is not a key: such objects stay separate")
    func nilKey() async throws {
        let device = try device("a")
        for _ in 1...2 { try device.add("Country", ["name": "nameless"]) }
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().count == 2)
    }

    @Test(
        "keeps the record's name when its values change, and another object may have the old values"
    )
    func changed() async throws {
        let a = try device("a")
        let b = try device("b")
        try a.add("Country", ["code": "BU", "name": "Burma"])
        try await a.store.sync()
        let name = try await RawClient(cloud).records().first?.recordID.recordName
        try a.edit { try country("BU", $0).setValue("MM", forKey: "code") }
        try a.add("Country", ["code": "BU", "name": "Bulgaria?"])
        for device in [a, b] { try await device.store.sync() }
        #expect(try countries(b) == ["BU Bulgaria?", "MM Burma"])
        let records = try await RawClient(cloud).records()
        #expect(records.count == 2)
        let burma = records.first { record in
            let code: String? = record["code"]
            return code == "MM"
        }
        #expect(burma?.recordID.recordName == name)
    }

    /// When a deleted object is created again.
    enum Again: CaseIterable {
        case inTheSameSave, beforeTheDeletionIsSent, afterwards
    }

    @Test(
        "allows a deleted object to be created again, and the last intent wins",
        arguments: Again.allCases)
    func insertedAgain(when: Again) async throws {
        let a = try device("a")
        let b = try device("b")
        try a.add("Country", ["code": "DE", "name": "old", "population": 1])
        try a.add("Country", ["code": "FR"])
        try a.edit { context in
            try country("DE", context).setValue(
                NSSet(object: try country("FR", context)), forKey: "neighbors")
        }
        for device in [a, b] { try await device.store.sync() }
        try a.edit { context in
            context.delete(try country("DE", context))
            if when == .inTheSameSave { try insertAgain(context) }
        }
        if when == .afterwards { try await a.store.sync() }
        if when != .inTheSameSave { try a.edit(insertAgain) }
        for device in [a, b] { try await device.store.sync() }
        for device in [a, b] {
            #expect(try countries(device) == ["DE new", "FR -"])
            try device.read { context in
                let country = try country("DE", context)
                #expect(country.value(forKey: "population") == nil)
                #expect((country.value(forKey: "neighbors") as? Set<NSManagedObject>)?.count == 1)
            }
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    private func insertAgain(_ context: NSManagedObjectContext) throws {
        let country = NSEntityDescription.insertNewObject(forEntityName: "Country", into: context)
        country.setValue("DE", forKey: "code")
        country.setValue("new", forKey: "name")
        country.setValue(NSSet(object: try self.country("FR", context)), forKey: "neighbors")
    }

    @Test("identifies an object that others refer to before it arrives")
    func placeholder() async throws {
        let a = try device("a")
        let client = RawClient(cloud)
        try a.add("Country", ["code": "DE"])
        try await a.store.sync()
        let name = try #require(try await client.records().first).recordID.recordName
        let city = client.record("City", named: "city", ["code": "DE", "number": 1])
        city["country"] = client.reference(to: name)
        try await client.save(city)
        // Only the city arrives; the country has been deleted.
        try await client.delete(name)
        let b = try device("b")
        try await b.store.sync()
        try b.add("Country", ["code": "DE", "name": "made here"])
        try b.read { context in
            let city = try #require(try Device.all("City", in: context).first)
            context.refresh(city, mergeChanges: false)
            let country = city.value(forKey: "country") as? NSManagedObject
            #expect(country?.value(forKey: "name") as? String == "made here")
        }
        for device in [b, a] { try await device.store.sync() }
        #expect(try countries(a) == ["DE made here"])
    }

    @Test("names the records of batch insertions, too")
    func batchInsertion() async throws {
        let devices = [try device("a"), try device("b")]
        for device in devices {
            try device.edit { context in
                let rows: [[String: Any]] = ["DE", "FR"].map { ["code": $0] }
                _ = try context.execute(
                    NSBatchInsertRequest(entityName: "Country", objects: rows))
            }
        }
        for _ in 1...2 { for device in devices { try await device.store.sync() } }
        #expect(try await RawClient(cloud).records().count == 2)
        for device in devices { #expect(try device.count("Country") == 2) }
    }

    // MARK: - Models

    /// Properties that cannot be part of a natural key.
    static let unfit = ["nothing", "data", "number", "items", "local"]

    @Test("of unsuitable properties is refused with the model", arguments: unfit)
    func model(name: String) {
        let local = NSAttributeDescription("local", .stringAttributeType)
        local.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
        let item = NSEntityDescription(
            "Item",
            [
                local, NSAttributeDescription("data", .binaryDataAttributeType),
                NSAttributeDescription("number", .doubleAttributeType),
            ])
        item.userInfo = [SMStore.SMNaturalKeyUserInfoKey: name]
        NSRelationshipDescription.join((item, "item", 1), (item, "items", 0))
        let error = #expect(throws: SMStoreError.self) {
            try Device(on: cloud, model: NSManagedObjectModel(item))
        }
        let message = error?.description ?? ""
        #expect(
            message.contains("Item.\(name): it cannot be part of a natural key")
                || message.contains("Item: SMNaturalKey names “\(name)”, which is not an attribute"),
            "\(message)")
    }
}
