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

    /// Reads all objects of a context's store.
    ///
    /// - Parameter take: Called with each object.
    init(
        reading context: NSManagedObjectContext, _ take: (NSManagedObject) -> Void = { _ in }
    ) throws {
        for root in Kind.roots {
            let request = NSFetchRequest<NSManagedObject>(entityName: root.entityName)
            request.returnsObjectsAsFaults = false
            for object in try context.fetch(request) {
                take(object)
                guard let kind = object.entity.name.flatMap(Kind.init(entityName:)) else {
                    continue
                }
                objects[object.objectID.uriRepresentation().absoluteString] = Object(
                    kind: kind, ident: Self.ident(object), values: Self.values(object, kind))
            }
        }
    }

    init() {}

    static func ident(_ object: NSManagedObject) -> String {
        object.value(forKey: "ident") as? String ?? "?"
    }

    private static func values(_ object: NSManagedObject, _ kind: Kind) -> [String: Value] {
        var values: [String: Value] = [:]
        let names = object.entity.attributesByName
        for attribute in kind.attributes where names[attribute.name] != nil {
            values[attribute.name] = Value(
                stored: object.value(forKey: attribute.name), as: attribute)
        }
        for name in kind.toOne.keys {
            let other = object.value(forKey: name) as? NSManagedObject
            values[name] = other.map { .object(ident($0)) } ?? Value.none
        }
        for (name, relationship) in kind.toMany {
            if relationship.isOrdered {
                let others = object.value(forKey: name) as? NSOrderedSet
                values[name] = .ordered(
                    (others?.array ?? []).compactMap { $0 as? NSManagedObject }.map(ident))
            } else {
                let others = object.value(forKey: name) as? Set<NSManagedObject> ?? []
                values[name] = .objects(others.map(ident).sorted())
            }
        }
        return values
    }
}
