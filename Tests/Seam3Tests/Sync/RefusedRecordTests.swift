import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Records of the server that the file cannot store, among others.
@Suite("A record that the file refuses stops only itself") struct RefusedRecordTests {
    let cloud = LocalCloud.inMemory()

    // MARK: - Two records for one pair

    private func libraryDevice(_ name: String) throws -> Device {
        try Device(name, on: cloud, model: LibraryModel.make())
    }

    /// A device with one object of each of two entities, and the names of their records.
    private func pair(
        _ source: String, _ target: String
    ) async throws -> (device: Device, client: RawClient, source: String, target: String) {
        let device = try libraryDevice("a")
        try device.add(source, ["name": "source"])
        try device.add(target, ["name": "target"])
        try await device.store.sync()
        let client = RawClient(cloud)
        func name(_ type: String, _ value: String) async throws -> String {
            let records = try await client.records(ofType: type)
            let record = records.first { record in
                let name: String? = record["name"]
                return name == value
            }
            return try #require(record).recordID.recordName
        }
        return (
            device, client, try await name(source, "source"), try await name(target, "target")
        )
    }

    private func expectOneLink(
        _ type: String, _ relationship: String, on devices: Device...
    ) async throws {
        let entity = String(type.split(separator: "_")[2])
        for device in devices {
            #expect(try device.members(entity, "source", relationship) == ["target"])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
            #expect(try device.store.checkInvariants() == [])
        }
        #expect(try await RawClient(cloud).records(ofType: type).count == 1)
    }

    /// Relationships, and the possible ends of the second record of a pair.
    static let links: [(String, String, String, isTurned: Bool)] = [
        ("Article", "tags", "Tag", false), ("Article", "readers", "Reader", false),
        ("Person", "friends", "Person", false), ("Person", "friends", "Person", true),
    ]

    @Test(
        "Two link records of one pair are one link, and the surplus record is deleted",
        arguments: links,
        [false, true])
    func twoLinks(
        _ link: (entity: String, name: String, target: String, isTurned: Bool), inTwoPages: Bool
    ) async throws {
        let (device, client, source, target) = try await pair(link.entity, link.target)
        let type = "SM_Link_\(link.entity)_\(link.name)"
        let ends = [(source, target), link.isTurned ? (target, source) : (source, target)]
        for (index, ends) in ends.enumerated() {
            try await client.save(
                client.record(
                    type, named: "link \(index)",
                    [
                        "source": client.reference(to: ends.0),
                        "target": client.reference(to: ends.1),
                    ]))
            if inTwoPages, index == 0 { try await device.store.sync() }
        }
        try device.add("Album", ["name": "own"])
        try await device.store.sync()
        let other = try libraryDevice("b")
        for device in [other, device] { try await device.store.sync() }
        #expect(try await client.records(ofType: "Album").count == 1)
        try await expectOneLink(type, link.name, on: device, other)
    }

    @Test(
        "A link record of a pair that is linked here is the same link", arguments: links,
        [false, true])
    func linkedHere(
        _ link: (entity: String, name: String, target: String, isTurned: Bool), isSent: Bool
    ) async throws {
        let (device, client, source, target) = try await pair(link.entity, link.target)
        let type = "SM_Link_\(link.entity)_\(link.name)"
        try device.setMembers(link.entity, "source", link.name, ["target"])
        if isSent { try await device.store.sync() }
        let ends = link.isTurned ? (target, source) : (source, target)
        try await client.save(
            client.record(
                type, named: "link",
                ["source": client.reference(to: ends.0), "target": client.reference(to: ends.1)]))
        try device.add("Album", ["name": "own"])
        try await device.store.sync()
        let other = try libraryDevice("b")
        for device in [other, device] { try await device.store.sync() }
        try await expectOneLink(type, link.name, on: device, other)
        // The link can be removed, whoever created it.
        try device.setMembers(link.entity, "source", link.name, [])
        try await Device.settle(device, other)
        #expect(try other.members(link.entity, "source", link.name) == [])
        #expect(try await client.records(ofType: type).isEmpty)
    }

    // MARK: - Values

