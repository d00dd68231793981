import CoreData

extension App {
    /// A context's unsaved changes.
    struct HeldChanges {
        let context: NSManagedObjectContext
        let follows: Bool
        let trump: Trump
        /// The user's changes.
        private(set) var changes: [Change] = []
        /// The store's IDs of the objects that the changes have set values of.
        private(set) var objects: [String: String] = [:]
        /// The changes, compared with what the context had shown.
        private(set) var own = OwnChanges()
        /// The store's IDs of the objects when they were first used.
        private var names: [String: String] = [:]
        /// A context does not retain the objects that it has only shown.
        private var retained: [NSManagedObject] = []
        /// The objects that were missing at some time since then. A context that follows the store
        /// has dropped them and does not save them.
        private(set) var vanished: Set<String> = []
        /// The properties for which the store has had the user's value at some time since then. In
        /// a context that follows the store, they count as unchanged.
        private(set) var settled: [String: Set<String>] = [:]
        /// The same of links.
        private(set) var settledLinks: Set<String> = []

        init(context: NSManagedObjectContext, follows: Bool, trump: Trump) {
            self.context = context
            self.follows = follows
            self.trump = trump
        }

        /// Makes changes in the context.
        ///
        /// - Parameter shown: The device's objects.
        mutating func make(_ changes: [Change], shown: Snapshot) throws {
            try App.perform(context) { context in
                context.mergePolicy = trump.policy
                for change in changes { try make(change, in: context) }
            }
            let idents = Set(changes.flatMap(\.idents))
            for (id, object) in shown.objects
            where idents.contains(object.ident) && !vanished.contains(object.ident) {
                names[object.ident] = min(id, names[object.ident] ?? id)
            }
            names.merge(objects) { $1 }
        }

        private mutating func make(_ change: Change, in context: NSManagedObjectContext) throws {
            let objects = try change.idents.map { try Change.find($0, in: context) }
            guard let object = objects[0] else {
                if try change.make(in: context) { self.changes.append(change) }
                return
            }
            retained += objects.compactMap { $0 }
            switch change.action {
            case .insert: if try change.make(in: context) { changes.append(change) }
            case .delete: try delete(change, of: object, in: context)
            case .show: show(object)
            case .set: try set(change, of: object, in: context)
            case .link(let name, let other, _), .place(let name, let other, _):
                guard objects.count > 1, let end = objects[1] else { return }
                try relate(change, object, name, other, end, in: context)
            }
        }

        /// Reads all of an object's properties, and what it is related to.
        private mutating func show(_ object: NSManagedObject) {
            for name in object.entity.propertiesByName.keys.sorted() {
                let others = Self.others(name, of: object)
                for other in others { _ = Snapshot.ident(other) }
                retained += others
            }
        }

        /// The objects to which a relationship leads.
        static func others(
            _ name: String, of object: NSManagedObject
        ) -> [NSManagedObject] {
            switch object.value(forKey: name) {
            case let other as NSManagedObject: return [other]
            case let set as Set<NSManagedObject>: return Array(set)
            case let order as NSOrderedSet:
                return order.array.compactMap { $0 as? NSManagedObject }
            default: return []
            }
        }

        private mutating func delete(
            _ change: Change, of object: NSManagedObject, in context: NSManagedObjectContext
        ) throws {
            // The delete rules change the ends of the object's relationships, too.
            var gone = [object]
            for (name, relationship) in object.entity.relationshipsByName
            where relationship.deleteRule == .cascadeDeleteRule {
                gone += Self.others(name, of: object)
            }
            // The store has never had a new object, but may have another one of its name.
            let shown = gone.filter { !$0.objectID.isTemporaryID }.map { object in
                (
                    Snapshot.ident(object),
                    object.entity.relationshipsByName.compactMapValues {
                        Snapshot.value($0.name, of: object)
                    }
                )
            }
            guard try change.make(in: context) else { return }
            changes.append(change)
            for (ident, values) in shown { own.delete(ident, values) }
        }

        private mutating func set(
            _ change: Change, of object: NSManagedObject, in context: NSManagedObjectContext
        ) throws {
            let former = change.values.keys.reduce(into: [String: Value]()) { values, name in
                values[name] = Snapshot.value(name, of: object)
            }
            let id = object.objectID
            let partners = try Self.partners(of: object, change, in: context)
            guard try change.make(in: context) else { return }
            for (other, name, former) in partners {
                guard let now = Snapshot.value(name, of: other), now != former else { continue }
                own.set(name, of: Snapshot.ident(other), from: former, to: now)
            }
            // A new object has no ID yet.
            objects[change.ident] =
                id.isTemporaryID ? nil : id.uriRepresentation().absoluteString
            // Setting the former value is not a change, and cancels an earlier one.
            var rest = change
            for (name, value) in change.values {
                guard let former = former[name] else { continue }
                let now = Snapshot.value(name, of: object) ?? value.canonical
                own.set(name, of: change.ident, from: former, to: now)
                if own.values[change.ident]?[name] == nil { rest.values[name] = nil }
            }
            for index in changes.indices where changes[index].ident == change.ident {
                guard case .set = changes[index].action else { continue }
                for name in change.values.keys where rest.values[name] == nil {
                    changes[index].values[name] = nil
                }
            }
            changes.append(rest)
        }

