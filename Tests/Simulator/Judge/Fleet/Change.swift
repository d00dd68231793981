import CoreData

/// A change that a user makes to an object in a context.
public struct Change: Sendable {
    enum Action: Sendable {
        case insert(Kind)
        case set
        case delete
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

    /// The change as Swift code.
    var swift: String {
        switch action {
        case .insert(let kind):
            return ".insert(.\(kind), \(ident.debugDescription), \(values.swift))"
        case .set: return ".set(\(ident.debugDescription), \(values.swift))"
        case .delete: return ".delete(\(ident.debugDescription))"
        }
    }

    /// Makes the change in a context.
    ///
    /// - Returns: Whether the object exists.
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
        }
        return true
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
