import CoreData
import Testing

/// A model of people with unique mail addresses.
private enum PeopleModel {
    static func make() -> NSManagedObjectModel {
        let person = NSEntityDescription()
        person.name = "Person"
        person.properties = [
            TestModel.attribute("mail", .stringAttributeType),
            TestModel.attribute("name", .stringAttributeType),
            TestModel.attribute("age", .integer64AttributeType, default: 0),
        ]
        person.uniquenessConstraints = [["mail"]]
        let pet = NSEntityDescription()
        pet.name = "Pet"
        pet.properties = [TestModel.attribute("name", .stringAttributeType)]
        TestModel.relate(
            person, "pets", toMany: true, rule: .cascadeDeleteRule, to: pet, inverse: "owner")
        TestModel.relate(person, "friend", to: person, inverse: "friendOf", inverseToMany: true)
        let badge = NSEntityDescription()
        badge.name = "Badge"
        let holder = NSRelationshipDescription()
        holder.name = "holder"
        holder.destinationEntity = person
        badge.properties = [holder]
        let model = NSManagedObjectModel()
        model.entities = [person, pet, badge]
        return model
    }
}

@Suite struct ConstraintConflictTests {
    let folder: TemporaryDirectory
    let context: NSManagedObjectContext
    /// A saved person with the mail "a", the name "old", the age 30, one pet "Rex", and a friend.
    let saved: NSManagedObject
    let friend: NSManagedObject

