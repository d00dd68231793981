import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// What Apple leaves open about CloudKit, with the other answer each time; see `CloudKitOptions` and
/// `LocalCloudOptions`.
@Suite("A sync with a CloudKit that behaves in another way") struct AlternativeCloudTests {
    /// Another behavior of CloudKit's client.
    enum Client: String, CaseIterable, Codable, Sendable {
        case atomicModificationsThrow, equalValuesAreNoChanges, savedRecordsAreCopies
        case emptyModificationsAreRefused, creatorsHaveNames, reservedKeysAreSent
        case canceledOperationsAreSilent, keysIncludeEncrypted, refusedTokensAreErrors
        case recordTypesAreRemembered

        func set(in options: inout CloudKitOptions) {
            switch self {
            case .atomicModificationsThrow: options.atomicModificationsThrow = true
            case .equalValuesAreNoChanges: options.equalValuesAreChanges = false
            case .savedRecordsAreCopies: options.savedRecordsAreUpdated = false
            case .emptyModificationsAreRefused: options.refusesEmptyModifications = true
            case .creatorsHaveNames: options.showsOwnUserAsDefaultOwner = false
            case .reservedKeysAreSent: options.reservedKeysAreExceptions = false
            case .canceledOperationsAreSilent: options.canceledOperationsAnswer = false
            case .keysIncludeEncrypted: options.recordKeysIncludeEncrypted = true
            case .refusedTokensAreErrors: options.refusedTokensAreExpired = false
            case .recordTypesAreRemembered: options.remembersRecordTypes = true
            }
        }
    }

    /// Another behavior of the service.
    enum Service: String, CaseIterable, Sendable {
        case deletingReferencesAreValidated, childrenTouchParents, referencesTouchTargets
        case emptyListsAreTaken, valuesNeedTypes, repeatedRecordsAreTaken
        case missingRecordsAreNotDeleted, queriesIgnoreCase, recordNamesAreNotQueryable
        case callersHaveNames, notificationsNeedInfo, queriesSearchOneZone
        case cascadesLeaveNoTombstones

        var options: LocalCloudOptions {
            var options = LocalCloudOptions()
            switch self {
            case .deletingReferencesAreValidated: options.validatesDeletingReferences = true
            case .childrenTouchParents: options.childSaveTouchesParent = true
            case .referencesTouchTargets: options.referenceSaveTouchesTarget = true
            case .emptyListsAreTaken: options.refusesEmptyListForNewField = false
            case .valuesNeedTypes: options.convertsValuesWithoutType = false
            case .repeatedRecordsAreTaken: options.allowsRepeatedRecords = true
            case .missingRecordsAreNotDeleted: options.deletingMissingRecordFails = true
            case .queriesIgnoreCase: options.queriesIgnoreCase = true
            case .recordNamesAreNotQueryable: options.recordNameIsQueryable = false
            case .callersHaveNames: options.showsCallerAsDefaultOwner = false
            case .notificationsNeedInfo: options.requiresNotificationInfo = true
            case .queriesSearchOneZone: options.queriesWithoutZoneSearchAllZones = false
            case .cascadesLeaveNoTombstones: options.cascadesLeaveTombstones = false
            }
            return options
        }
    }

