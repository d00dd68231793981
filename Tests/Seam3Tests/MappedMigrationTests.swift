import CoreData
import LocalCloud
import Seam3
import Testing

/// Turns each person into one with two names, a person named "twin" into two, and drops one named
/// "drop".
final class NameSplittingPolicy: NSEntityMigrationPolicy {
    struct Failure: Error {}

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        let nick = sInstance.value(forKey: "nick") as? String
        if nick == "fail" { throw Failure() }
        if nick == "drop" { return }
        let name = sInstance.value(forKey: "name") as? String ?? ""
        let parts = name.components(separatedBy: " ")
        for suffix in nick == "twin" ? ["", "'"] : [""] {
            let person = NSEntityDescription.insertNewObject(
                forEntityName: "Person", into: manager.destinationContext)
            person.setValue(parts[0] + suffix, forKey: "first")
            person.setValue(parts.last, forKey: "last")
            person.setValue(nick, forKey: "nick")
            manager.associate(
                sourceInstance: sInstance, withDestinationInstance: person, for: mapping)
        }
    }
}

/// Combines a team's name and its city into one name.
final class NameMergingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        let team = NSEntityDescription.insertNewObject(
            forEntityName: "Team", into: manager.destinationContext)
        let parts = ["name", "city"].compactMap { sInstance.value(forKey: $0) as? String }
        team.setValue(parts.joined(separator: ", "), forKey: "name")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: team, for: mapping)
    }
}

@Suite("A file that a mapping model migrates") struct MappedMigrationTests {
    let cloud = LocalCloud.inMemory()

