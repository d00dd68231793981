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

    /// Writes a tag as default content, unless it is there.
    public func seed(
        _ ident: String, on device: Int, _ values: [String: Value]
    ) async throws {
        let app = app(device)
        if try shown(by: app).byIdent[ident] != nil { return }
        let first = history.edits.count
        // No user has set any of its values.
        try save(on: app, what: "seed \(ident)", wanted: [ident: values], named: [ident: []]) {
            $0.transactionAuthor = SMStore.seedAuthor
            _ = try Change.insert(.tag, ident, values).make(in: $0)
        }
        history.noteSeeds(since: first)
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
        try save(on: app(device), what: "place \(member)") {
            _ = try Change.place(member, in: owner, name, at: index).make(in: $0)
        }
    }

    /// Adds an object to a to-many relationship, or removes it.
    public func link(
        _ ident: String, _ name: String, _ other: String, isThere: Bool = true, on device: Int
    ) async throws {
        try save(on: app(device), what: "link \(ident)") {
            _ = try Change.link(ident, name, other, isThere: isThere).make(in: $0)
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
                Change.place(node, in: owner, "nodes", at: index)
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
                Change.place(node, in: owner, "nodes", at: 1)
                try context.save()
            }
            try checkOrderKeys(in: app)
            for node in crowd { context.delete(node) }
        }
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
