import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// A context relates an object to another one that is deleted, without the context's knowledge,
/// before it saves.
@Suite("A relationship to an object that was deleted before the save")
struct VanishedDestinationTests {
    let cloud = LocalCloud.inMemory()

    /// The context or device that has deleted the object.
    enum Deleter: String, CaseIterable { case context, batch, server, otherProcess }

    /// The object that refers to it.
    enum Relation: String, CaseIterable {
        case toOne = "folder"
        case toMany = "clocks"
        case ordered = "steps"
        case oneToOne = "lid"
        case manyToMany = "tags"
    }

    private static func model(isRequired: Bool = false) -> NSManagedObjectModel {
        func named(_ name: String) -> NSEntityDescription {
            NSEntityDescription(name, [NSAttributeDescription("name", .stringAttributeType)])
        }
        let (clock, target) = (named("Clock"), named("Target"))
        NSRelationshipDescription.join((clock, "folder", 1), (target, "folderOf", 0))
        NSRelationshipDescription.join((clock, "clocks", 0), (target, "clockOf", 1))
        NSRelationshipDescription.join((clock, "steps", 0), (target, "stepOf", 1))
        NSRelationshipDescription.join((clock, "lid", 1), (target, "lidOf", 1))
        NSRelationshipDescription.join((clock, "tags", 0), (target, "tagOf", 0))
        clock.relationshipsByName["steps"]?.isOrdered = true
        clock.relationshipsByName["folder"]?.isOptional = !isRequired
        if isRequired { clock.relationshipsByName["folder"]?.minCount = 1 }
        return NSManagedObjectModel(clock, target)
    }

    private func delete(_ device: Device, by deleter: Deleter, other: Device) async throws {
        switch deleter {
        case .context:
            let context = device.container.newBackgroundContext()
            try context.performAndWait {
                context.delete(try Device.object("Target", "target", in: context))
                try context.save()
            }
        case .batch:
            let context = device.container.newBackgroundContext()
            try context.performAndWait {
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Target")
                _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
            }
        case .server:
            try other.edit { $0.delete(try Device.object("Target", "target", in: $0)) }
            try await other.store.sync()
            try await device.store.sync()
        case .otherProcess:
            let container = try device.anotherContainer(model: Self.model())
            let context = container.newBackgroundContext()
            try context.performAndWait {
                context.delete(try Device.object("Target", "target", in: context))
                try context.save()
            }
        }
    }

    private func relate(
        _ clock: NSManagedObject, _ relation: Relation, to target: NSManagedObject
    ) {
        switch relation {
        case .toOne, .oneToOne: clock.setValue(target, forKey: relation.rawValue)
        case .toMany, .manyToMany: clock.setValue(NSSet(object: target), forKey: relation.rawValue)
        case .ordered: clock.setValue(NSOrderedSet(object: target), forKey: relation.rawValue)
        }
    }

    /// The form in which the context has the deleted object.
    enum Hold: String, CaseIterable {
        /// It was fetched, before the deletion.
        case fetched
        /// It is a fault, created from its ID before the deletion.
        case fault
        /// It is created from a stored ID after the deletion.
        case keptID
    }

    /// The form of the object, and the merge policy of the save. None of them allows a reference to
    /// a missing object.
    static let saves: [(Hold, NSMergePolicyType)] = [
        (.fetched, .errorMergePolicyType), (.fetched, .mergeByPropertyStoreTrumpMergePolicyType),
        (.fetched, .mergeByPropertyObjectTrumpMergePolicyType),
        (.fault, .mergeByPropertyStoreTrumpMergePolicyType), (.fault, .rollbackMergePolicyType),
        (.keptID, .errorMergePolicyType), (.keptID, .overwriteMergePolicyType),
    ]

    /// Saves the relationship to an object that is deleted in the meantime.
    private func save(
        _ relation: Relation, _ deleter: Deleter, _ hold: Hold, _ policy: NSMergePolicyType,
        isNew: Bool, on a: Device, other b: Device
    ) async throws {
        // A separate context, which merges nothing.
        let context = a.container.newBackgroundContext()
        context.performAndWait { context.mergePolicy = NSMergePolicy(merge: policy) }
        let id = try a.read { try Device.object("Target", "target", in: $0).objectID }
        func relateNow() throws {
            try context.performAndWait {
                let target =
                    hold == .fetched
                    ? try Device.object("Target", "target", in: context) : context.object(with: id)
                let clock =
                    isNew
                    ? NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
                    : try Device.object("Clock", "old", in: context)
                clock.setValue("clock", forKey: "name")
                relate(clock, relation, to: target)
            }
        }
        if hold != .keptID { try relateNow() }
        try await delete(a, by: deleter, other: b)
        if hold == .keptID { try relateNow() }
        try context.performAndWait { try context.save() }
    }

