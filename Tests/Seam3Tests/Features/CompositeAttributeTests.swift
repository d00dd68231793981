import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A composite attribute") struct CompositeAttributeTests {
    let cloud = LocalCloud.inMemory()

    private static func model(isNew: Bool = false) -> NSManagedObjectModel {
        let point = NSAttributeDescription.composite(
            "point",
            ["x", "y"].map { NSAttributeDescription($0, .doubleAttributeType) })
        let address = NSAttributeDescription.composite(
            "address",
            [
                NSAttributeDescription("city", .stringAttributeType),
                isNew
                    ? NSAttributeDescription("street", .stringAttributeType)
                    : NSAttributeDescription("since", .dateAttributeType),
                point,
            ])
        return NSManagedObjectModel(
            NSEntityDescription(
                "Person", [NSAttributeDescription("name", .stringAttributeType), address]))
    }

    private func device(_ name: String = "device") throws -> Device {
        try Device(name, on: cloud, model: Self.model())
    }

    private static let home: [String: Any] = [
        "city": "Rome", "since": Date(timeIntervalSinceReferenceDate: 5),
        "point": ["x": 1.5, "y": -2.5],
    ]

    private func address(_ device: Device) throws -> NSDictionary? {
        try device.values("address", of: "Person", as: [String: Any].self)["p"]
            .map { NSDictionary(dictionary: $0) }
    }

    @Test("is kept, element by element") func roundTrip() throws {
        let device = try device()
        try device.add("Person", ["name": "p", "address": Self.home])
        try device.relaunch(model: Self.model())
        #expect(try address(device) == NSDictionary(dictionary: Self.home))
        try device.edit { context in
            try Device.object("Person", "p", in: context).setValue(nil, forKey: "address")
        }
        #expect(try address(device) == nil)
    }

    @Test("keeps the elements that a newer model still has, and gets new ones as nil")
    func migration() async throws {
        let device = try device()
        try device.add("Person", ["name": "p", "address": Self.home])
        try await device.store.sync()
        try device.relaunch(model: Self.model(isNew: true))
        let kept: NSDictionary = ["city": "Rome", "point": ["x": 1.5, "y": -2.5]]
        #expect(try address(device) == kept)
        try await device.store.sync()
        #expect(try address(device) == kept)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("is fetched and sorted by its elements' key paths") func fetch() throws {
        let device = try device()
        try device.add("Person", ["name": "p", "address": Self.home])
        try device.add("Person", ["name": "q", "address": ["point": ["x": 1]]])
        try device.read { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "address.point.x", ascending: true)]
            let names = try context.fetch(request).map { $0.value(forKey: "name") as? String }
            #expect(names == ["q", "p"])
            for (format, count) in [
                ("address.city == 'Rome'", 1), ("address.point.x < 2", 2),
                ("address.city == nil", 1),
            ] {
                request.predicate = NSPredicate(format: format)
                #expect(try context.count(for: request) == count, "\(format)")
            }
        }
    }

    @Test("is sent as one field for each element, and only changed elements are sent")
    func sync() async throws {
        let (a, b) = (try device("a"), try device("b"))
        try a.add("Person", ["name": "p", "address": Self.home])
        try await Device.settle(a, b)
        #expect(try address(b) == NSDictionary(dictionary: Self.home))
        let record = try #require(try await RawClient(cloud).records().first)
        #expect(
            Set(record.valueKeys)
                == ["name", "address_city", "address_since", "address_point_x", "address_point_y"])
        var moved = Self.home
        moved["city"] = "Oslo"
        try b.edit { context in
            try Device.object("Person", "p", in: context).setValue(moved, forKey: "address")
        }
        try await Device.settle(b, a)
        #expect(try address(a) == NSDictionary(dictionary: moved))
    }

    @Test("survives a migration") func migration() throws {
        let device = try device()
        try device.add("Person", ["name": "p", "address": Self.home])
        let model = Self.model()
        model.entitiesByName["Person"]?.properties.append(
            NSAttributeDescription("note", .stringAttributeType))
        try device.relaunch(model: model)
        #expect(try address(device) == NSDictionary(dictionary: Self.home))
    }

    @Test("is set by batch requests") func batch() throws {
        let device = try device()
        _ = try device.execute(
            NSBatchInsertRequest(
                entityName: "Person", objects: [["name": "p", "address": Self.home]]),
            as: NSBatchInsertResult.self)
        let update = NSBatchUpdateRequest(entityName: "Person")
        update.propertiesToUpdate = ["address.city": "Oslo"]
        _ = try device.execute(update, as: NSBatchUpdateResult.self)
        #expect(try address(device)?["city"] as? String == "Oslo")
        update.propertiesToUpdate = ["address": ["city": "Bern"]]
        _ = try device.execute(update, as: NSBatchUpdateResult.self)
        #expect(try address(device) == NSDictionary(dictionary: ["city": "Bern"]))
    }

    private static let constraints = [
        ["address"], ["address.city"], ["address.point.x", "name"], ["address.point"],
    ]

    @Test(
        "may be part of a uniqueness constraint, as a whole or by an element",
        arguments: constraints.indices)
    func constraint(number: Int) throws {
        let model = Self.model()
        model.entities[0].uniquenessConstraints = [Self.constraints[number]]
        let device = try Device("device", on: cloud, model: model)
        try device.add("Person", ["name": "p", "address": Self.home])
        try device.read { context in
            let other = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            other.setValuesForKeys(["name": "p", "address": Self.home])
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .managedObjectConstraintMerge)
            var changed = Self.home
            changed["city"] = "Oslo"
            changed["point"] = ["x": 2, "y": -2.5]
            other.setValue(changed, forKey: "address")
            try context.save()
            other.setValue(Self.home, forKey: "address")
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
        }
        #expect(try device.count("Person") == 1)
    }

    /// What is wrong with a composite attribute.
    private static let mistakes:
        [(
            change: @Sendable (NSEntityDescription, [NSAttributeDescription]) -> Void,
            reason: String
        )] = [
            (
                { $1[0].userInfo = [SMStore.SMSyncedUserInfoKey: "NO"] },
                "Note.place.x: SMSynced has no effect on x"
            ),
            (
                { $1[0].userInfo = [SMStore.SMFieldNameUserInfoKey: "z"] },
                "Note.place.x: SMFieldName has no effect on x"
            ),
            (
                { $1[0].name = "größe" },
                "Note.place.größe: CloudKit does not accept place_größe as a field"
            ),
            (
                { $1[0].renamingIdentifier = "y" },
                "Note.place.y: place.x needs the field place_y, too"
            ),
            (
                { entity, _ in entity.uniquenessConstraints = [["place.z"]] },
                "Note.place.z: it cannot be part of a uniqueness constraint"
            ),
        ]

    @Test(
        "is refused with the path of the element if the store cannot do what the model says",
        arguments: mistakes.indices)
    func mistake(number: Int) {
        let elements = ["x", "y"].map { NSAttributeDescription($0, .stringAttributeType) }
        let entity = NSEntityDescription(
            "Note", [NSAttributeDescription.composite("place", elements)])
        Self.mistakes[number].change(entity, elements)
        let error = #expect(throws: SMStoreError.self) {
            try Device("device", on: cloud, model: NSManagedObjectModel(entity))
        }
        #expect(error?.description.contains(Self.mistakes[number].reason) == true)
    }
}
