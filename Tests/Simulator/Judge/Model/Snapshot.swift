import CoreData

/// The state of the user's objects at one moment on one place, a device or the server.
struct Snapshot: Equatable {
    /// One object. Under `keepBoth` several may have one identity.
    struct Object: Equatable {
        let kind: Kind
        let ident: String
        var values: [String: Value]
    }

    /// The objects by the place's own IDs.
    var objects: [String: Object] = [:]
    /// The IDs of the destinations of to-one relationships, by the objects' IDs, where several objects
    /// have the destination's identity.
    var destinations: [String: [String: String]] = [:]
    /// The same of to-many relationships.
    var members: [String: [String: [String]]] = [:]

    /// The objects of each identity.
    var byIdent: [String: [Object]] {
        Dictionary(grouping: objects.values, by: \.ident).mapValues { copies in
            copies.count < 2 ? copies : copies.sorted { $0.values.swift < $1.values.swift }
        }
    }

    /// The object with an ID, or, if there is none, those of an identity.
    func copies(of ident: String, _ id: String?) -> [Object] {
        id.flatMap { objects[$0] }.map { [$0] } ?? byIdent[ident] ?? []
    }

    /// The ID of the object to which a to-one relationship leads.
    func destination(_ name: String, of id: String) -> String? {
        if let known = destinations[id]?[name] { return known }
        guard case .object(let target)? = objects[id]?.values[name] else { return nil }
        return objects.first { $0.value.ident == target }?.key
    }

    /// The IDs of the objects to which a relationship leads, in order if that is one of its properties; nil if
    /// they are not known.
    private func targets(_ name: String, of id: String) -> [String]? {
        if let known = members[id]?[name] { return known }
        func ids(_ idents: [String]) -> [String]? {
            let ids = idents.compactMap { ident in objects.first { $0.value.ident == ident }?.key }
            return ids.count == idents.count ? ids : nil
        }
        switch objects[id]?.values[name] {
        case .object?: return destination(name, of: id).map { [$0] }
        case .objects(let idents)?: return ids(idents)?.sorted()
        case .ordered(let idents)?: return ids(idents)
        default: return nil
        }
    }

    /// The IDs of the objects that are not the same in a later snapshot. An object that is related to the
    /// same objects as before is the same, even if the natural keys of these have given them other identities.
    func changes(to later: Snapshot) -> Set<String> {
        Set(objects.keys).union(later.objects.keys).filter { id in
            guard let former = objects[id], let now = later.objects[id] else { return true }
            if former == now { return false }
            guard former.kind == now.kind, former.ident == now.ident else { return true }
            return Set(former.values.keys).union(now.values.keys).contains { name in
                if former.values[name] == now.values[name] { return false }
                guard let others = targets(name, of: id) else { return true }
                return others != later.targets(name, of: id)
            }
        }
    }

    /// The pairs of the many-to-many relationships.
    var links: Set<String> {
        var links: Set<String> = []
        for object in objects.values {
            for (kind, name) in Kind.links
            where kind == object.kind || kind == .node && object.kind == .leaf {
                for other in object.values[name]?.names ?? [] {
                    links.insert(Self.link(name, object.ident, other))
                }
            }
        }
        return links
    }

    static func link(_ name: String, _ first: String, _ second: String) -> String {
        let ends = name == "friends" ? [first, second].sorted() : [first, second]
        return "\(name)|\(ends[0])|\(ends[1])"
    }

    /// The pair of a many-to-many relationship, which has a name at each end; nil for other
    /// relationships.
    static func pair(_ ident: String, _ name: String, _ other: String) -> String? {
        switch (name, ident.first) {
        case ("friends", _), ("tags", _), ("picks", _): return link(name, ident, other)
        case ("picked", _): return link("picks", other, ident)
        case ("nodes", "t"): return link("tags", other, ident)
        default: return nil
        }
    }

