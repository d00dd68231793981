import CoreData
import LocalCloud
import Seam3
import Testing

extension Device {
    /// An object of the device's context.
    fileprivate func reference(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
        try read { $0.object(with: objectID) }
    }
}

@Suite("A batch update of a to-one relationship", .tags(.batchRequestsSync))
struct BatchRelationshipTests {
    let cloud = LocalCloud.inMemory()

    private func device(
        _ name: String = "device", model: NSManagedObjectModel = BatchModel.make()
    ) throws -> Device {
        try Device(name, on: cloud, model: model)
    }

    private func update(
        _ device: Device, _ entity: String, _ format: String? = nil,
        _ properties: [AnyHashable: Any]
    ) throws {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.propertiesToUpdate = properties
        _ = try device.execute(request, as: NSBatchUpdateResult.self)
    }

    /// The names of an entity's objects with those of their destinations.
    private func names(
        _ device: Device, _ entity: String, _ relationship: String
    ) throws -> [String: String] {
        let context = device.container.newBackgroundContext()
        return try context.performAndWait {
            try Device.all(entity, in: context).reduce(into: [:]) { names, object in
                let destination = object.value(forKey: relationship) as? NSManagedObject
                guard let name = object.value(forKey: "name") as? String else { return }
                names[name] = destination?.value(forKey: "name") as? String
            }
        }
    }

    @Test("takes an ID, an object, an expression of them, and nil", arguments: 0..<5)
    func values(form: Int) throws {
        let device = try device()
        let ada = try device.add("Author", ["name": "ada"])
        for name in ["a", "b"] { try device.add("Book", ["name": name]) }
        try device.add("Draft", ["name": "draft"])
        let object = try device.read { $0.object(with: ada) }
        let model = device.container.managedObjectModel
        let author = try #require(model.entitiesByName["Book"]?.relationshipsByName["author"])
        let properties: [AnyHashable: Any] =
            switch form {
            case 0: ["author": ada]
            case 1: [author: object]
            case 2: [author: NSExpression(forConstantValue: ada)]
            case 3: ["author": NSExpression(forConstantValue: object), "pages": 3]
            default: ["author": ada as Any?]
            }
        try update(device, "Book", "name != 'b'", properties)
        #expect(try names(device, "Book", "author") == ["a": "ada", "draft": "ada"])
        try device.read { context in
            context.refreshAllObjects()
            let books = object.value(forKey: "books") as? Set<NSManagedObject>
            #expect(books?.count == 2)
        }
        try update(
            device, "Book", "name == 'a'",
            [
                "author": form < 3
                    ? NSNull()
                    : NSExpression(
                        forConstantValue: nil)
            ])
        #expect(try names(device, "Book", "author") == ["draft": "ada"])
    }

