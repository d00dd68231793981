import CoreData
import Testing

@Suite struct MergePolicyTests {
    let stack: TestStack
    /// A saved clock with the label "base" and the note "base".
    let clock: Clock

    init() throws {
        stack = try TestStack()
        clock = stack.insertClock("base")
        clock.note = "base"
        try stack.context.save()
    }

    /// Another context saves the label "theirs" and the position 9, while this one has the label
    /// "mine" and the note "mine".
    func collide() throws {
        _ = clock.label
        let other = stack.newContext()
        let copy = try #require(other.object(with: clock.objectID) as? Clock)
        copy.label = "theirs"
        copy.position = 9
        try other.save()
        clock.label = "mine"
        clock.note = "mine"
    }

    var row: RecordingDatabase.StoredRow? { stack.database.row(clock.objectID) }

    @Test("The default policy fails with 133020 and the conflict")
    func error() throws {
        try collide()
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .managedObjectMerge)
        let conflicts =
            error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        let conflict = try #require(conflicts?.first)
        #expect(conflicts?.count == 1)
        #expect(conflict.sourceObject === clock)
        #expect(conflict.oldVersionNumber == 1)
        #expect(conflict.newVersionNumber == 2)
        #expect(conflict.objectSnapshot?["label"] as? String == "base")
        #expect(conflict.cachedSnapshot?["label"] as? String == "theirs")
        #expect(conflict.persistedSnapshot == nil)
        #expect(clock.label == "mine")
        #expect(stack.context.hasChanges)
        #expect(row?.values["label"] as? String == "theirs")
    }

    @Test(
        "Each policy saves its mix of values",
        arguments: [
            (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, "theirs", "mine", 9),
            (.mergeByPropertyObjectTrumpMergePolicyType, "mine", "mine", 9),
            (.overwriteMergePolicyType, "mine", "mine", 7),
            (.rollbackMergePolicyType, "theirs", "base", 9),
        ])
    func mixture(type: NSMergePolicyType, label: String, note: String, position: Int) throws {
        stack.context.mergePolicy = NSMergePolicy(merge: type)
        try collide()
        try stack.context.save()
        #expect(row?.values["label"] as? String == label)
        #expect(row?.values["note"] as? String == note)
        #expect(row?.values["position"] as? Int == position)
        #expect(clock.label == label)
        #expect(clock.note == note)
        #expect(clock.position == position)
        #expect(!stack.context.hasChanges)
        #expect(!clock.hasChanges)
    }

    @Test("The shared policies and Apple's globals are the same")
    func shared() {
        #expect(NSMergePolicy.error.mergeType == .errorMergePolicyType)
        let pairs: [(AnyObject, NSMergePolicyType)] = [
            (NSErrorMergePolicy, .errorMergePolicyType),
            (NSMergeByPropertyObjectTrumpMergePolicy, .mergeByPropertyObjectTrumpMergePolicyType),
            (NSMergeByPropertyStoreTrumpMergePolicy, .mergeByPropertyStoreTrumpMergePolicyType),
            (NSOverwriteMergePolicy, .overwriteMergePolicyType),
            (NSRollbackMergePolicy, .rollbackMergePolicyType),
        ]
        for (policy, type) in pairs {
            #expect((policy as? NSMergePolicy)?.mergeType == type)
        }
        #expect((stack.context.mergePolicy as? NSMergePolicy)?.mergeType == .errorMergePolicyType)
    }

    @Test("A second and a third save of the same object are not conflicts")
    func noSpuriousConflict() throws {
        for index in 0..<3 {
            clock.label = "\(index)"
            try stack.context.save()
        }
        #expect(row?.version == 4)
    }

    @Test("A store that does not count versions makes no conflicts")
    func constantVersions() throws {
        stack.database.with { $0.nextVersion = { $0 } }
        for index in 0..<3 {
            clock.label = "\(index)"
            try stack.context.save()
        }
        #expect(row?.version == 1)
    }

    @Test("After a resolved conflict the next save is not a conflict")
    func afterResolution() throws {
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try collide()
        try stack.context.save()
        stack.context.mergePolicy = NSMergePolicy.error
        clock.label = "again"
        try stack.context.save()
    }

    @Test("An update of a missing row is a conflict with the new version 0")
    func missingRow() throws {
        stack.database.remove(clock.objectID)
        clock.label = "mine"
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        let conflicts =
            error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(conflicts?.first?.newVersionNumber == 0)
    }

    @Test("If the store wins, an update of a missing row is dropped")
    func missingRowStoreWins() throws {
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        stack.database.remove(clock.objectID)
        clock.label = "mine"
        try stack.context.save()
        #expect(row == nil)
        #expect(clock.isDeleted)
        #expect(!stack.context.hasChanges)
    }

    @Test("If the object wins, it is inserted again")
    func missingRowObjectWins() throws {
        stack.context.mergePolicy = NSMergePolicy.overwrite
        stack.database.remove(clock.objectID)
        clock.label = "mine"
        try stack.context.save()
        #expect(row?.values["label"] as? String == "mine")
    }

    @Test("Deleting what another context changed is a conflict")
    func deletionConflict() throws {
        try collide()
        stack.context.delete(clock)
        #expect(throws: CocoaError.self) { try stack.context.save() }
        stack.context.mergePolicy = NSMergePolicy.overwrite
        try stack.context.save()
        #expect(row == nil)
    }

    @Test("detectConflicts checks an object that is not changed, and counts its version")
    func locked() throws {
        _ = clock.label
        let other = stack.newContext()
        let copy = try #require(other.object(with: clock.objectID) as? Clock)
        other.detectConflicts(for: copy)
        stack.database.clearCalls()
        try other.save()
        #expect(stack.database.calls.contains("save 0 0 0 1"))
        #expect(row?.version == 2)
        stack.context.detectConflicts(for: clock)
        #expect(throws: CocoaError.self) { try stack.context.save() }
    }

    @Test("Conflicts that the store finds itself are resolved, and the save is tried again")
    func storeConflict() throws {
        let clock = clock
        clock.label = "mine"
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let conflict = NSMergeConflict(
            source: clock, newVersion: 2, oldVersion: 1, cachedSnapshot: ["label": "base"],
            persistedSnapshot: ["label": "theirs"])
        let database = stack.database
        database.with { state in
            state.saveFailures = [
                CocoaError(
                    .managedObjectMerge,
                    userInfo: [NSPersistentStoreSaveConflictsErrorKey: [conflict]])
            ]
        }
        try stack.context.save()
        #expect(row?.values["label"] as? String == "mine")
    }

    @Test("Conflicts that the store finds reach the caller under the error policy")
    func storeConflictError() throws {
        clock.label = "mine"
        let conflict = NSMergeConflict(
            source: clock, newVersion: 2, oldVersion: 1, cachedSnapshot: nil,
            persistedSnapshot: nil)
        stack.database.with { state in
            state.saveFailures = [
                CocoaError(
                    .managedObjectMerge,
                    userInfo: [NSPersistentStoreSaveConflictsErrorKey: [conflict]])
            ]
        }
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .managedObjectMerge)
    }

    @Test("A store that reports conflicts again and again ends the save with its error")
    func boundedRetries() throws {
        clock.label = "mine"
        stack.context.mergePolicy = NSMergePolicy.overwrite
        let conflict = NSMergeConflict(
            source: clock, newVersion: 2, oldVersion: 1, cachedSnapshot: nil,
            persistedSnapshot: nil)
        let failure = CocoaError(
            .managedObjectMerge, userInfo: [NSPersistentStoreSaveConflictsErrorKey: [conflict]])
        stack.database.with { $0.saveFailures = Array(repeating: failure, count: 100) }
        #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(stack.database.with { $0.saveFailures.count } > 50)
    }

    @Test("A subclass of the policy decides object by object")
    func subclass() throws {
        final class Policy: NSMergePolicy {
            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                for conflict in list { conflict.sourceObject.setValue("policy", forKey: "note") }
                try super.resolve(optimisticLockingConflicts: list)
            }
        }
        stack.context.mergePolicy = Policy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try collide()
        try stack.context.save()
        #expect(row?.values["note"] as? String == "policy")
    }

    @Test("A constraint conflict is 133021 under the error policy")
    func constraintError() throws {
        let twin = stack.insertClock("base")
        let conflict = NSConstraintConflict(
            constraint: ["label"], database: clock, databaseSnapshot: clock.fullSnapshot(),
            conflicting: [twin], conflictingSnapshots: [twin.fullSnapshot()])
        #expect(conflict.constraintValues["label"] as? String == "base")
        #expect(conflict.databaseSnapshot?["label"] as? String == "base")
        stack.database.with { state in
            state.saveFailures = [
                CocoaError(
                    .managedObjectConstraintMerge,
                    userInfo: [NSPersistentStoreSaveConflictsErrorKey: [conflict]])
            ]
        }
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .managedObjectConstraintMerge)
    }
}
