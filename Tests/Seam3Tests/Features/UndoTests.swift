import CoreData
import LocalCloud
import Seam3
import Testing

/// Each kind of relationship under undo and redo of insertions and deletions, in the context and in
/// the file.
@Suite("Undo and redo of", .tags(.everyRelationshipRoundTrips))
struct UndoTests {
    /// A kind of relationship between parents and children, or among parents.
    enum Kind: CaseIterable {
        case oneToOne, oneToMany, oneToManyOrdered, manyToMany, manyToManyOrdered
        case oneToManyAmongParents, manyToManyAmongParents
        case toOneWithoutInverse, toManyWithoutInverse

        var isToMany: Bool { self != .oneToOne && self != .toOneWithoutInverse }
        var isInverseToMany: Bool {
            [.manyToMany, .manyToManyOrdered, .manyToManyAmongParents].contains(self)
        }
        var isOrdered: Bool { self == .oneToManyOrdered || self == .manyToManyOrdered }
        var isAmongParents: Bool {
            self == .oneToManyAmongParents || self == .manyToManyAmongParents
        }
        var hasInverse: Bool { self != .toOneWithoutInverse && self != .toManyWithoutInverse }
    }

    /// What is undone.
    enum Change: CaseIterable {
        case insertionOfBoth, insertionOfParent, insertionOfChild
        case deletionOfParent, deletionOfChild, deletionOfBoth, cascade

        var insertsParent: Bool { self == .insertionOfBoth || self == .insertionOfParent }
        var insertsChild: Bool { self == .insertionOfBoth || self == .insertionOfChild }
        var isInsertion: Bool { insertsParent || insertsChild }
    }

    private func model(_ kind: Kind, cascades: Bool) -> NSManagedObjectModel {
        let name = { NSAttributeDescription("name", .stringAttributeType) }
        let parent = NSEntityDescription("Parent", [name()])
        let child = NSEntityDescription("Child", [name()])
        NSRelationshipDescription.join(
            (parent, "children", kind.isToMany ? 0 : 1),
            (kind.isAmongParents ? parent : child, "parents", kind.isInverseToMany ? 0 : 1))
        guard let children = parent.relationshipsByName["children"] else { fatalError() }
        children.isOrdered = kind.isOrdered
        children.deleteRule = cascades ? .cascadeDeleteRule : .nullifyDeleteRule
        if !kind.hasInverse {
            children.inverseRelationship = nil
            child.properties.removeAll { $0.name == "parents" }
            children.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
        }
        return NSManagedObjectModel(parent, child)
    }

    private func insert(_ entity: String, _ name: String, in context: NSManagedObjectContext)
        -> NSManagedObject
    {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: "name")
        return object
    }

    private func connect(_ parents: [NSManagedObject], _ child: NSManagedObject, _ kind: Kind) {
        for parent in kind.isInverseToMany ? parents : Array(parents.prefix(1)) {
            if kind.isOrdered {
                parent.mutableOrderedSetValue(forKey: "children").insert(child, at: 0)
            } else if kind.isToMany {
                parent.mutableSetValue(forKey: "children").add(child)
            } else {
                parent.setValue(child, forKey: "children")
            }
        }
    }

    /// Every object and both ends of its relationship, without objects that are gone.
    private func lines(in context: NSManagedObjectContext) throws -> [String] {
        func names(_ value: Any?) -> [String] {
            let objects: [Any] =
                switch value {
                case let set as NSOrderedSet: set.array
                case let set as Set<NSManagedObject>: set.sorted { name($0) < name($1) }
                default: [value].compactMap { $0 }
                }
            return objects.compactMap { $0 as? NSManagedObject }
                .map { (name: name($0), isGone: $0.isDeleted || $0.managedObjectContext == nil) }
                .filter { !$0.isGone }.map(\.name)
        }
        func name(_ object: NSManagedObject) -> String {
            object.value(forKey: "name") as? String ?? "nil"
        }
        return try ["Parent", "Child"].flatMap { try Device.all($0, in: context) }
            .map { object in
                let ends = object.entity.relationshipsByName.keys.sorted()
                    .map { "\($0)=\(names(object.value(forKey: $0)))" }
                return "\(name(object)) " + ends.joined(separator: " ")
            }
            .sorted()
    }

    @Test(
        "an insertion or a deletion restore both ends of a relationship",
        arguments: Change.allCases, Kind.allCases)
    func restored(_ change: Change, _ kind: Kind) throws {
        for savesEachStep in [false, true] {
            try run(change, kind, savesEachStep: savesEachStep)
        }
    }

    private func run(_ change: Change, _ kind: Kind, savesEachStep: Bool) throws {
        let device = try Device(
            on: LocalCloud.inMemory(), model: model(kind, cascades: change == .cascade))
        let undoManager = UndoManager()
        undoManager.groupsByEvent = false
        for stepCount in savesEachStep ? [5] : [2, 3, 4, 5] {
            try device.edit { context in
                for entity in ["Parent", "Child"] {
                    for object in try Device.all(entity, in: context) { context.delete(object) }
                }
            }
            let fresh = {
                let context = device.container.newBackgroundContext()
                return try context.performAndWait { try lines(in: context) }
            }
            try device.read { context in
                var parents = [insert("Parent", "other", in: context)]
                var child: NSManagedObject?
                if !change.insertsParent {
                    parents.insert(insert("Parent", "parent", in: context), at: 0)
                }
                let entity = kind.isAmongParents ? "Parent" : "Child"
                let siblings = ["a", "c"].map { insert(entity, $0, in: context) }
                if !change.insertsChild { child = insert(entity, "b", in: context) }
                if !change.insertsParent, kind.isToMany {
                    for object in siblings { connect(parents, object, kind) }
                }
                if !change.isInsertion, let child { connect(parents, child, kind) }
                try context.save()
                let former = try lines(in: context)
                context.undoManager = undoManager
                undoManager.beginUndoGrouping()
                if change.isInsertion {
                    if change.insertsParent {
                        parents.insert(insert("Parent", "parent", in: context), at: 0)
                    }
                    let child = child ?? insert(entity, "b", in: context)
                    connect(parents, child, kind)
                }
                if [.deletionOfParent, .deletionOfBoth, .cascade].contains(change) {
                    context.delete(parents[0])
                }
                if let child, [.deletionOfChild, .deletionOfBoth].contains(change) {
                    context.delete(child)
                }
                context.processPendingChanges()
                undoManager.endUndoGrouping()
                if savesEachStep || stepCount < 4 { try context.save() }
                let changed = try lines(in: context)
                for step in 1...stepCount {
                    let comment: Comment = "saves \(savesEachStep), step \(step) of \(stepCount)"
                    let isUndo = step % 2 == 1
                    if isUndo { undoManager.undo() } else { undoManager.redo() }
                    let expected = isUndo ? former : changed
                    #expect(try lines(in: context) == expected, comment)
                    guard savesEachStep || step == stepCount else { continue }
                    try context.save()
                    #expect(try lines(in: context) == expected, comment)
                    if kind.hasInverse || change != .deletionOfChild {
                        // The file's relationships without an inverse lose a deleted object for good.
                        #expect(try fresh() == expected, comment)
                    }
                    #expect(try device.store.checkInvariants() == [], comment)
                }
                undoManager.removeAllActions()
                context.undoManager = nil
            }
        }
    }
}
