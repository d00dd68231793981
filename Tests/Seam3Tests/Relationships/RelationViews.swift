import CoreData
import Seam3
import Testing

/// What an app shows of a device's store: a context that merges automatically, one that only the store and the app merge
/// into, and a fetched results controller in each of them.
final class RelationViews {
    private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
        func controllerDidChangeContent(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>
        ) {}
    }

    private struct View {
        let name: String
        let context: NSManagedObjectContext
        let controller: NSFetchedResultsController<NSManagedObject>
    }

    private let kind: RelationKind
    private let device: Device
    private let follower = Follower()
    private var views: [View] = []
    private var observer: (any NSObjectProtocol)?

    init(_ kind: RelationKind, of device: Device) throws {
        self.kind = kind
        self.device = device
        let merging = device.container.newBackgroundContext()
        merging.automaticallyMergesChangesFromParent = true
        let following = device.container.newBackgroundContext()
        device.store.mergeServerChanges(into: following)
        observer = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didSaveObjectsNotification, object: nil, queue: nil
        ) { [coordinator = device.container.persistentStoreCoordinator] notification in
            guard let saved = notification.object as? NSManagedObjectContext,
                saved.persistentStoreCoordinator === coordinator
            else { return }
            nonisolated(unsafe) let notification = notification
            following.performAndWait { following.mergeChanges(fromContextDidSave: notification) }
        }
        for (name, context) in [("merging", merging), ("following", following)] {
            context.retainsRegisteredObjects = true
            views.append(try view(name, context))
        }
    }

    deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    // MARK: - Sections

    /// The entity whose objects the controllers show.
    private var entity: String {
        kind.isToMany && !kind.isInverseToMany ? kind.memberEntity : kind.ownerEntity
    }

    /// The key path of the sections' names. It leads through a to-one relationship if there is one. The names of the objects
    /// never change, so that each change of a section is one of the relationship.
    private var sectionKeyPath: String? {
        switch kind.attribute {
        case .required: return "value"
        case .optional: return nil
        case nil: break
        }
        if !kind.isToMany { return "children.name" }
        return kind.isInverseToMany ? nil : "parents.name"
    }

    private func request() -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [sectionKeyPath, "name"].compactMap { $0 }
            .map { NSSortDescriptor(key: $0, ascending: true) }
        return request
    }

    private func view(_ name: String, _ context: NSManagedObjectContext) throws -> View {
        let controller = NSFetchedResultsController(
            fetchRequest: request(), managedObjectContext: context,
            sectionNameKeyPath: sectionKeyPath, cacheName: nil)
        // A controller tracks changes only if it has a delegate.
        controller.delegate = follower
        nonisolated(unsafe) let tracked = controller
        let kind = kind
        try context.performAndWait {
            try tracked.performFetch()
            _ = try RelationTable(kind, in: context)
        }
        return View(name: name, context: context, controller: controller)
    }

    private func section(_ object: NSManagedObject) -> String {
        sectionKeyPath.flatMap { object.value(forKeyPath: $0) as? String } ?? ""
    }

    private static func name(_ object: NSManagedObject) -> String {
        object.value(forKey: "name") as? String ?? "?"
    }

    /// The sections of a plain fetch in a new context.
    private func plainSections() throws -> [String] {
        let context = device.container.newBackgroundContext()
        nonisolated(unsafe) let this = self
        return try context.performAndWait {
            var sections: [(name: String, objects: [String])] = []
            for object in try context.fetch(this.request()) {
                let name = this.section(object)
                if sections.last?.name != name { sections.append((name, [])) }
                sections[sections.count - 1].objects.append(Self.name(object))
            }
            return sections.map { "\($0.name): \($0.objects.joined(separator: ", "))" }
        }
    }

    private func sections(
        of controller: NSFetchedResultsController<NSManagedObject>
    ) -> [String] {
        (controller.sections ?? []).filter { $0.numberOfObjects > 0 }.map { section in
            let objects = (section.objects ?? []).compactMap { $0 as? NSManagedObject }
            // A section whose key path is nil has no name, or an empty one.
            let name = objects.first.map(self.section) ?? ""
            return
                "\(name.isEmpty ? "" : section.name): \(objects.map(Self.name).joined(separator: ", "))"
        }
    }

    // MARK: - Comparison

    /// What a view shows otherwise than the file.
    func differences() throws -> [String] {
        let file = try RelationTable(kind, inFileOf: device)
        let plain = try plainSections()
        var differences: [String] = []
        for view in views {
            nonisolated(unsafe) let (view, this) = (view, self)
            let shown = try view.context.performAndWait {
                view.context.processPendingChanges()
                return (
                    table: try RelationTable(this.kind, in: view.context),
                    sections: this.sections(of: view.controller),
                    hasChanges: view.context.hasChanges
                )
            }
            if shown.table != file {
                differences.append("\(view.name) context: \(shown.table)\nfile: \(file)")
            }
            if shown.sections != plain {
                differences.append(
                    "\(view.name) controller: \(shown.sections)\nplain fetch: \(plain)")
            }
            if shown.hasChanges { differences.append("\(view.name) context has changes") }
        }
        if try !device.read({ $0.hasChanges }) {
            let shown = try device.read { try RelationTable(kind, in: $0) }
            if shown != file { differences.append("editing context: \(shown)\nfile: \(file)") }
        }
        return differences
    }
}