    @Test("gives all devices the same data, whatever the client does", arguments: Client.allCases)
    func client(client: Client) async {
        // Records have the options of the process.
        await #expect(processExitsWith: .success) { [client = client as Client] in
            client.set(in: &CloudKitOptions.current)
            try await Self.syncDevices(on: LocalCloud.inMemory())
        }
    }

    @Test("gives all devices the same data, whatever the service does", arguments: Service.allCases)
    func service(service: Service) async throws {
        try await Self.syncDevices(on: LocalCloud.inMemory(options: service.options))
    }

    // MARK: - What is synced

    private static func model() -> NSManagedObjectModel {
        let secret = NSAttributeDescription("secret", .stringAttributeType)
        secret.allowsCloudEncryption = true
        let photo = NSAttributeDescription("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let person = NSEntityDescription(
            "Person",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("nick", .stringAttributeType),
                NSAttributeDescription("age", .integer64AttributeType), secret, photo,
            ])
        let pet = NSEntityDescription("Pet", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((person, "pets", 0), (pet, "owner", 1))
        NSRelationshipDescription.join((person, "likes", 0), (pet, "friends", 0))
        return NSManagedObjectModel(person, pet)
    }

    /// All values of all objects.
    private static func dump(_ device: Device) throws -> [String] {
        try device.read { context in
            let people = try Device.all("Person", in: context).map { person in
                let values = ["name", "nick", "age", "secret"].map { key in
                    person.value(forKey: key).map { "\($0)" } ?? "nil"
                }
                let size = (person.value(forKey: "photo") as? Data)?.count ?? 0
                return values.joined(separator: " ") + " \(size) \(names(person, "pets"))"
                    + " \(names(person, "likes"))"
            }
            let pets = try Device.all("Pet", in: context).map { pet in
                let owner = pet.value(forKeyPath: "owner.name") as? String ?? "nil"
                return "\(pet.value(forKey: "name") ?? "nil") of \(owner)"
            }
            return (people + pets).sorted()
        }
    }

    private static func names(_ object: NSManagedObject, _ relationship: String) -> [String] {
        let members = object.value(forKey: relationship) as? Set<NSManagedObject> ?? []
        return members.compactMap { $0.value(forKey: "name") as? String }.sorted()
    }

    private static func set(
        _ entity: String, _ name: String, on device: Device,
        _ values: [(key: String, value: Any?)]
    ) throws {
        try device.edit { context in
            let object = try Device.object(entity, name, in: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
        }
    }

    /// Edits objects on two devices in every way that has a record of its own, and expects that all devices agree.
    static func syncDevices(on cloud: LocalCloud) async throws {
        let phone = try Device(
            "phone", on: cloud, policy: .mergeByProperty, model: model(), path: .container)
        let tablet = try Device(
            "tablet", on: cloud, policy: .mergeByProperty, model: model(), path: .container)
        try phone.edit { context in
            func insert(_ entity: String, _ name: String) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(
                    forEntityName: entity, into: context)
                object.setValue(name, forKey: "name")
                return object
            }
            let (ann, ben) = (insert("Person", "ann"), insert("Person", "ben"))
            ann.setValue("secret", forKey: "secret")
            ann.setValue("a", forKey: "nick")
            ann.setValue(Data(count: 300_000), forKey: "photo")
            ben.setValue("b", forKey: "nick")
            let pets = ["cat", "dog", "eel"].map { insert("Pet", $0) }
            ann.setValue(NSSet(array: pets), forKey: "pets")
            ben.setValue(NSSet(array: Array(pets.prefix(2))), forKey: "likes")
        }
        try await Device.settle(phone, tablet)
        #expect(try dump(tablet) == dump(phone))
        // Values that go away and come, on both sides of a conflict, and one that is set again.
        try set(
            "Person", "ann", on: phone,
            [("nick", nil), ("age", 1), ("photo", Data(count: 200_000))])
        try set("Person", "ann", on: tablet, [("secret", nil), ("age", 2)])
        try set("Person", "ben", on: tablet, [("nick", "c")])
        try set("Person", "ben", on: tablet, [("nick", "b")])
        try set("Pet", "cat", on: phone, [("owner", nil)])
        try tablet.edit { context in
            context.delete(try Device.object("Pet", "dog", in: context))
            try Device.object("Person", "ben", in: context)
                .mutableSetValue(forKey: "likes").add(try Device.object("Pet", "eel", in: context))
        }
        // The answer to what the phone sends is lost, and its deletion is sent by both.
        try phone.edit { context in
            context.delete(try Device.object("Pet", "dog", in: context))
        }
        cloud.faults.add(
            .loseAnswer(), for: .kind(.modifyRecords, device: phone.cloudContainer.device))
        _ = try? await phone.store.sync()
        for _ in 1...2 { try await Device.settle(tablet, phone) }
        let fresh = try Device("fresh", on: cloud, model: model(), path: .container)
        try await fresh.store.sync()
        let age = try phone.read {
            try Device.object("Person", "ann", in: $0).value(forKey: "age") as? Int
        }
        #expect(age == 1 || age == 2)
        let expected = [
            "ann nil \(age ?? 0) nil 200000 [\"eel\"] []",
            "ben b nil nil 0 [] [\"cat\", \"eel\"]", "cat of nil", "eel of ann",
        ]
        for device in [phone, tablet, fresh] {
            #expect(try dump(device) == expected, "\(device.name)")
            #expect(try device.store.syncStatus().pendingChangeCount == 0, "\(device.name)")
        }
        // A token that the server does not take any longer, and a store that begins again.
        try await tablet.store.sync(complete: true)
        #expect(try dump(tablet) == expected)
    }
}
