import CoreData
import Testing

@Suite("Every store finds conflicts") struct ContractConflictTests {
    private struct Conflict {
        let stack: ContractStack
        let mine: NSManagedObject

        /// One object that two contexts have changed, and one of them has saved.
        ///
        /// Both changed the name; the other context changed the number, this one the weight.
        init(_ kind: ContractStore, _ policy: NSMergePolicy) throws {
            stack = try ContractStack(kind)
            stack.context.mergePolicy = policy
            mine = stack.insert("base", ["number": 1, "weight": 1.5])
            try stack.save()
            let other = stack.newContext()
            let theirs = other.object(with: mine.objectID)
            theirs.name = "theirs"
            theirs.setValue(2, forKey: "number")
            mine.name = "mine"
            mine.setValue(2.5, forKey: "weight")
            try other.save()
        }

        /// The values in the store at the end.
        func stored() throws -> [String] {
            let object = try stack.newContext().existingObject(with: mine.objectID)
            return ["name", "number", "weight"].map { "\(object.value(forKey: $0) ?? "nil")" }
        }
    }

    @Test(
        "and fails with 133020 unless a policy resolves them",
        arguments: ContractStore.allCases)
    func error(_ kind: ContractStore) throws {
        let conflict = try Conflict(kind, .error)
        let error = #expect(throws: CocoaError.self) { try conflict.stack.save() }
        #expect(error?.code == .managedObjectMerge)
        let list = try #require(
            error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])
        #expect(list.map(\.sourceObject) == [conflict.mine])
        #expect(list.first?.newVersionNumber == (list.first?.oldVersionNumber ?? 0) + 1)
        #expect(list.first?.objectSnapshot?["name"] as? String == "base")
        #expect(list.first?.cachedSnapshot?["name"] as? String == "theirs")
        #expect(list.first?.persistedSnapshot == nil)
        #expect(try conflict.stored() == ["theirs", "2", "1.5"])
        conflict.stack.context.refresh(conflict.mine, mergeChanges: true)
        try conflict.stack.save()
        #expect(try conflict.stored() == ["mine", "2", "2.5"])
    }

    static let outcomes: [(type: NSMergePolicyType, values: [String])] = [
        (.mergeByPropertyObjectTrumpMergePolicyType, ["mine", "2", "2.5"]),
        (.mergeByPropertyStoreTrumpMergePolicyType, ["theirs", "2", "2.5"]),
        (.overwriteMergePolicyType, ["mine", "1", "2.5"]),
        (.rollbackMergePolicyType, ["theirs", "2", "1.5"]),
    ]

    @Test("which the policies resolve", arguments: ContractStore.allCases)
    func policies(_ kind: ContractStore) throws {
        for (type, values) in Self.outcomes {
            let conflict = try Conflict(kind, NSMergePolicy(merge: type))
            try conflict.stack.save()
            #expect(try conflict.stored() == values, "\(kind) \(type)")
            #expect(!conflict.stack.context.hasChanges)
            conflict.mine.name = "again"
            try conflict.stack.save()
            #expect(try conflict.stored().first == "again")
        }
    }

    @Test(
        "with a deletion, which is a conflict with the version 0",
        arguments: ContractStore.allCases)
    func deletedElsewhere(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let item = stack.insert("a")
        try stack.save()
        let other = stack.newContext()
        other.delete(other.object(with: item.objectID))
        try other.save()
        item.name = "b"
        let error = #expect(throws: CocoaError.self) { try stack.save() }
        #expect(error?.code == .managedObjectMerge)
        let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(list?.first?.newVersionNumber == 0)
        stack.context.mergePolicy = NSMergePolicy.rollback
        try stack.save()
        #expect(try stack.newContext().all().isEmpty)
    }

    /// How a deleted object comes back with its ID.
    enum Return: CaseIterable {
        case mergePolicy, undo
    }

    /// Deletes an object that other contexts have read, and inserts it again with another name.
    ///
    /// - Returns: The object in the context that has inserted it again.
    private func returning(
        _ objectID: NSManagedObjectID, by way: Return, in stack: ContractStack
    ) throws -> NSManagedObject {
        let context = stack.newContext(.mergeByPropertyObjectTrump)
        let object = try context.existingObject(with: objectID)
        switch way {
        case .mergePolicy:
            object.name = "again"
            let deleting = stack.newContext()
            deleting.delete(deleting.object(with: objectID))
            try deleting.save()
        case .undo:
            let undoManager = context.undoable { context.delete(object) }
            try context.save()
            undoManager.undo()
            context.undoManager = nil
            object.name = "again"
        }
        try context.save()
        return object
    }

    @Test(
        "with an object that was deleted and inserted again since it was read",
        arguments: ContractStore.allCases, Return.allCases)
    func insertedAgain(_ kind: ContractStore, _ way: Return) throws {
        let stack = try ContractStack(kind)
        let item = stack.insert("a")
        try stack.save()
        _ = try returning(item.objectID, by: way, in: stack)
        item.setValue(7, forKey: "number")
        let error = #expect(throws: CocoaError.self) { try stack.save() }
        #expect(error?.code == .managedObjectMerge)
        #expect(try stack.newContext().all().map(\.name) == ["again"])
    }

    @Test(
        "with an object that was deleted and inserted again more than once",
        arguments: ContractStore.allCases)
    func insertedAgainTwice(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let item = stack.insert("a")
        try stack.save()
        _ = try returning(item.objectID, by: .mergePolicy, in: stack)
        stack.context.refreshAllObjects()
        #expect(item.name == "again")
        _ = try returning(item.objectID, by: .mergePolicy, in: stack)
        item.name = "b"
        #expect(throws: CocoaError.self) { try stack.save() }
    }

    @Test(
        "but none when the context that has inserted an object again saves it once more",
        arguments: ContractStore.allCases, Return.allCases)
    func savedAfterReturn(_ kind: ContractStore, _ way: Return) throws {
        let stack = try ContractStack(kind)
        let item = stack.insert("a")
        try stack.save()
        let object = try returning(item.objectID, by: way, in: stack)
        object.managedObjectContext?.mergePolicy = NSMergePolicy.error
        for name in ["b", "c"] {
            object.name = name
            try object.managedObjectContext?.save()
        }
        #expect(try stack.newContext().all().map(\.name) == ["c"])
    }

    @Test("when an object that is only locked was changed", arguments: ContractStore.allCases)
    func locked(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let item = stack.insert("a")
        try stack.save()
        let other = stack.newContext()
        other.object(with: item.objectID).name = "b"
        try other.save()
        stack.context.detectConflicts(for: item)
        stack.insert("c")
        #expect(throws: CocoaError.self) { try stack.save() }
        #expect(try stack.newContext().all().count == 1)
    }

    @Test("but none in consecutive saves", arguments: ContractStore.allCases)
    func noSpuriousConflicts(_ kind: ContractStore) throws {
        let stack = try ContractStack(kind)
        let box = stack.insert("Box", "box")
        let item = stack.insert("a", ["box": box])
        try stack.save()
        for number in 0..<4 {
            item.setValue(number, forKey: "number")
            stack.insert("\(number)", ["box": box])
            try stack.save()
        }
        let other = stack.newContext()
        let theirs = try #require(try other.all("Item", "name == 'a'").first)
        theirs.name = "b"
        try other.save()
        stack.context.refreshAllObjects()
        item.name = "c"
        #expect(throws: Never.self) { try stack.save() }
    }
}
