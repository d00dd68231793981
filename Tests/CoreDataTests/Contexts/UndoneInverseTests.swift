import CoreData
import Testing

/// Lists that are put in folders, whose own lists nobody has read.
@Suite("An undo and a redo of a reference restore its inverse") struct UndoneInverseTests {
    enum Kind: CaseIterable { case toOne, toOrdered, manyToMany }

    /// What happens to the list, each in an event of its own.
    enum Step { case insertInF, putInF, putInG, putInNone, delete }

    static let courses: [[Step]] = [
        [.putInF], [.putInF, .putInG], [.putInF, .putInNone], [.putInF, .delete],
        [.insertInF, .delete], [.insertInF, .putInNone], [.insertInF, .putInG, .delete],
        [.putInF, .putInG, .putInF, .putInNone],
    ]

    private static func model(_ kind: Kind) -> NSManagedObjectModel {
        let (folder, list) = (NSEntityDescription(), NSEntityDescription())
        folder.name = "Folder"
        list.name = "List"
        let (up, down) = (NSRelationshipDescription(), NSRelationshipDescription())
        (up.name, up.destinationEntity, up.inverseRelationship) = ("folder", folder, down)
        up.maxCount = kind == .manyToMany ? 0 : 1
        (down.name, down.destinationEntity, down.inverseRelationship) = ("lists", list, up)
        down.maxCount = 0
        down.isOrdered = kind == .toOrdered
        folder.properties = [down]
        list.properties = [up]
        let model = NSManagedObjectModel()
        model.entities = [folder, list]
        return model
    }

    private static func members(_ object: NSManagedObject, _ key: String) -> Set<NSManagedObject> {
        switch object.value(forKey: key) {
        case let set as Set<NSManagedObject>: return set
        case let set as NSOrderedSet: return Set(set.array.compactMap { $0 as? NSManagedObject })
        case let one as NSManagedObject: return [one]
        default: return []
        }
    }

    @Test(
        "though the context has not read it", arguments: Kind.allCases, courses)
    func faults(kind: Kind, steps: [Step]) throws {
        for undoCount in 1...steps.count {
            for redoCount in 0...undoCount {
                for savesBetween in [false, true] {
                    try run(kind, steps, undoCount, redoCount, savesBetween: savesBetween)
                }
            }
        }
    }

    private func run(
        _ kind: Kind, _ steps: [Step], _ undoCount: Int, _ redoCount: Int, savesBetween: Bool
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(kind))
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        func insert(_ entity: String) -> NSManagedObject {
            NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        }
        let (f, g) = (insert("Folder"), insert("Folder"))
        var list = insert("List")
        try context.save()
        let undoManager = UndoManager()
        undoManager.groupsByEvent = false
        context.undoManager = undoManager
        for folder in [f, g] { context.refresh(folder, mergeChanges: false) }
        func put(in folder: NSManagedObject?) {
            let set = folder.map { Set([$0]) } ?? []
            list.setValue(kind == .manyToMany ? set as Any : folder as Any?, forKey: "folder")
        }
        var owners: [NSManagedObject?] = [nil]
        for step in steps {
            undoManager.beginUndoGrouping()
            switch step {
            case .insertInF:
                list = insert("List")
                put(in: f)
            case .putInF: put(in: f)
            case .putInG: put(in: g)
            case .putInNone: put(in: nil)
            case .delete: context.delete(list)
            }
            context.processPendingChanges()
            undoManager.endUndoGrouping()
            let isOut = step == .putInNone || step == .delete
            owners.append(isOut ? nil : step == .putInG ? g : f)
            if savesBetween { try context.save() }
        }
        for _ in 0..<undoCount { undoManager.undo() }
        for _ in 0..<redoCount { undoManager.redo() }
        context.processPendingChanges()
        let owner = owners[steps.count - undoCount + redoCount]
        for round in ["before a save", "after a save", "read again"] {
            let comment: Comment =
                "\(undoCount) undos, \(redoCount) redos, saves: \(savesBetween), \(round)"
            for folder in [f, g] {
                let isOwner = folder === owner
                #expect(Self.members(folder, "lists") == (isOwner ? [list] : []), comment)
            }
            if let owner { #expect(Self.members(list, "folder") == [owner], comment) }
            if round == "before a save" { try context.save() } else { context.refreshAllObjects() }
        }
        undoManager.removeAllActions()
    }
}