    /// One entity with an attribute of each type, all required except the name.
    private static func valuesModel() -> NSManagedObjectModel {
        let types: [(String, NSAttributeType)] = [
            ("small", .integer16AttributeType), ("medium", .integer32AttributeType),
            ("large", .integer64AttributeType), ("flag", .booleanAttributeType),
            ("real", .doubleAttributeType), ("rough", .floatAttributeType),
            ("price", .decimalAttributeType), ("text", .stringAttributeType),
            ("date", .dateAttributeType), ("bytes", .binaryDataAttributeType),
            ("uuid", .UUIDAttributeType), ("uri", .URIAttributeType),
        ]
        let item = NSEntityDescription(
            "Item", [NSAttributeDescription("name", .stringAttributeType)])
        for (name, type) in types { item.properties += [NSAttributeDescription(name, type)] }
        let group = NSEntityDescription(
            "Group", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((item, "group", 1), (group, "items", 0))
        let base = NSEntityDescription(
            "Base", [NSAttributeDescription("name", .stringAttributeType)])
        base.isAbstract = true
        let leaf = NSEntityDescription("Leaf")
        base.subentities = [leaf]
        let required = NSAttributeDescription("required", .stringAttributeType)
        required.isOptional = false
        let strict = NSEntityDescription(
            "Strict", [NSAttributeDescription("name", .stringAttributeType), required])
        return NSManagedObjectModel(item, group, base, leaf, strict)
    }

    private static let fields = [
        "small", "medium", "large", "flag", "real", "rough", "price", "text", "date", "bytes",
        "uuid", "uri", "group",
    ]

    /// Values of the types that a CloudKit field can have.
    enum Value: String, CaseIterable {
        case text, number, hugeNumber, real, hugeReal, date, farDate, bytes, list, reference

        func set(_ field: String, in record: CKRecord, _ client: RawClient) {
            switch self {
            case .text: record[field] = "text"
            case .number: record[field] = 70_000
            case .hugeNumber: record[field] = Int64.min
            case .real: record[field] = 1.5
            case .hugeReal: record[field] = -Double.greatestFiniteMagnitude
            case .date: record[field] = Date(timeIntervalSince1970: 0)
            case .farDate: record[field] = Date(timeIntervalSinceReferenceDate: 1e15)
            case .bytes: record[field] = Data([0xff, 0])
            case .list: record[field] = ["a", "b"]
            case .reference: record[field] = client.reference(to: "somewhere")
            }
        }
    }

    /// Expects that a device applies the server's records except the hostile ones, sends its own
    /// changes, and continues with later changes.
    private func expectOthersGo(_ device: Device, _ client: RawClient) async throws {
        try await client.save(client.record("Item", named: "zz after", ["name": "after"]))
        try device.add("Item", ["name": "own"])
        _ = await device.attemptSync()
        try await client.save(client.record("Item", named: "zz later", ["name": "later"]))
        try device.add("Item", ["name": "own later"])
        _ = await device.attemptSync()
        let names = try device.read { context in
            Set(
                try Device.all("Item", in: context).compactMap {
                    $0.value(forKey: "name") as? String
                })
        }
        #expect(names.isSuperset(of: ["before", "after", "own", "later", "own later"]))
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        #expect(try device.store.checkInvariants() == [])
        #expect(await device.attemptSync() == nil)
    }

    private func startValues() async throws -> (Device, RawClient) {
        let device = try Device(on: cloud, model: Self.valuesModel())
        try await device.store.sync()
        let client = RawClient(cloud)
        try await client.save(client.record("Item", named: "aa before", ["name": "before"]))
        return (device, client)
    }

    @Test("A value of another type than the attribute's", arguments: Value.allCases)
    func otherType(value: Value) async throws {
        // A field has only one type in a container, so each value is tested with its own server.
        let (device, client) = try await startValues()
        for field in Self.fields {
            let record = client.record("Item", named: "hostile \(field)", ["name": "hostile"])
            value.set(field, in: record, client)
            try await client.save(record)
        }
        try await expectOthersGo(device, client)
    }

    @Test("A string that is no UUID, URI or decimal; one with a zero character")
    func texts() async throws {
        let (device, client) = try await startValues()
        for (index, text) in ["", "\u{0}", "a\u{0}b", "🧨", " ", "1e400", "nan"].enumerated() {
            for field in ["text", "uuid", "uri", "price_decimal"] {
                let record = client.record(
                    "Item", named: "hostile \(index) \(field)", ["name": "hostile"])
                record[field] = text
                if field == "price_decimal" { record["price"] = 1.5 }
                try await client.save(record)
            }
        }
        try await expectOthersGo(device, client)
    }

    /// Record types, in the model or not, whose records cannot become objects.
    static let types = ["Base", "Unknown", "SM_Link_Item_group", "sm_object"]

    @Test("A record of a type that has no objects", arguments: types)
    func type(_ type: String) async throws {
        let (device, client) = try await startValues()
        try await client.save(client.record(type, named: "hostile", ["name": "hostile"]))
        try await expectOthersGo(device, client)
    }

    @Test("A record without a required value")
    func required() async throws {
        let (device, client) = try await startValues()
        try await client.save(client.record("Strict", named: "hostile", ["name": "hostile"]))
        try await expectOthersGo(device, client)
    }

    @Test("A record that changes its type")
    func changedType() async throws {
        let (device, client) = try await startValues()
        try await client.save(client.record("Item", named: "changing", ["name": "changing"]))
        try await device.store.sync()
        try await client.delete("changing")
        try await client.save(client.record("Group", named: "changing", ["name": "changed"]))
        try await expectOthersGo(device, client)
        #expect(try device.count("Group") == 1)
    }
}
