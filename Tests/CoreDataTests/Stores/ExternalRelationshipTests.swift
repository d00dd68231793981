import CoreData
import Testing

@Suite struct ExternalRelationshipTests {
    let context: NSManagedObjectContext
    let stores: [NSPersistentStore]

    init() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        stores = try (0..<2).map { _ in
            try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        }
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
    }

    func insert(_ entity: String, into store: Int) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        context.assign(object, to: stores[store])
        return object
    }

    @Test("A relationship into another store is 133010, and names the object and the key")
    func refused() throws {
        let clock = insert("Clock", into: 0)
        let dial = insert("Dial", into: 1)
        clock.setValue(dial, forKey: "dial")
        let error = try #require(throws: CocoaError.self) { try context.save() }
        #expect(error.code == .managedObjectExternalRelationship)
        #expect(error.code.rawValue == NSManagedObjectExternalRelationshipError)
        let key = error.userInfo[NSValidationKeyErrorKey] as? String
        #expect(["dial", "clock"].contains(key))
        let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
        #expect(object === (key == "dial" ? clock : dial))
        #expect(context.hasChanges)
        clock.setValue(nil, forKey: "dial")
        try context.save()
    }

    @Test("So is one that is set later, between saved objects, and through a to-many")
    func later() throws {
        let clock = insert("Clock", into: 0)
        let tags = [insert("Tag", into: 0), insert("Tag", into: 1)]
        try context.save()
        clock.setValue(NSSet(array: tags), forKey: "tags")
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .managedObjectExternalRelationship)
        clock.setValue(NSSet(object: tags[0]), forKey: "tags")
        try context.save()
    }

    @Test("Within each store relationships work as ever")
    func allowed() throws {
        for store in 0..<2 {
            let clock = insert("Clock", into: store)
            clock.setValue(insert("Dial", into: store), forKey: "dial")
        }
        try context.save()
        #expect(!context.hasChanges)
    }
}