    /// Reads all objects of a context's store.
    ///
    /// - Parameter take: Called with each object.
    init(
        reading context: NSManagedObjectContext, _ take: (NSManagedObject) -> Void = { _ in }
    ) throws {
        var all: [(id: String, kind: Kind, object: NSManagedObject)] = []
        for root in Kind.roots {
            let request = NSFetchRequest<NSManagedObject>(entityName: root.entityName)
            request.returnsObjectsAsFaults = false
            for object in try context.fetch(request) {
                take(object)
                guard let kind = Self.kind(of: object) else { continue }
                let id = Self.id(object)
                objects[id] = Object(
                    kind: kind, ident: Self.ident(object), values: Self.values(object, kind))
                all.append((id, kind, object))
            }
        }
        let copied = Set(byIdent.filter { $0.value.count > 1 }.keys)
        if copied.isEmpty { return }
        for (id, kind, object) in all {
            for name in kind.toOne.keys {
                guard let other = object.value(forKey: name) as? NSManagedObject,
                    copied.contains(Self.ident(other))
                else { continue }
                destinations[id, default: [:]][name] = Self.id(other)
            }
            for (name, relationship) in kind.toMany {
                let others = Self.others(name, of: object, isOrdered: relationship.isOrdered)
                guard others.contains(where: { copied.contains(Self.ident($0)) }) else { continue }
                let ids = others.map(Self.id)
                members[id, default: [:]][name] = relationship.isOrdered ? ids : ids.sorted()
            }
        }
    }

    init() {}

    static func id(_ object: NSManagedObject) -> String {
        object.objectID.uriRepresentation().absoluteString
    }

    static func ident(_ object: NSManagedObject) -> String {
        object.value(forKey: "ident") as? String ?? "?"
    }

    static func values(_ object: NSManagedObject, _ kind: Kind) -> [String: Value] {
        var values: [String: Value] = [:]
        let names = object.entity.attributesByName
        for attribute in kind.attributes where names[attribute.name] != nil {
            values[attribute.name] = Value(
                stored: object.value(forKey: attribute.name), as: attribute)
        }
        for name in kind.toOne.keys { values[name] = destination(name, of: object) }
        for (name, relationship) in kind.toMany {
            values[name] = members(name, of: object, isOrdered: relationship.isOrdered)
        }
        return values
    }

    /// The value of one property; nil if the object does not have it.
    static func value(_ name: String, of object: NSManagedObject) -> Value? {
        guard let kind = kind(of: object) else { return nil }
        if kind.toOne[name] != nil { return destination(name, of: object) }
        if let relationship = kind.toMany[name] {
            return members(name, of: object, isOrdered: relationship.isOrdered)
        }
        guard let attribute = kind.attributes.first(where: { $0.name == name }),
            object.entity.attributesByName[name] != nil
        else { return nil }
        return Value(stored: object.value(forKey: name), as: attribute)
    }

    private static func destination(_ name: String, of object: NSManagedObject) -> Value {
        let other = object.value(forKey: name) as? NSManagedObject
        return other.map { .object(ident($0)) } ?? Value.none
    }

    private static func members(
        _ name: String, of object: NSManagedObject, isOrdered: Bool
    ) -> Value {
        let idents = others(name, of: object, isOrdered: isOrdered).map(ident)
        return isOrdered ? .ordered(idents) : .objects(idents.sorted())
    }

    private static func others(
        _ name: String, of object: NSManagedObject, isOrdered: Bool
    ) -> [NSManagedObject] {
        if isOrdered {
            let others = object.value(forKey: name) as? NSOrderedSet
            return (others?.array ?? []).compactMap { $0 as? NSManagedObject }
        }
        return Array(object.value(forKey: name) as? Set<NSManagedObject> ?? [])
    }

    static func kind(of object: NSManagedObject) -> Kind? {
        object.entity.name.flatMap(Kind.init(entityName:))
    }
}
