import CoreData

extension SyncedDevice {
    /// Returns "ok", "skipped" if an object or a property of the edit does not exist, or the error.
    func perform(_ edit: ObjectEdit) -> String {
        do {
            let isDone = try perform { context in try apply(edit, in: context) }
            return isDone ? "ok" : "skipped"
        } catch { return Self.text(error) }
    }

    /// Makes an edit that is saved later.
    func hold(_ edit: ObjectEdit) -> String {
        do {
            let isDone = try performHeld { context in
                try apply(edit, in: context, saves: false)
            }
            return isDone ? "ok" : "skipped"
        } catch { return Self.text(error) }
    }

    /// Saves the edits that wait in the context that stays open, and closes it.
    func saveHeld() -> String {
        guard hasHeldEdits else { return "skipped" }
        defer { discardHeldEdits() }
        do {
            try performHeld { try $0.save() }
            return "ok"
        } catch { return Self.text(error) }
    }

    private func apply(
        _ edit: ObjectEdit, in context: NSManagedObjectContext, saves: Bool = true
    ) throws -> Bool {
        switch edit {
        case .insert(let key, let values):
            guard try object(key, in: context) == nil else { return false }
            insert(key, values, into: context)
        case .set(let key, let role, let value):
            guard has(role), let object = try object(key, in: context) else { return false }
            set(role, value, of: object)
        case .setElement(let key, let role, let value):
            guard let object = try object(key, in: context),
                setElement(role, value, of: object)
            else { return false }
        case .refer(let key, let role, let other):
            guard has(role), let object = try object(key, in: context) else { return false }
            let destination = try other.flatMap { try self.object($0, in: context) }
            guard other == nil || destination != nil else { return false }
            object.setValue(destination, forKey: name(role))
        case .link(let key, let role, let other, let index):
            let isDone = try changeLink(role, key, other, in: context) {
                $0.insert($1, at: index)
            }
            guard isDone else { return false }
        case .unlink(let key, let role, let other):
            let isDone = try changeLink(role, key, other, in: context) { $0.remove($1) }
            guard isDone else { return false }
        case .delete(let key):
            guard let object = try object(key, in: context) else { return false }
            context.delete(object)
        case .replace(let key, let values, let inTwoSaves):
            guard try replace(key, values, inTwoSaves: inTwoSaves, in: context)
            else { return false }
        case .batchUpdate(let entity, let keys, let role, let value):
            guard has(role) else { return false }
            try batchUpdate(entity, keys, role, value, in: context)
            return true
        case .batchDelete(let entity, let keys):
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: name(entity))
            request.predicate = predicate(keys, entity)
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
            return true
        }
        if saves { try context.save() }
        return true
    }

    // MARK: - Objects

    private func predicate(_ keys: [String], _ entity: String) -> NSPredicate {
        NSPredicate(format: "%K IN %@", argumentArray: [name(entity + ".key"), keys])
    }

    /// The object with a key. If there are several, it is the same one in each run.
    private func object(
        _ key: String, in context: NSManagedObjectContext
    ) throws -> NSManagedObject? {
        let root = ModelRoles.root(of: ModelRoles.entity(ofKey: key))
        let request = NSFetchRequest<NSManagedObject>(entityName: name(root))
        request.predicate = predicate([key], root)
        let objects = try context.fetch(request)
        if objects.count < 2 { return objects.first }
        return objects.map { (text: description(of: $0, root), object: $0) }
            .min { $0.text < $1.text }?.object
    }

    private func insert(
        _ key: String, _ values: [String: Int?], into context: NSManagedObjectContext
    ) {
        let entity = ModelRoles.entity(ofKey: key)
        let object = NSEntityDescription.insertNewObject(
            forEntityName: name(entity), into: context)
        object.setValue(key, forKey: name(ModelRoles.root(of: entity) + ".key"))
        for (role, value) in values where has(role) { set(role, value, of: object) }
    }

    private func set(_ role: String, _ value: Int?, of object: NSManagedObject) {
        object.setValue(self.value(value, of: role), forKey: name(role))
    }

    private func value(_ number: Int?, of role: String) -> Any? {
        let value = ModelRoles.attribute(role)?.value(number)
        return (value as? [String: Any]).map { todaysNames($0, of: role) } ?? value
    }

    private func replace(
        _ key: String, _ values: [String: Int?], inTwoSaves: Bool,
        in context: NSManagedObjectContext
    ) throws -> Bool {
        guard let old = try object(key, in: context) else { return false }
        context.delete(old)
        if inTwoSaves {
            try context.save()
            if try object(key, in: context) != nil { return false }
        }
        insert(key, values, into: context)
        return true
    }

    /// Changes the destinations of a to-many relationship.
    private func changeLink(
        _ role: String, _ key: String, _ other: String, in context: NSManagedObjectContext,
        _ change: (LinkedObjects, NSManagedObject) -> Void
    ) throws -> Bool {
        guard let link = ModelRoles.link(role), has(role),
            let object = try object(key, in: context),
            let destination = try self.object(other, in: context)
        else { return false }
        change(LinkedObjects(object, name(role), isOrdered: link.isOrdered), destination)
        return true
    }

    private func batchUpdate(
        _ entity: String, _ keys: [String], _ role: String, _ value: Int?,
        in context: NSManagedObjectContext
    ) throws {
        let request = NSBatchUpdateRequest(entityName: name(entity))
        request.predicate = predicate(keys, entity)
        request.propertiesToUpdate = [
            name(role): self.value(value, of: role) ?? NSExpression(forConstantValue: nil)
        ]
        _ = try context.execute(request)
    }
}

/// The destinations of an object's to-many relationship.
private struct LinkedObjects {
    private let object: NSManagedObject
    private let name: String
    private let isOrdered: Bool

    init(_ object: NSManagedObject, _ name: String, isOrdered: Bool) {
        self.object = object
        self.name = name
        self.isOrdered = isOrdered
    }

    func insert(_ destination: NSManagedObject, at index: Int) {
        guard isOrdered else { return object.mutableSetValue(forKey: name).add(destination) }
        let ordered = object.mutableOrderedSetValue(forKey: name)
        ordered.remove(destination)
        ordered.insert(destination, at: min(index, ordered.count))
    }

    func remove(_ destination: NSManagedObject) {
        if isOrdered {
            object.mutableOrderedSetValue(forKey: name).remove(destination)
        } else {
            object.mutableSetValue(forKey: name).remove(destination)
        }
    }
}
