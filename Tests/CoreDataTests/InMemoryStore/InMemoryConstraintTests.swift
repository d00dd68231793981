import CoreData
import Testing

@Suite("Uniqueness constraints in an in-memory store")
struct InMemoryConstraintTests {
    let context: NSManagedObjectContext

    init() throws {
        let person = NSEntityDescription()
        person.name = "Person"
        person.properties = [
            TestModel.attribute("mail", .stringAttributeType),
            TestModel.attribute("name", .stringAttributeType),
        ]
        person.uniquenessConstraints = [["mail"]]
        let author = NSEntityDescription()
        author.name = "Author"
        person.subentities = [author]
        let model = NSManagedObjectModel()
        model.entities = [person, author]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    @discardableResult
    private func insert(_ mail: String?, _ name: String, _ entity: String = "Person")
        -> NSManagedObject
    {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(mail, forKey: "mail")
        object.setValue(name, forKey: "name")
        return object
    }

    private func names() throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        return try context.fetch(request)
            .compactMap { $0.value(forKey: "name") as? String }.sorted()
    }

    @Test(
        "A save that violates a constraint fails, against a saved object or a new one",
        arguments: ["Person", "Author"], [true, false])
    func error(entity: String, savesFirst: Bool) throws {
        let first = insert("a", "old")
        if savesFirst { try context.save() }
        let second = insert("a", "new", entity)
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .managedObjectConstraintMerge)
        let conflicts =
            error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        #expect(conflicts?.count == 1)
        #expect(conflicts?.first?.databaseObject === (savesFirst ? first : nil))
        #expect(conflicts?.first?.constraint == ["mail"])
        #expect(conflicts?.first?.conflictingObjects.contains(second) == true)
    }

    @Test("Under the policy that the object wins, one object with the new values is left")
    func objectTrump() throws {
        insert("a", "old")
        try context.save()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        insert("a", "new")
        try context.save()
        #expect(try names() == ["new"])
        insert("a", "newest")
        try context.save()
        #expect(try names() == ["newest"])
    }

    @Test("Values are free again after a change, a deletion or an exchange")
    func freed() throws {
        let (first, second) = (insert("a", "1"), insert("b", "2"))
        try context.save()
        first.setValue("b", forKey: "mail")
        second.setValue("a", forKey: "mail")
        try context.save()
        first.setValue("c", forKey: "mail")
        try context.save()
        insert("b", "3")
        try context.save()
        context.delete(second)
        insert("a", "4")
        try context.save()
        #expect(try names() == ["1", "3", "4"])
    }

    @Test("Nil equals nothing, and a refused save leaves the values free")
    func nilAndRefusal() throws {
        insert(nil, "1")
        insert(nil, "2")
        try context.save()
        let taken = insert("a", "3")
        let other = insert("a", "4")
        #expect(throws: CocoaError.self) { try context.save() }
        context.delete(taken)
        try context.save()
        other.setValue("b", forKey: "mail")
        insert("a", "5")
        try context.save()
        #expect(try names() == ["1", "2", "4", "5"])
    }
}