    @Test("reaches another device with what it changed, and only that")
    func sync() async throws {
        let (a, b) = (try device("a"), try device("b"))
        let ada = try a.add("Author", ["name": "ada"])
        for name in ["a", "b"] { try a.add("Book", ["name": name, "author": a.reference(ada)]) }
        let eve = try a.add("Author", ["name": "eve"])
        try await Device.settle(a, b)
        try update(a, "Book", "name == 'a'", ["author": eve])
        try update(a, "Book", "name == 'b'", ["author": ada])
        #expect(try a.store.syncStatus().pendingChangeCount == 1)
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try names(device, "Book", "author") == ["a": "eve", "b": "ada"])
        }
        try update(b, "Book", nil, ["author": NSNull()])
        try await Device.settle(a, b)
        #expect(try names(a, "Book", "author").isEmpty)
    }

    @Test("takes a partner away from another object") func oneToOne() async throws {
        let model = BatchModel.make()
        model.entitiesByName["Passport"]?.relationshipsByName["owner"]?.isOptional = true
        let other = BatchModel.make()
        other.entitiesByName["Passport"]?.relationshipsByName["owner"]?.isOptional = true
        let (a, b) = (try device("a", model: model), try device("b", model: other))
        let passports = try ["p", "q"].map { try a.add("Passport", ["name": $0]) }
        for (name, passport) in zip(["ada", "eve"], passports) {
            try a.add("Author", ["name": name, "passport": a.reference(passport)])
        }
        try await Device.settle(a, b)
        try update(a, "Author", "name == 'eve'", ["passport": passports[0]])
        for device in [a, b] {
            #expect(try names(device, "Author", "passport") == ["eve": "p"])
            #expect(try names(device, "Passport", "owner") == ["p": "eve"])
            try await Device.settle(a, b)
        }
    }

    @Test("gives a partner that several objects are to have to one of them") func contested() throws
    {
        let model = BatchModel.make()
        model.entitiesByName["Passport"]?.relationshipsByName["owner"]?.isOptional = true
        let device = try device(model: model)
        let passport = try device.add("Passport", ["name": "p"])
        for name in ["ada", "eve"] { try device.add("Author", ["name": name]) }
        try update(device, "Author", nil, ["passport": passport])
        let owners = try names(device, "Author", "passport")
        #expect(owners.count == 1)
        #expect(try names(device, "Passport", "owner").values.first == owners.keys.first)
    }

    @Test("appends to an ordered inverse, on all devices") func ordered() async throws {
        func model() -> NSManagedObjectModel {
            let model = BatchModel.make()
            model.entitiesByName["Author"]?.relationshipsByName["books"]?.isOrdered = true
            return model
        }
        let (a, b) = (try device("a", model: model()), try device("b", model: model()))
        let (ada, eve) = (
            try a.add("Author", ["name": "ada"]), try a.add("Author", ["name": "eve"])
        )
        for name in ["1", "2", "3"] {
            try a.add("Book", ["name": name, "author": a.reference(ada)])
        }
        try a.add("Book", ["name": "0", "author": a.reference(eve)])
        try await Device.settle(a, b)
        try update(a, "Book", "name IN {'1', '3'}", ["author": eve])
        try await Device.settle(a, b)
        for device in [a, b] {
            let names = try device.read { context in
                let author = try Device.object("Author", "eve", in: context)
                context.refreshAllObjects()
                return (author.value(forKey: "books") as? NSOrderedSet)?.array.compactMap {
                    ($0 as? NSManagedObject)?.value(forKey: "name") as? String
                }
            }
            #expect(names == ["0", "1", "3"])
        }
    }

    @Test("is in the history") func history() throws {
        let device = try Device(
            on: cloud, model: BatchModel.make(),
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let ada = try device.add("Author", ["name": "ada"])
        let book = try device.add("Book", ["name": "a"])
        try update(device, "Book", nil, ["author": ada])
        let fetch = NSPersistentHistoryChangeRequest.fetchHistory(
            after: nil as NSPersistentHistoryToken?)
        let result = try device.execute(fetch, as: NSPersistentHistoryResult.self)
        let last = try #require((result.result as? [NSPersistentHistoryTransaction])?.last)
        let changes = last.changes ?? []
        let change = changes.first { $0.changedObjectID == book }
        #expect(change?.changeType == .update)
        #expect(change?.updatedProperties?.map(\.name) == ["author"])
        #expect(changes.contains { $0.changedObjectID == ada })
    }

    @Test("refuses what is no destination, and nil where one is required", arguments: 0..<5)
    func refusals(mistake: Int) throws {
        let device = try device()
        let (ada, book) = (
            try device.add("Author", ["name": "ada"]), try device.add("Book", ["name": "a"])
        )
        try device.add("Passport", ["name": "p", "owner": device.reference(ada)])
        let temporary = try device.read { context in
            NSManagedObject(
                entity: try #require(
                    device.container.managedObjectModel.entitiesByName["Author"]),
                insertInto: context
            ).objectID
        }
        #expect(throws: (any Error).self) {
            switch mistake {
            case 0: try update(device, "Book", nil, ["author": book])
            case 1: try update(device, "Book", nil, ["author": "ada"])
            case 2: try update(device, "Book", nil, ["author": temporary])
            case 3: try update(device, "Passport", nil, ["owner": NSNull()])
            default: try update(device, "Author", "name == 'ada'", ["passport": NSNull()])
            }
        }
        #expect(try names(device, "Book", "author").isEmpty)
        #expect(try names(device, "Passport", "owner") == ["p": "ada"])
    }
}
