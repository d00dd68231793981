import CoreData

/// A context that holds some of a device's objects while others change them.
final class Onlooker {
    private let context: NSManagedObjectContext
    /// Whether the context merges changes. Otherwise its objects are refreshed before they are judged.
    private let merges: Bool
    private var held: [NSManagedObject] = []
    private var occasions = 0

    init(_ container: NSPersistentContainer, merges: Bool) {
        self.merges = merges
        context = container.newBackgroundContext()
        context.automaticallyMergesChangesFromParent = merges
    }

    /// Merges the changes of a batch request, of which contexts are not notified.
    func merge(_ ids: [NSManagedObjectID], asValuesFor key: String) {
        if !merges { return }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [context])
    }

    /// Refreshes all objects, except those that the context knows to be deleted.
    func refresh() {
        context.performAndWait {
            held.removeAll { $0.isDeleted || $0.managedObjectContext == nil }
            context.refreshAllObjects()
        }
    }

    /// The first difference between the objects that the context holds and the file. Then it holds others, too.
    func difference(from file: Snapshot) throws -> String? {
        try App.perform(context) { context in
            if !merges { context.refreshAllObjects() }
            let difference = held.lazy.compactMap { self.difference($0, file) }.first
            try holdMore(file)
            return difference
        }
    }

    private func difference(_ object: NSManagedObject, _ file: Snapshot) -> String? {
        if object.managedObjectContext == nil || object.isDeleted { return nil }
        guard let stored = file.objects[Snapshot.id(object)] else {
            return merges ? "\(Snapshot.id(object)) is there, and is deleted in the file" : nil
        }
        let values = Snapshot.values(object, stored.kind)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            let wanted = stored.values[name] ?? Value.none
            if value != wanted {
                return "\(stored.ident).\(name) is \(value), and \(wanted) in the file"
            }
        }
        return nil
    }

    /// Holds a third of the objects of an entity, another one each time, and sometimes lets go of all.
    private func holdMore(_ file: Snapshot) throws {
        occasions += 1
        if occasions % 20 == 0 { held = [] }
        held = held.filter { file.objects[Snapshot.id($0)] != nil && !$0.isDeleted }
        // Most changes are of nodes.
        let root = occasions % 2 == 0 ? Kind.node : Kind.roots[occasions / 2 % Kind.roots.count]
        let request = NSFetchRequest<NSManagedObject>(entityName: root.entityName)
        for object in try context.fetch(request)
        where (Snapshot.ident(object).utf8.reduce(0) { $0 + Int($1) } + occasions / 2) % 3 == 0
            && !held.contains(object)
        {
            _ = Snapshot.kind(of: object).map { Snapshot.values(object, $0) }
            held.append(object)
        }
    }
}

extension App.HeldChanges {
    /// A reference of the context to an object that is deleted in the file, if the context follows the store.
    func referenceToDeleted(_ file: Snapshot) -> String? {
        if !follows { return nil }
        return context.performAndWait {
            for object in context.registeredObjects where !object.isFault && !object.isDeleted {
                for name in object.entity.relationshipsByName.keys.sorted()
                where !object.hasFault(forRelationshipNamed: name) {
                    let gone = Self.others(name, of: object).first { other in
                        !other.objectID.isTemporaryID && file.objects[Snapshot.id(other)] == nil
                    }
                    if gone != nil { return "\(Snapshot.ident(object)).\(name)" }
                }
            }
            return nil
        }
    }
}

extension Fleet {
    /// Judges the contexts of a device after a step: what they hold is in the file, and none that merges refers to a
    /// deleted object.
    func judgeContexts(of app: App) throws {
        // Contexts follow the writes of another process with a delay, and those of a pass page by page.
        if app.hasExtension || history.isUnderWay[app.place] { return }
        for onlooker in app.onlookers {
            if let difference = try onlooker.difference(from: app.seen) {
                complain("context shows something else", "\(app.name): \(difference)")
            }
        }
        for held in app.held.values {
            if let reference = held.referenceToDeleted(app.seen) {
                complain(
                    "context shows something else",
                    "\(app.name): \(reference) leads to a deleted object in a context with changes")
            }
        }
    }
}
