import CoreData
import Seam3

/// Users' changes.
extension Fleet {
    /// Creates an object. Its identity begins with the entity's letter.
    public func insert(
        _ kind: Kind, _ ident: String, on device: Int, _ values: [String: Value] = [:]
    ) async throws {
        let app = app(device)
        // An object with a natural key is named for it and exists once.
        if try shown(by: app).byIdent[ident] != nil, kind.naturalKey == nil { return }
        try save(
            on: app, what: "insert \(ident)", wanted: [ident: values],
            named: [ident: Set(values.keys)]
        ) { _ = try Change.insert(kind, ident, values).make(in: $0) }
    }

    /// Changes values of an object.
    public func set(
        _ ident: String, on device: Int, _ values: [String: Value]
    ) async throws {
        try save(on: app(device), what: "set \(ident)", wanted: [ident: values]) {
            _ = try Change.set(ident, values).make(in: $0)
        }
    }

    /// Deletes an object, with the effects of the delete rules.
    public func delete(_ ident: String, on device: Int) async throws {
        try save(on: app(device), what: "delete \(ident)") {
            _ = try Change.delete(ident).make(in: $0)
        }
    }

    /// Several changes in one save.
    public func save(_ changes: [Change], on device: Int) async throws {
        try save(on: app(device), what: "save", named: Self.named(changes)) { context in
            for change in changes { _ = try change.make(in: context) }
        }
    }

    /// Moves an object to an index of an ordered relationship, or inserts it there.
    public func place(
        _ member: String, in owner: String, _ name: String, at index: Int, on device: Int
    ) async throws {
        try save(on: app(device), what: "place \(member)") { context in
            guard let object = try Change.find(owner, in: context),
                let other = try Change.find(member, in: context),
                object.entity.relationshipsByName[name]?.isOrdered == true
            else { return }
            let order = NSMutableOrderedSet(
                orderedSet: object.value(forKey: name) as? NSOrderedSet ?? NSOrderedSet())
            order.remove(other)
            order.insert(other, at: min(index, order.count))
            object.setValue(NSOrderedSet(orderedSet: order), forKey: name)
        }
    }

    /// Adds an object to a to-many relationship, or removes it.
    public func link(
        _ ident: String, _ name: String, _ other: String, isThere: Bool = true, on device: Int
    ) async throws {
        try save(on: app(device), what: "link \(ident)") { context in
            guard let object = try Change.find(ident, in: context),
                let other = try Change.find(other, in: context),
                let relationship = object.entity.relationshipsByName[name], relationship.isToMany
            else { return }
            if relationship.isOrdered {
                let order = NSMutableOrderedSet(
                    orderedSet: object.value(forKey: name) as? NSOrderedSet ?? NSOrderedSet())
                if isThere { order.add(other) } else { order.remove(other) }
                object.setValue(NSOrderedSet(orderedSet: order), forKey: name)
            } else {
                var others = object.value(forKey: name) as? Set<NSManagedObject> ?? []
                if isThere { others.insert(other) } else { others.remove(other) }
                object.setValue(others as NSSet, forKey: name)
            }
        }
    }

    /// Inserts many new objects at one index of an ordered relationship, with one save each.
    public func insertMany(
        _ count: Int, _ prefix: String, in list: String, at index: Int, on device: Int
    ) async throws {
        for number in 0..<count {
            let ident = "\(prefix)\(number)"
            try save(on: app(device), what: "insert \(ident)") { context in
                guard let owner = try Change.find(list, in: context) else { return }
                _ = try Change.insert(.node, ident).make(in: context)
                guard let node = try Change.find(ident, in: context) else { return }
                let order = NSMutableOrderedSet(
                    orderedSet: owner.value(forKey: "nodes") as? NSOrderedSet ?? NSOrderedSet())
                order.insert(node, at: min(index, order.count))
                owner.setValue(NSOrderedSet(orderedSet: order), forKey: "nodes")
            }
        }
    }

    /// Inserts many new objects at the second position of an ordered relationship, with one save
    /// each, judges the length of the order keys, and deletes the objects again.
    public func crowd(
        _ count: Int, _ prefix: String, in list: String, on device: Int
    ) async throws {
        let app = app(device)
        try save(on: app, what: "crowd \(list)") { context in
            guard let owner = try Change.find(list, in: context) else { return }
            var crowd: [NSManagedObject] = []
            for number in 0..<count {
                let ident = "\(prefix)\(number)"
                _ = try Change.insert(.node, ident).make(in: context)
                guard let node = try Change.find(ident, in: context) else { return }
                crowd.append(node)
                let order = NSMutableOrderedSet(
                    orderedSet: owner.value(forKey: "nodes") as? NSOrderedSet ?? NSOrderedSet())
                order.insert(node, at: min(1, order.count))
                owner.setValue(NSOrderedSet(orderedSet: order), forKey: "nodes")
                try context.save()
            }
            try checkOrderKeys(in: app)
            for node in crowd { context.delete(node) }
        }
    }

    // MARK: - Unsaved changes