    init() throws {
        _ = PropertyListStore.register
        folder = try TemporaryDirectory()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PeopleModel.make())
        try coordinator.addPersistentStore(
            ofType: PropertyListStore.storeType, configurationName: nil,
            at: folder.url.appendingPathComponent("people.plist"))
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        saved = Self.insert("Person", ["mail": "a", "name": "old", "age": 30], into: context)
        friend = Self.insert("Person", ["mail": "friend", "name": "Fred"], into: context)
        saved.setValue(friend, forKey: "friend")
        Self.insert("Pet", ["name": "Rex"], into: context).setValue(saved, forKey: "owner")
        try context.save()
    }

    @discardableResult
    private static func insert(
        _ entity: String, _ values: [String: Any], into context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    private func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        Self.insert(entity, values, into: context)
    }

    /// A new person with the mail "a", the name "new", a pet "Tom", and no friend.
    private func insertTwin() -> NSManagedObject {
        let twin = insert("Person", ["mail": "a", "name": "new"])
        insert("Pet", ["name": "Tom"]).setValue(twin, forKey: "owner")
        return twin
    }

    private func people() throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
    }

    private func petNames(of person: NSManagedObject) -> [String] {
        let pets = person.value(forKey: "pets") as? Set<NSManagedObject> ?? []
        return pets.compactMap { $0.value(forKey: "name") as? String }.sorted()
    }

    private func count(_ entity: String) throws -> Int {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }

    @Test("The default policy fails with 133021 and a conflict, and keeps the changes")
    func error() throws {
        let twin = insertTwin()
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .managedObjectConstraintMerge)
        let conflicts =
            error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        let conflict = try #require(conflicts?.first)
        #expect(conflicts?.count == 1)
        #expect(conflict.databaseObject === saved)
        #expect(conflict.conflictingObjects.first === twin)
        #expect(conflict.constraint == ["mail"])
        #expect(conflict.constraintValues["mail"] as? String == "a")
        #expect(twin.isInserted)
        #expect(twin.value(forKey: "name") as? String == "new")
    }

    @Test(
        "Each policy keeps the saved object, with its mix of values, and drops the new one",
        arguments: [
            (
                NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, "new", 0, false,
                ["Rex", "Tom"]
            ),
            (.mergeByPropertyStoreTrumpMergePolicyType, "old", 30, true, ["Rex", "Tom"]),
            (.overwriteMergePolicyType, "new", 0, false, ["Tom"]),
            (.rollbackMergePolicyType, "old", 30, true, ["Rex"]),
        ])
    func inserted(
        type: NSMergePolicyType, name: String, age: Int, hasFriend: Bool, pets: [String]
    ) throws {
        let twin = insertTwin()
        context.mergePolicy = NSMergePolicy(merge: type)
        try context.save()
        #expect(twin.managedObjectContext == nil)
        context.reset()
        let survivor = try #require(
            try people().first { $0.value(forKey: "mail") as? String == "a" })
        #expect(try people().count == 2)
        #expect(survivor.objectID == saved.objectID)
        #expect(survivor.value(forKey: "name") as? String == name)
        #expect(survivor.value(forKey: "age") as? Int == age)
        #expect((survivor.value(forKey: "friend") != nil) == hasFriend)
        #expect(petNames(of: survivor) == pets)
    }

    @Test("A rollback deletes the new object by its delete rules")
    func rollbackCascades() throws {
        _ = insertTwin()
        context.mergePolicy = NSMergePolicy.rollback
        try context.save()
        #expect(try count("Pet") == 1)
        #expect(!context.hasChanges)
    }

    @Test("Relationships without an inverse lead to the remaining object")
    func oneWay() throws {
        let badge = insert("Badge", [:])
        badge.setValue(insertTwin(), forKey: "holder")
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.save()
        #expect(badge.value(forKey: "holder") as? NSManagedObject === saved)
    }

    @Test("An object that is its own friend remains so after the merge")
    func selfReference() throws {
        let twin = insertTwin()
        twin.setValue(twin, forKey: "friend")
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.save()
        #expect(saved.value(forKey: "friend") as? NSManagedObject === saved)
    }

    @Test(
        "A saved object that is changed to another's values",
        arguments: [
            (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, ["a": "Freda"]),
            (.mergeByPropertyStoreTrumpMergePolicyType, ["a": "old", "friend": "Freda"]),
            (.overwriteMergePolicyType, ["a": "Freda"]),
            (.rollbackMergePolicyType, ["a": "old", "friend": "Fred"]),
        ])
    func updated(type: NSMergePolicyType, expected: [String: String]) throws {
        friend.setValue("a", forKey: "mail")
        friend.setValue("Freda", forKey: "name")
        context.mergePolicy = NSMergePolicy(merge: type)
        try context.save()
        context.reset()
        let names = try people().map { person in
            (
                person.value(forKey: "mail") as? String ?? "",
                person.value(forKey: "name") as? String ?? ""
            )
        }
        #expect(Dictionary(names) { first, _ in first + "!" } == expected)
    }

    @Test("If a changed object wins by property, it gets the pets of the one it replaces")
    func updatedUnion() throws {
        friend.setValue("a", forKey: "mail")
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.save()
        #expect(petNames(of: friend) == ["Rex"])
        #expect(try count("Pet") == 1)
    }

    @Test(
        "Of new objects with the same values one remains, with the values that the policy chooses",
        arguments: [
            (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, "second"),
            (.mergeByPropertyStoreTrumpMergePolicyType, "first"),
            (.overwriteMergePolicyType, "second"), (.rollbackMergePolicyType, "first"),
        ])
    func amongInserted(type: NSMergePolicyType, name: String) throws {
        let first = insert("Person", ["mail": "b", "name": "first"])
        // The store reports them in the order of their permanent IDs.
        try context.obtainPermanentIDs(for: [first])
        let second = insert("Person", ["mail": "b", "name": "second"])
        try context.obtainPermanentIDs(for: [second])
        context.mergePolicy = NSMergePolicy(merge: type)
        try context.save()
        #expect(try people().count == 3)
        #expect(first.value(forKey: "name") as? String == name)
        #expect(second.managedObjectContext == nil)
    }

    @Test("Among new objects the error policy reports a conflict without a database object")
    func amongInsertedError() throws {
        for _ in 0..<2 { _ = insert("Person", ["mail": "b"]) }
        let error = #expect(throws: CocoaError.self) { try context.save() }
        let conflicts =
            error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        #expect(conflicts?.first?.databaseObject == nil)
        #expect(conflicts?.first?.conflictingObjects.count == 2)
        #expect(conflicts?.first?.conflictingSnapshots.count == 2)
    }

    @Test("A thousand new objects in conflict are merged by one save")
    func many() throws {
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        for round in 0..<2 {
            for index in 0..<500 {
                _ = insert("Person", ["mail": "\(index)", "name": "\(round)"])
            }
        }
        try context.save()
        #expect(try people().count == 502)
    }

    @Test("A subclass of the policy that calls super sees the remaining object")
    func subclass() throws {
        final class KeepingAge: NSMergePolicy {
            override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
                let ages = list.map { $0.databaseObject?.value(forKey: "age") }
                try super.resolve(constraintConflicts: list)
                for (conflict, age) in zip(list, ages) {
                    conflict.databaseObject?.setValue(age, forKey: "age")
                }
            }
        }
        _ = insertTwin()
        context.mergePolicy = KeepingAge(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try context.save()
        #expect(saved.value(forKey: "name") as? String == "new")
        #expect(saved.value(forKey: "age") as? Int == 30)
    }

    @Test("A store that reports one conflict at a time is asked until no conflict is left")
    func oneAtATime() throws {
        let stack = try TestStack()
        let old = stack.insertClock("base")
        try stack.context.save()
        let twins = (0..<40).map { _ in stack.insertClock("base") }
        let conflicts = twins.map { twin in
            NSConstraintConflict(
                constraint: ["label"], database: old, databaseSnapshot: old.fullSnapshot(),
                conflicting: [twin], conflictingSnapshots: [NSNull()])
        }
        stack.database.with { state in
            state.saveFailures = conflicts.map { conflict in
                CocoaError(
                    .managedObjectConstraintMerge,
                    userInfo: [NSPersistentStoreSaveConflictsErrorKey: [conflict]])
            }
        }
        stack.context.mergePolicy = NSMergePolicy.rollback
        try stack.context.save()
        #expect(try stack.clocks() == [old])
    }

    @Test(
        "A resolved conflict is not recorded for undo, which needs no open group then",
        arguments: [true, false])
    func undo(groupsByEvent: Bool) throws {
        let undoManager = UndoManager()
        undoManager.groupsByEvent = groupsByEvent
        context.undoManager = undoManager
        context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        undoManager.beginUndoGrouping()
        friend.setValue("b", forKey: "name")
        Self.insert("Person", ["mail": "a", "name": "new"], into: context)
        context.processPendingChanges()
        undoManager.endUndoGrouping()
        try context.save()
        #expect(saved.value(forKey: "name") as? String == "new")
        undoManager.undo()
        #expect(friend.value(forKey: "name") as? String == "Fred")
        #expect(saved.value(forKey: "name") as? String == "new")
    }
}
