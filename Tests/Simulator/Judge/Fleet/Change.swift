import CoreData

/// A change that a user makes to an object in a context.
public struct Change: Sendable {
    enum Action: Sendable {
        case insert(Kind)
        case set
        case delete
        case show
        case link(String, String, isThere: Bool)
        case place(String, String, index: Int)
    }

    let action: Action
    let ident: String
    var values: [String: Value] = [:]

    /// A new object.
    public static func insert(
        _ kind: Kind, _ ident: String, _ values: [String: Value] = [:]
    ) -> Change { Change(action: .insert(kind), ident: ident, values: values) }

    /// Values of an object.
    public static func set(_ ident: String, _ values: [String: Value]) -> Change {
        Change(action: .set, ident: ident, values: values)
    }

    /// The deletion of an object.
    public static func delete(_ ident: String) -> Change { Change(action: .delete, ident: ident) }

    /// No change: the user looks at an object.
    public static func show(_ ident: String) -> Change { Change(action: .show, ident: ident) }

    /// An object that is added to a to-many relationship, or removed.
    public static func link(
        _ ident: String, _ name: String, _ other: String, isThere: Bool = true
    ) -> Change { Change(action: .link(name, other, isThere: isThere), ident: ident) }

    /// An object that is moved to an index of an ordered relationship, or inserted there.
    public static func place(
        _ member: String, in owner: String, _ name: String, at index: Int
    ) -> Change { Change(action: .place(name, member, index: index), ident: owner) }

    /// The objects that it involves, the changed one first.
    var idents: [String] {
        switch action {
        case .link(_, let other, _), .place(_, let other, _): return [ident, other]
        default: return [ident]
        }
    }

    /// The change as Swift code.
    var swift: String {
        switch action {
        case .insert(let kind):
            return ".insert(.\(kind), \(ident.debugDescription), \(values.swift))"
        case .set: return ".set(\(ident.debugDescription), \(values.swift))"
        case .delete: return ".delete(\(ident.debugDescription))"
        case .show: return ".show(\(ident.debugDescription))"
        case .link(let name, let other, let isThere):
            return ".link(\(ident.debugDescription), \(name.debugDescription),"
                + " \(other.debugDescription), isThere: \(isThere))"
        case .place(let name, let member, let index):
            return ".place(\(member.debugDescription), in: \(ident.debugDescription),"
                + " \(name.debugDescription), at: \(index))"
        }
    }

    /// Makes the change in a context.
    ///
    /// - Returns: Whether the objects exist.
    func make(in context: NSManagedObjectContext) throws -> Bool {
        switch action {
        case .insert(let kind):
            let object = NSEntityDescription.insertNewObject(
                forEntityName: kind.entityName, into: context)
            object.setValue(ident, forKey: "ident")
            try Self.set(values, of: object, in: context)
        case .set:
            guard let object = try Self.find(ident, in: context) else { return false }
            try Self.set(values, of: object, in: context)
        case .delete:
            guard let object = try Self.find(ident, in: context) else { return false }
            context.delete(object)
        case .show: return try Self.find(ident, in: context) != nil
        case .link(let name, let other, let isThere):
            return try Self.link(ident, name, other, isThere: isThere, in: context)
        case .place(let name, let member, let index):
            return try Self.place(member, in: ident, name, at: index, in: context)
        }
        return true
    }

    private static func link(
        _ ident: String, _ name: String, _ other: String, isThere: Bool,
        in context: NSManagedObjectContext
    ) throws -> Bool {
        guard let object = try find(ident, in: context), let other = try find(other, in: context),
            let relationship = object.entity.relationshipsByName[name], relationship.isToMany
        else { return false }
        if relationship.isOrdered {
            let order = order(name, of: object)
            if isThere { order.add(other) } else { order.remove(other) }
            object.setValue(NSOrderedSet(orderedSet: order), forKey: name)
        } else {
            var others = object.value(forKey: name) as? Set<NSManagedObject> ?? []
            if isThere { others.insert(other) } else { others.remove(other) }
            object.setValue(others as NSSet, forKey: name)
        }
        return true
    }

    private static func place(
        _ member: String, in owner: String, _ name: String, at index: Int,
        in context: NSManagedObjectContext
    ) throws -> Bool {
        guard let object = try find(owner, in: context), let other = try find(member, in: context),
            object.entity.relationshipsByName[name]?.isOrdered == true
        else { return false }
        place(other, in: object, name, at: index)
        return true
    }

    /// Moves an object to an index of an ordered relationship, or inserts it there.
    static func place(
        _ member: NSManagedObject, in owner: NSManagedObject, _ name: String, at index: Int
    ) {
        let order = order(name, of: owner)
        order.remove(member)
        order.insert(member, at: min(index, order.count))
        owner.setValue(NSOrderedSet(orderedSet: order), forKey: name)
    }

    private static func order(_ name: String, of object: NSManagedObject) -> NSMutableOrderedSet {
        NSMutableOrderedSet(
            orderedSet: object.value(forKey: name) as? NSOrderedSet ?? NSOrderedSet())
    }

    static func set(
        _ values: [String: Value], of object: NSManagedObject, in context: NSManagedObjectContext
    ) throws {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            if object.entity.attributesByName[name] != nil {
                object.setValue(value.stored, forKey: name)
            } else if let relationship = object.entity.relationshipsByName[name] {
                let others = try value.names.compactMap { ident -> NSManagedObject? in
                    guard let other = try find(ident, in: context),
                        let destination = relationship.destinationEntity,
                        other.entity.isKindOf(entity: destination)
                    else { return nil }
                    return other
                }
                if !relationship.isToMany {
                    object.setValue(others.first, forKey: name)
                } else if relationship.isOrdered {
                    object.setValue(NSOrderedSet(array: others), forKey: name)
                } else {
                    object.setValue(NSSet(array: others), forKey: name)
                }
            }
        }
    }

    /// The object with an identity; if there are several, the oldest one.
    static func find(
        _ ident: String, in context: NSManagedObjectContext
    ) throws -> NSManagedObject? {
        guard let root = root(of: ident) else { return nil }
        let request = NSFetchRequest<NSManagedObject>(entityName: root.entityName)
        request.predicate = NSPredicate(format: "ident == %@", ident)
        let objects = try context.fetch(request)
        return objects.min {
            $0.objectID.uriRepresentation().absoluteString
                < $1.objectID.uriRepresentation().absoluteString
        }
    }

    /// The entity of the object with an identity, whose first letter is the entity's.
    static func root(of ident: String) -> Kind? {
        switch ident.first {
        case "n": return .node
        case "l": return .list
        case "f": return .folder
        case "c": return .cover
        case "t": return .tag
        case "e": return .event
        case "d": return .draft
        case "i": return .item
        default: return nil
        }
    }
}
