import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A uniqueness constraint") struct UniquenessTests {
    let cloud = LocalCloud.inMemory()

    /// People with a unique e-mail and, in one team, a unique number; staff are people with a unique
    /// badge.
    private static func model(isConstrained: Bool = true) -> NSManagedObjectModel {
        let person = NSEntityDescription(
            "Person",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("email", .stringAttributeType),
                NSAttributeDescription("number", .integer32AttributeType),
                NSAttributeDescription("note", .stringAttributeType),
            ])
        let staff = NSEntityDescription(
            "Staff", [NSAttributeDescription("badge", .stringAttributeType)])
        let team = NSEntityDescription(
            "Team", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((person, "team", 1), (team, "members", 0))
        person.subentities = [staff]
        if isConstrained {
            person.uniquenessConstraints = [["email"], ["team", "number"]]
            staff.uniquenessConstraints = [["badge"]]
        }
        return NSManagedObjectModel(person, staff, team)
    }

    private func device(_ name: String = "device") throws -> Device {
        try Device(name, on: cloud, model: Self.model())
    }

    /// The conflicts because of which a save of new objects is refused.
    private func conflicts(
        _ device: Device, _ entity: String, _ rows: [[String: Any]]
    ) throws -> [NSConstraintConflict] {
        try device.read { context in
            for row in rows {
                let object = NSEntityDescription.insertNewObject(
                    forEntityName: entity, into: context)
                for (key, value) in row { object.setValue(value, forKey: key) }
            }
            let error = #expect(throws: CocoaError.self) { try context.save() }
            context.rollback()
            #expect(error?.code == .managedObjectConstraintMerge)
            let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey]
            return try #require(list as? [NSConstraintConflict])
        }
    }

    @Test("refuses a save and names the object that has the value") func error() throws {
        let device = try device()
        let id = try device.add("Person", ["name": "old", "email": "a@b", "number": 1])
        let conflict = try #require(
            try conflicts(device, "Person", [["name": "new", "email": "a@b"]]).first)
        #expect(conflict.constraint == ["email"])
        #expect(conflict.databaseObject?.objectID == id)
        #expect(conflict.databaseSnapshot?["name"] as? String == "old")
        #expect(conflict.conflictingObjects.count == 1)
        #expect(try device.names(of: "Person") == ["old"])
    }

    @Test("refuses two new objects with one value, without an object of the file")
    func unsaved() throws {
        let device = try device()
        let found = try conflicts(
            device, "Person", [["name": "x", "email": "a@b"], ["name": "y", "email": "a@b"]])
        #expect(found.count == 1)
        #expect(found.first?.databaseObject == nil)
        #expect(found.first?.conflictingObjects.count == 2)
    }

    @Test("applies to subentities too, and only to one that declares it itself")
    func subentities() throws {
        let device = try device()
        try device.add("Staff", ["name": "s", "email": "a@b", "badge": "1"])
        #expect(try conflicts(device, "Person", [["email": "a@b"]]).first?.constraint == ["email"])
        #expect(try conflicts(device, "Staff", [["badge": "1"]]).first?.constraint == ["badge"])
    }

    @Test("over a relationship and an attribute needs both to be equal") func compound() throws {
        let device = try device()
        try device.add("Team", ["name": "t"])
        let team = try device.read { context in try Device.object("Team", "t", in: context) }
        try device.add("Person", ["name": "a", "number": 1, "team": team])
        try device.add("Person", ["name": "b", "number": 2, "team": team])
        // Without a team the number need not be unique, because nil does not equal anything.
        try device.add("Person", ["name": "c", "number": 1])
        try device.add("Person", ["name": "d", "number": 1])
        let found = try conflicts(device, "Person", [["name": "e", "number": 2, "team": team]])
        #expect(found.map(\.constraint) == [["team", "number"]])
    }

    @Test("lets two objects swap their values, and a new one take a deleted one's")
    func swap() throws {
        let device = try device()
        try device.add("Person", ["name": "a", "email": "1"])
        try device.add("Person", ["name": "b", "email": "2"])
        try device.edit { context in
            try Device.object("Person", "a", in: context).setValue("2", forKey: "email")
            try Device.object("Person", "b", in: context).setValue("1", forKey: "email")
        }
        #expect(try device.values("email", of: "Person") == ["a": "2", "b": "1"])
        try device.edit { context in
            context.delete(try Device.object("Person", "a", in: context))
            let new = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            new.setValue("c", forKey: "name")
            new.setValue("2", forKey: "email")
        }
        #expect(try device.values("email", of: "Person") == ["c": "2", "b": "1"])
    }

    @Test("holds after a change to an existing value") func update() throws {
        let device = try device()
        try device.add("Person", ["name": "a", "email": "1"])
        let id = try device.add("Person", ["name": "b", "email": "2"])
        try device.read { context in
            try Device.object("Person", "a", in: context).setValue("2", forKey: "email")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            context.rollback()
            let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey]
            #expect((list as? [NSConstraintConflict])?.first?.databaseObject?.objectID == id)
        }
    }

    @Test("does not prevent opening a file whose rows violate it, or other edits of them")
    func existingViolation() throws {
        let device = try Device(on: cloud, model: Self.model(isConstrained: false))
        for name in ["a", "b"] { try device.add("Person", ["name": name, "email": "same"]) }
        try device.relaunch(model: Self.model())
        try device.edit { context in
            try Device.object("Person", "a", in: context).setValue("edited", forKey: "note")
        }
        #expect(try device.values("note", of: "Person") == ["a": "edited"])
        #expect(try conflicts(device, "Person", [["email": "same"]]).count == 1)
    }

    @Test("refuses no record of another device: both devices have both objects") func sync()
        async throws
    {
        let (a, b) = (try device("a"), try device("b"))
        try a.add("Person", ["name": "a", "email": "same"])
        try b.add("Person", ["name": "b", "email": "same"])
        try await Device.settle(a, b)
        #expect(try a.names(of: "Person") == ["a", "b"])
        #expect(try b.names(of: "Person") == ["a", "b"])
        #expect(try a.store.syncStatus().pendingChangeCount == 0)
        #expect(try conflicts(b, "Person", [["email": "same"]]).count == 1)
    }

    @Test("refuses a batch update that violates it, which changes nothing") func batchUpdate()
        throws
    {
        let device = try device()
        for name in ["a", "b"] { try device.add("Person", ["name": name, "email": name]) }
        let request = NSBatchUpdateRequest(entityName: "Person")
        request.propertiesToUpdate = ["email": "same"]
        let error = #expect(throws: CocoaError.self) {
            _ = try device.execute(request, as: NSBatchUpdateResult.self)
        }
        #expect(error?.code == .managedObjectConstraintMerge)
        #expect(try device.values("email", of: "Person") == ["a": "a", "b": "b"])
    }

    @Test(
        "lets a batch insertion follow the context's merge policy",
        arguments: [
            (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, "new", "kept", 2),
            (.overwriteMergePolicyType, "new", nil, 2),
            (.mergeByPropertyStoreTrumpMergePolicyType, "old", "kept", 1),
            (.rollbackMergePolicyType, "old", "kept", 1),
        ] as [(NSMergePolicyType, String, String?, Int)])
    func upsert(policy: NSMergePolicyType, name: String, note: String?, count: Int) throws {
        let device = try device()
        try device.add("Person", ["name": "old", "email": "a@b", "note": "kept"])
        device.context.mergePolicy = NSMergePolicy(merge: policy)
        let request = NSBatchInsertRequest(
            entityName: "Person",
            objects: [["name": "new", "email": "a@b"], ["name": "third", "email": "c@d"]])
        request.resultType = .count
        #expect(try device.execute(request, as: NSBatchInsertResult.self).result as? Int == count)
        #expect(try device.names(of: "Person") == [name, "third"].sorted())
        #expect(try device.values("note", of: "Person", as: String.self)[name] == note)
    }

    @Test("ends a batch insertion under the error policy, which inserts nothing")
    func batchInsert() throws {
        let device = try device()
        try device.add("Person", ["name": "old", "email": "a@b"])
        let request = NSBatchInsertRequest(
            entityName: "Person", objects: [["email": "x"], ["email": "a@b"]])
        let error = #expect(throws: CocoaError.self) {
            _ = try device.execute(request, as: NSBatchInsertResult.self)
        }
        #expect(error?.code == .managedObjectConstraintMerge)
        #expect(try device.count("Person") == 1)
    }

    @Test("over a to-many relationship is refused with the model") func toMany() throws {
        let model = Self.model()
        model.entitiesByName["Team"]?.uniquenessConstraints = [["members"]]
        let error = #expect(throws: SMStoreError.self) { try Device(on: cloud, model: model) }
        #expect(error?.description.contains("Team.members") == true)
    }
}