    private func devices(isRequired: Bool = false) async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, model: Self.model(isRequired: isRequired))
        let b = try Device("b", on: cloud, model: Self.model(isRequired: isRequired))
        return (a, b)
    }

    @Test("is saved as nil, and sent as nil", arguments: Relation.allCases, Deleter.allCases)
    func storedAsNil(relation: Relation, deleter: Deleter) async throws {
        let (a, b) = try await devices()
        for (hold, policy) in Self.saves {
            for isNew in [true, false] {
                let comment = "\(hold), \(policy), new: \(isNew)"
                try await check(
                    relation, deleter, hold, policy, isNew: isNew, on: a, other: b, comment)
            }
        }
    }

    private func check(
        _ relation: Relation, _ deleter: Deleter, _ hold: Hold, _ policy: NSMergePolicyType,
        isNew: Bool, on a: Device, other b: Device, _ comment: String
    ) async throws {
        try a.addAll("Target", "target")
        try a.addAll("Clock", "old")
        try await Device.settle(a, b)
        do {
            try await save(relation, deleter, hold, policy, isNew: isNew, on: a, other: b)
        } catch let error as NSError {
            // If the target's end is part of the save, this is a conflict for Core Data.
            #expect(error.domain == NSCocoaErrorDomain, "\(comment)")
            #expect(try a.store.checkInvariants() == [], "\(comment)")
            try await removeAll(a, b)
            return
        }
        try expectSound(relation, on: a, comment)
        try await Device.settle(a, b)
        try expectSound(relation, on: a, comment + ", sent")
        try expectSound(relation, on: b, comment + ", received")
        #expect(try a.count("Target") == b.count("Target"), "\(comment)")
        try await removeAll(a, b)
    }

    private func removeAll(_ a: Device, _ b: Device) async throws {
        try a.edit { context in
            for entity in ["Clock", "Target"] {
                for object in try Device.all(entity, in: context) { context.delete(object) }
            }
        }
        try await Device.settle(a, b)
    }

    /// Expects that the object, a predicate and the file have the same relationship.
    private func expectSound(_ relation: Relation, on device: Device, _ comment: String) throws {
        #expect(try device.store.checkInvariants() == [], "\(comment)")
        try device.read { context in
            context.refreshAllObjects()
            // A policy may have reverted the edit of an object.
            guard let clock = try? Device.object("Clock", "clock", in: context) else { return }
            let members: Set<NSManagedObject>
            switch clock.value(forKey: relation.rawValue) {
            case let set as NSOrderedSet:
                members = Set(set.array.compactMap { $0 as? NSManagedObject })
            case let set as Set<NSManagedObject>: members = set
            case let object as NSManagedObject: members = [object]
            default: members = []
            }
            let targets = Set(try Device.all("Target", in: context))
            #expect(members.isSubset(of: targets), "\(comment)")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
            switch relation {
            case .toOne, .oneToOne:
                request.predicate = NSPredicate(format: "%K != nil", relation.rawValue)
            default:
                request.predicate = NSPredicate(format: "%K.@count > 0", relation.rawValue)
            }
            let matches = try context.fetch(request)
            #expect(matches.contains(clock) == !members.isEmpty, "\(comment)")
        }
    }

    @Test("fails the save if it is required", arguments: [Deleter.context, .batch, .server])
    func required(deleter: Deleter) async throws {
        let (a, b) = try await devices(isRequired: true)
        for (hold, policy) in Self.saves {
            try a.addAll("Target", "target")
            try await Device.settle(a, b)
            do {
                try await save(.toOne, deleter, hold, policy, isNew: true, on: a, other: b)
                // Then the policy has created the target again.
                #expect(try a.count("Target") == 1, "\(hold), \(policy)")
            } catch let error as NSError {
                #expect(error.domain == NSCocoaErrorDomain)
                if error.code == CocoaError.validationMissingMandatoryProperty.rawValue {
                    let text = error.localizedDescription
                    #expect(text.hasPrefix("Clock.folder is a required value."))
                }
                #expect(try a.count("Clock") == 0, "\(hold), \(policy)")
            }
            #expect(try a.store.checkInvariants() == [], "\(hold), \(policy)")
            try await removeAll(a, b)
        }
    }

    @Test("fails the deletion if another context has related an object that requires it")
    func requiredByAnother() async throws {
        let (a, _) = try await devices(isRequired: true)
        try a.add("Target", ["name": "target"])
        let context = a.container.newBackgroundContext()
        context.mergePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
        let target = try context.performAndWait {
            let target = try Device.object("Target", "target", in: context)
            _ = target.value(forKey: "folderOf")
            return target
        }
        try a.edit { context in
            let clock = NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
            clock.setValue(try Device.object("Target", "target", in: context), forKey: "folder")
        }
        let error = #expect(throws: CocoaError.self) {
            try context.performAndWait {
                context.delete(target)
                try context.save()
            }
        }
        #expect(error?.code == .validationMissingMandatoryProperty)
        #expect(error?.localizedDescription == "Clock.folder is a required value.")
        #expect(try a.count("Target") == 1)
    }
}