        /// The other covers whose nodes a change may set or take away, and their present nodes, and the same of
        /// nodes' partners. An object does not get its own back if the change is undone.
        private static func partners(
            of object: NSManagedObject, _ change: Change, in context: NSManagedObjectContext
        ) throws -> [(object: NSManagedObject, name: String, value: Value)] {
            var others: [String: Set<NSManagedObject>] = [:]
            for name in ["node", "cover", "partner"] {
                guard let value = change.values[name], object.entity.propertiesByName[name] != nil
                else { continue }
                let ends =
                    try value.names.compactMap { try Change.find($0, in: context) }
                    + Self.others(name, of: object)
                let next = name == "node" ? "cover" : "partner"
                let decider = name == "partner" ? name : "node"
                if name != "node" { others[decider, default: []].formUnion(ends) }
                if name == "cover" { continue }
                others[decider, default: []].formUnion(ends.flatMap { Self.others(next, of: $0) })
            }
            return others.flatMap { name, objects in
                objects.subtracting([object]).compactMap { other in
                    Snapshot.value(name, of: other).map { (other, name, $0) }
                }
            }
        }

        /// Makes a change of a relationship.
        private mutating func relate(
            _ change: Change, _ object: NSManagedObject, _ name: String, _ other: String,
            _ end: NSManagedObject, in context: NSManagedObjectContext
        ) throws {
            let former = Snapshot.value(name, of: object)
            let inverse = object.entity.relationshipsByName[name]?.inverseRelationship?.name
            let owner = inverse.flatMap { Snapshot.value($0, of: end) }
            guard let former, let inverse, let owner, try change.make(in: context),
                let now = Snapshot.value(name, of: object)
            else { return }
            changes.append(change)
            own.order(name, of: change.ident)
            own.order(inverse, of: other)
            let isThere = now.names.contains(other)
            guard isThere != former.names.contains(other) else { return }
            if let pair = Snapshot.pair(change.ident, name, other) {
                own.link(pair, isThere: isThere)
            } else {
                own.set(
                    inverse, of: other, from: owner, to: isThere ? .object(change.ident) : .none)
            }
        }

        /// The present identities of objects that had others when the context first used them.
        func renamed(in snapshot: Snapshot) -> Set<String> {
            Set(
                names.compactMap { ident, id in
                    snapshot.objects[id].flatMap { $0.ident == ident ? nil : $0.ident }
                })
        }

        /// The attributes that objects of the store may get because an object that this context makes, or makes
        /// again, has the same unique values, by the store's IDs. These may be values that the context has
        /// given both. The object in the store remains. If the context's side wins, it gets all attributes
        /// of the other one, those that nobody has set, too.
        func valuesTaken(by stored: Snapshot) -> [String: [String: Value]] {
            guard [.object, .overwrite].contains(trump) else { return [:] }
            return context.performAndWait {
                var taken: [String: [String: Value]] = [:]
                for object in context.insertedObjects.union(context.updatedObjects)
                where stored.objects[Snapshot.id(object)] == nil {
                    guard let kind = Snapshot.kind(of: object), !kind.uniqueAttributes.isEmpty
                    else { continue }
                    func values(_ names: [String]) -> [String: Value] {
                        names.reduce(into: [:]) { $0[$1] = Snapshot.value($1, of: object) }
                    }
                    let key = values(kind.uniqueAttributes)
                    if key.values.contains(.none) { continue }
                    for (id, other) in stored.objects
                    where other.kind == kind
                        && key.allSatisfy({ name, value in
                            let own = own.values[other.ident]?[name]?.now
                            return other.values[name] == value || own == value
                        })
                    {
                        taken[id] = values(kind.attributes.map(\.name))
                    }
                }
                return taken
            }
        }

        /// The changes of a context that follows the store. It has also merged what the store has
        /// of the objects that it has deleted.
        func merged(_ snapshot: Snapshot) -> OwnChanges {
            var own = own
            for object in snapshot.objects.values where own.deleted.contains(object.ident) {
                own.delete(object.ident, object.values)
            }
            return own
        }

        /// Notes what the context may have merged.
        mutating func look(at snapshot: Snapshot) {
            for (ident, name) in names where snapshot.objects[name] == nil {
                vanished.insert(ident)
            }
            for change in changes {
                guard case .set = change.action else { continue }
                let object = snapshot.copies(of: change.ident, objects[change.ident]).first
                for (name, value) in change.values
                where object?.values[name] == value.canonical {
                    settled[change.ident, default: []].insert(name)
                }
            }
            let links = snapshot.links
            settledLinks.formUnion(own.links.filter { links.contains($0.key) == $0.value }.keys)
        }
    }
}