    private static func model(person: [String], team: [String]) -> NSManagedObjectModel {
        let entities = [("Person", person), ("Team", team), ("Tag", ["name"])].map {
            NSEntityDescription(
                $0.0, $0.1.map { NSAttributeDescription($0, .stringAttributeType) })
        }
        NSRelationshipDescription.join(
            (entities[0], "team", 1), (entities[1], "members", 0))
        entities[1].relationshipsByName["members"]?.isOrdered = true
        NSRelationshipDescription.join((entities[0], "tags", 0), (entities[2], "people", 0))
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private static func first() -> NSManagedObjectModel {
        model(person: ["name", "nick"], team: ["name", "city"])
    }

    private static func second() -> NSManagedObjectModel {
        model(person: ["first", "last", "nick"], team: ["name"])
    }

    private func mappings() throws -> NSMappingModel {
        let model = try NSMappingModel.inferredMappingModel(
            forSourceModel: Self.first(), destinationModel: Self.second())
        for mapping in model.entityMappings {
            switch mapping.destinationEntityName {
            case "Person": mapping.entityMigrationPolicyClassName = "NameSplittingPolicy"
            case "Team": mapping.entityMigrationPolicyClassName = "NameMergingPolicy"
            default: break
            }
        }
        return model
    }

    // MARK: - Devices

    private func device(_ name: String) throws -> Device {
        try Device(name, on: cloud, model: Self.first())
    }

    private func add(_ person: String, _ nick: String?, to device: Device) throws {
        try device.edit { context in
            let object = NSEntityDescription.insertNewObject(
                forEntityName: "Person", into: context)
            object.setValue(person, forKey: "name")
            object.setValue(nick, forKey: "nick")
            let team = try Device.object("Team", "Analysts", in: context)
            object.setValue(team, forKey: "team")
            let tags = NSSet(array: try Device.all("Tag", in: context))
            object.setValue(tags, forKey: "tags")
        }
    }

    /// A device with a team, two tags and three persons.
    private func filled(_ name: String = "a") throws -> Device {
        let device = try device(name)
        try device.add("Team", ["name": "Analysts", "city": "London"])
        try device.addAll("Tag", "red", "blue")
        for person in ["Grace Hopper", "Ada Lovelace", "Alan Turing"] {
            try add(person, nil, to: device)
        }
        return device
    }

    private func url(_ device: Device, _ name: String = "Clocks.sqlite") -> URL {
        device.directory.appendingPathComponent(name)
    }

    private func close(_ device: Device) throws {
        let coordinator = device.container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Migrates the file of a device to another one.
    private func migrate(
        _ device: Device, to destination: NSManagedObjectModel = Self.second()
    ) throws {
        try close(device)
        try NSMigrationManager(sourceModel: Self.first(), destinationModel: destination)
            .migrateStore(
                from: url(device), sourceType: SMStore.type, with: mappings(),
                toDestinationURL: url(device, "New.sqlite"), destinationType: SMStore.type)
    }

    /// Migrates the file of a device, replaces it with the new one, and opens it.
    private func update(_ device: Device) throws {
        try migrate(device)
        for suffix in ["", "-wal", "-shm"] {
            let old = url(device, "Clocks.sqlite" + suffix)
            if FileManager.default.fileExists(atPath: old.path) {
                try FileManager.default.removeItem(at: old)
            }
        }
        try FileManager.default.moveItem(at: url(device, "New.sqlite"), to: url(device))
        try device.open(model: Self.second())
    }

    private func text(_ object: Any?, _ key: String) -> String {
        (object as? NSManagedObject)?.value(forKey: key) as? String ?? "-"
    }

    /// All persons and teams, with their relationships, in the new model.
    private func lines(_ device: Device) throws -> [String] {
        try device.read { context in
            let persons = try Device.all("Person", in: context).map { person in
                let tags = person.value(forKey: "tags") as? Set<NSManagedObject> ?? []
                return "\(text(person, "first")) \(text(person, "last"))"
                    + " \(text(person.value(forKey: "team"), "name"))"
                    + " \(tags.map { text($0, "name") }.sorted())"
            }
            let teams = try Device.all("Team", in: context).map { team in
                let members = (team.value(forKey: "members") as? NSOrderedSet)?.array ?? []
                return "\(text(team, "name")) \(members.map { text($0, "first") })"
            }
            let tags = try Device.all("Tag", in: context).map { text($0, "name") }
            return (persons + teams + tags).sorted()
        }
    }

    private func pending(_ device: Device) throws -> Int {
        try device.store.syncStatus().pendingChangeCount
    }

    private static let whole = [
        "Ada Lovelace Analysts, London [\"blue\", \"red\"]",
        "Alan Turing Analysts, London [\"blue\", \"red\"]",
        "Analysts, London [\"Grace\", \"Ada\", \"Alan\"]",
        "Grace Hopper Analysts, London [\"blue\", \"red\"]", "blue", "red",
    ]

    /// Expects that the devices and a new one have the same data, and that no changes wait.
    private func expectSame(_ devices: Device..., as expected: [String]) async throws {
        let fresh = try Device("fresh", on: cloud, model: Self.second())
        try await fresh.store.sync()
        for device in devices + [fresh] {
            let found = try lines(device)
            #expect(found == expected, "\(device.name) has \(found)")
            #expect(try pending(device) == 0)
            #expect(try device.store.checkInvariants().isEmpty)
        }
    }

    // MARK: - Tests

    @Test("keeps its records: only what the mapping changed is sent")
    func keepsRecords() async throws {
        let device = try filled()
        try await device.store.sync()
        try update(device)
        #expect(try lines(device) == Self.whole)
        #expect(try pending(device) == 4)
        try await device.store.sync()
        try await expectSame(device, as: Self.whole)
    }

    @Test("and another that is migrated separately contain the same objects")
    func twoDevices() async throws {
        let (a, b) = (try filled(), try device("b"))
        try await Device.settle(a, b)
        try update(a)
        try update(b)
        try await Device.settle(a, b)
        try await expectSame(a, b, as: Self.whole)
    }

    @Test("keeps what waited to be sent: insertions, updates, deletions and links")
    func keepsOutbox() async throws {
        let (a, b) = (try filled(), try device("b"))
        try await Device.settle(a, b)
        try add("Edsger Dijkstra", nil, to: a)
        try a.edit { context in
            let ada = try Device.object("Person", "Ada Lovelace", in: context)
            ada.setValue("countess", forKey: "nick")
            ada.setValue(NSSet(), forKey: "tags")
            context.delete(try Device.object("Person", "Alan Turing", in: context))
        }
        try update(a)
        try update(b)
        try await Device.settle(a, b)
        try await expectSame(
            a, b,
            as: [
                "Ada Lovelace Analysts, London []",
                "Analysts, London [\"Grace\", \"Ada\", \"Edsger\"]",
                "Edsger Dijkstra Analysts, London [\"blue\", \"red\"]",
                "Grace Hopper Analysts, London [\"blue\", \"red\"]", "blue", "red",
            ])
        let nick = try b.read { context in
            try Device.all("Person", in: context).map { text($0, "nick") }.sorted()
        }
        #expect(nick == ["-", "-", "countess"])
    }

    @Test("that was never synced is sent completely")
    func neverSynced() async throws {
        let device = try filled()
        try update(device)
        try await device.store.sync()
        try await expectSame(device, as: Self.whole)
    }

    @Test("deletes on the server what the mapping leaves out")
    func dropped() async throws {
        let (a, old) = (try filled(), try device("old"))
        try add("Charles Babbage", "drop", to: a)
        try await Device.settle(a, old)
        #expect(try old.count("Person") == 4)
        try update(a)
        try await Device.settle(a, old)
        #expect(try old.count("Person") == 3)
        try await expectSame(a, as: Self.whole)
    }

    @Test("gives the records of divided objects the same names on all devices")
    func divided() async throws {
        let (a, b) = (try filled(), try device("b"))
        try add("Jean Bartik", "twin", to: a)
        try await Device.settle(a, b)
        try update(a)
        try update(b)
        try await Device.settle(a, b)
        #expect(try a.count("Person") == 5)
        let expected = try lines(a)
        #expect(expected.contains("Jean' Bartik Analysts, London [\"blue\", \"red\"]"))
        try await expectSame(a, b, as: expected)
    }

    @Test("is unchanged if a policy fails, and no other file is left")
    func failingPolicy() async throws {
        let device = try filled()
        try await device.store.sync()
        try add("Charles Babbage", "fail", to: device)
        #expect(throws: NameSplittingPolicy.Failure.self) { try migrate(device) }
        #expect(!FileManager.default.fileExists(atPath: url(device, "New.sqlite").path))
        try device.open(model: Self.first())
        #expect(try device.count("Person") == 4)
        try await device.store.sync()
        #expect(try pending(device) == 0)
    }

    /// Migrates to a model whose tags have a date as their name, in another file.
    private func migrateToDates(_ device: Device) throws -> NSManagedObjectModel {
        let destination = Self.second()
        destination.entitiesByName["Tag"]?.attributesByName["name"]?.attributeType =
            .dateAttributeType
        let mappings = try mappings()
        for mapping in mappings.entityMappings where mapping.destinationEntityName == "Tag" {
            mapping.attributeMappings = []
        }
        try close(device)
        try NSMigrationManager(sourceModel: Self.first(), destinationModel: destination)
            .migrateStore(
                from: url(device), sourceType: SMStore.type, with: mappings,
                toDestinationURL: url(device, "New.sqlite"), destinationType: SMStore.type)
        return destination
    }

    @Test("is refused if the type of a CloudKit field would have to change")
    func otherFieldType() async throws {
        let device = try filled()
        try await device.store.sync()
        let error = #expect(throws: CocoaError.self) { try migrateToDates(device) }
        #expect(error?.code == .migration)
        #expect((error?.userInfo["reason"] as? String)?.contains("Tag.name") == true)
        #expect(!FileManager.default.fileExists(atPath: url(device, "New.sqlite").path))
        try device.open(model: Self.first())
        #expect(try device.count("Tag") == 2)
    }

    @Test("may change the type of a field as long as nothing of its entity was sent")
    func otherFieldTypeOfUnsent() async throws {
        let device = try filled()
        let destination = try migrateToDates(device)
        try FileManager.default.removeItem(at: url(device))
        try FileManager.default.moveItem(at: url(device, "New.sqlite"), to: url(device))
        try device.open(model: destination)
        try device.edit { context in
            for tag in try Device.all("Tag", in: context) {
                tag.setValue(Date(timeIntervalSince1970: 0), forKey: "name")
            }
        }
        try await device.store.sync()
        #expect(try pending(device) == 0)
        let tags = try await RawClient(cloud).records(ofType: "Tag")
        #expect(
            tags.map { $0["name"] as? Date } == [
                Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 0),
            ])
    }

    @Test("is left to Core Data if it is opened without inferring a mapping")
    func withoutInference() throws {
        let device = try filled()
        try close(device)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.second())
        let error = #expect(throws: CocoaError.self) {
            try coordinator.addPersistentStore(
                ofType: SMStore.type, configurationName: nil, at: url(device),
                options: [NSMigratePersistentStoresAutomaticallyOption: true])
        }
        // No bundle has the model of the file.
        #expect(error?.code == .migrationMissingSourceModel)
        try device.open(model: Self.first())
        #expect(try device.count("Person") == 3)
    }
}