    /// Makes changes in a separate context without saving them yet.
    ///
    /// - Parameters:
    ///   - holder: The name of the context.
    ///   - follows: Whether the context merges the server's changes in the meantime.
    public func hold(
        _ holder: Int, on device: Int, trump: Trump = .object, follows: Bool = false,
        _ changes: [Change]
    ) async throws {
        let app = app(device)
        let context = try app.makeContext()
        context.automaticallyMergesChangesFromParent = follows
        let snapshot = try shown(by: app)
        let (made, objects) = try App.perform(context) {
            context -> ([Change], [String: String]) in
            context.mergePolicy = trump.policy
            var made: [Change] = []
            var objects: [String: String] = [:]
            for change in changes {
                let id = try Change.find(change.ident, in: context)?.objectID
                guard try change.make(in: context) else { continue }
                guard case .set = change.action else {
                    made.append(change)
                    continue
                }
                // A new object has no ID yet.
                objects[change.ident] = id.flatMap {
                    $0.isTemporaryID ? nil : $0.uriRepresentation().absoluteString
                }
                // Setting the current value is not a change, and cancels an earlier one.
                var rest = change
                let shown = snapshot.copies(of: change.ident, objects[change.ident])
                rest.values = change.values.filter { name, value in
                    !shown.contains { $0.values[name] == value.canonical }
                }
                for index in made.indices where made[index].ident == change.ident {
                    for name in change.values.keys where rest.values[name] == nil {
                        made[index].values[name] = nil
                    }
                }
                made.append(rest)
            }
            return (made, objects)
        }
        app.held[holder] = App.HeldChanges(
            context: context, follows: follows, trump: trump, changes: made, objects: objects,
            shown: snapshot)
    }

    /// Saves a context's changes.
    public func saveHeld(_ holder: Int, on device: Int) async throws {
        let app = app(device)
        try look(app)
        guard let held = app.held.removeValue(forKey: holder) else { return }
        var named: [String: Set<String>] = [:]
        for change in held.changes {
            if case .insert = change.action { named[change.ident] = Set(change.values.keys) }
        }
        var wanted: [String: [String: Value]] = [:]
        if [.object, .overwrite].contains(held.trump) {
            for change in held.changes {
                if case .set = change.action {
                    wanted[change.ident, default: [:]].merge(change.values) { $1 }
                }
                if case .delete = change.action { wanted[change.ident] = nil }
            }
            if held.follows {
                for ident in held.vanished { wanted[ident] = nil }
                for (ident, names) in held.settled {
                    for name in names { wanted[ident]?[name] = nil }
                }
            }
        }
        try save(
            on: app, in: held.context, what: "save held", wanted: wanted, of: held.objects,
            named: named
        ) { _ in }
        // Contexts are not notified of the end of a one-to-one relationship that the store sets
        // because another context has saved in the meantime.
        app.screen?.refresh()
    }

    // MARK: - Batch requests

    /// Changes a value of all objects of an entity that have a value.
    public func batchSet(
        _ kind: Kind, on device: Int, _ name: String, from former: Value, to value: Value
    ) async throws {
        let app = app(device)
        try save(on: app, what: "batch update") { context in
            let request = NSBatchUpdateRequest(entityName: kind.entityName)
            if let stored = former.stored {
                request.predicate = NSPredicate(
                    format: "%K == %@", argumentArray: [name, stored])
            } else {
                request.predicate = NSPredicate(format: "%K == nil", name)
            }
            request.propertiesToUpdate = [name: value.stored ?? NSNull()]
            request.resultType = .updatedObjectIDsResultType
            let result = try context.execute(request) as? NSBatchUpdateResult
            app.mergeBatch(
                result?.result as? [NSManagedObjectID] ?? [], asValuesFor: NSUpdatedObjectsKey)
        }
    }

    /// Deletes the objects with certain identities with a batch request.
    public func batchDelete(_ kind: Kind, _ idents: [String], on device: Int) async throws {
        let app = app(device)
        try save(on: app, what: "batch delete") { context in
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: kind.entityName)
            fetch.predicate = NSPredicate(format: "ident IN %@", idents)
            let request = NSBatchDeleteRequest(fetchRequest: fetch)
            request.resultType = .resultTypeObjectIDs
            let result = try context.execute(request) as? NSBatchDeleteResult
            app.mergeBatch(
                result?.result as? [NSManagedObjectID] ?? [], asValuesFor: NSDeletedObjectsKey)
        }
    }

    /// Creates objects with a batch request.
    public func batchInsert(
        _ kind: Kind, _ idents: [String], on device: Int, _ values: [String: Value]
    ) async throws {
        let app = app(device)
        let there = try shown(by: app).byIdent
        let rows = idents.filter { there[$0] == nil }.map { ident -> [String: Any] in
            var row: [String: Any] = ["ident": ident]
            for (name, value) in values { row[name] = value.stored }
            return row
        }
        if rows.isEmpty { return }
        try save(
            on: app, what: "batch insert",
            named: Dictionary(uniqueKeysWithValues: idents.map { ($0, Set(values.keys)) })
        ) { context in
            let request = NSBatchInsertRequest(entityName: kind.entityName, objects: rows)
            request.resultType = .objectIDs
            let result = try context.execute(request) as? NSBatchInsertResult
            app.mergeBatch(
                result?.result as? [NSManagedObjectID] ?? [], asValuesFor: NSInsertedObjectsKey)
        }
    }
}
