import CoreData
import Seam3
import Testing

/// One attribute or one relationship, which is alone in its model, apart from the names of the objects.
///
/// The relationship leads from `children` of the entity `Owner` to `parents` of the entity `Member`, or of `Owner`
/// itself.
struct RelationKind: Sendable, CustomTestStringConvertible {
    enum Attribute: Sendable { case required, optional }

    let name: String
    /// The attribute `value`; nil if there is a relationship instead.
    var attribute: Attribute?
    var isToMany = false
    var isInverseToMany = false
    var isOrdered = false
    var isInverseOrdered = false
    /// Whether both ends are of the same entity.
    var isAmongOwners = false
    /// Whether the relationship is its own inverse, so that there are no `parents`.
    var isOwnInverse = false
    var hasInverse = true

    var testDescription: String { name }

    static let requiredAttribute = RelationKind(name: "required attribute", attribute: .required)
    static let optionalAttribute = RelationKind(name: "optional attribute", attribute: .optional)
    static let toOneWithoutInverse = RelationKind(name: "to-one without inverse", hasInverse: false)
    static let oneToOne = RelationKind(name: "one-to-one")
    static let ownInverseToOne = RelationKind(
        name: "to-one that is its own inverse", isAmongOwners: true, isOwnInverse: true)
    static let oneToMany = RelationKind(name: "one-to-many", isToMany: true)
    static let orderedOneToMany = RelationKind(
        name: "ordered one-to-many", isToMany: true, isOrdered: true)
    static let manyToMany = RelationKind(
        name: "many-to-many", isToMany: true, isInverseToMany: true)
    static let orderedManyToMany = RelationKind(
        name: "many-to-many, ordered at both ends", isToMany: true, isInverseToMany: true,
        isOrdered: true, isInverseOrdered: true)
    static let ownInverseManyToMany = RelationKind(
        name: "many-to-many that is its own inverse", isToMany: true, isInverseToMany: true,
        isAmongOwners: true, isOwnInverse: true)
    static let orderedOwnInverse = RelationKind(
        name: "ordered many-to-many that is its own inverse", isToMany: true,
        isInverseToMany: true, isOrdered: true, isInverseOrdered: true, isAmongOwners: true,
        isOwnInverse: true)
    static let parentAndChildren = RelationKind(
        name: "parent and children of one entity", isToMany: true, isAmongOwners: true)
    static let orderedParentAndChildren = RelationKind(
        name: "parent and ordered children of one entity", isToMany: true, isOrdered: true,
        isAmongOwners: true)

    /// Whether each pair is a record of its own.
    var hasLinks: Bool { isToMany && isInverseToMany }
    var isOneToOne: Bool { attribute == nil && hasInverse && !isToMany && !isInverseToMany }
    var ownerEntity: String { "Owner" }
    var memberEntity: String { isAmongOwners || attribute != nil ? "Owner" : "Member" }
    var entities: [String] { ownerEntity == memberEntity ? ["Owner"] : ["Owner", "Member"] }
    /// The property at a pair's other end; nil if there is none.
    var inverseKey: String? { !hasInverse ? nil : isOwnInverse ? "children" : "parents" }

    /// The properties of an entity's objects, besides their name.
    func keys(of entity: String) -> [String] {
        if attribute != nil { return ["value"] }
        var keys = entity == ownerEntity ? ["children"] : []
        if entity == memberEntity, hasInverse, !isOwnInverse { keys.append("parents") }
        return keys
    }

    func isToMany(_ key: String) -> Bool { key == "children" ? isToMany : isInverseToMany }
    func isOrdered(_ key: String) -> Bool { key == "children" ? isOrdered : isInverseOrdered }

    /// A new model. All devices of a test share one.
    func model() -> NSManagedObjectModel {
        let owner = NSEntityDescription(
            "Owner", [NSAttributeDescription("name", .stringAttributeType)])
        if let attribute {
            let value = NSAttributeDescription("value", .stringAttributeType)
            value.isOptional = attribute == .optional
            if attribute == .required { value.defaultValue = "default" }
            owner.properties += [value]
            return NSManagedObjectModel(owner)
        }
        let count = isToMany ? 0 : 1
        if isOwnInverse {
            NSRelationshipDescription.addOwnInverse("children", count, to: owner)
            owner.relationshipsByName["children"]?.isOrdered = isOrdered
            return NSManagedObjectModel(owner)
        }
        let member =
            isAmongOwners
            ? owner
            : NSEntityDescription("Member", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join(
            (owner, "children", count), (member, "parents", isInverseToMany ? 0 : 1))
        owner.relationshipsByName["children"]?.isOrdered = isOrdered
        member.relationshipsByName["parents"]?.isOrdered = isInverseOrdered
        if !hasInverse {
            owner.relationshipsByName["children"]?.inverseRelationship = nil
            owner.relationshipsByName["children"]?.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
            member.properties.removeAll { $0.name == "parents" }
        }
        let model = NSManagedObjectModel()
        model.entities = isAmongOwners ? [owner] : [owner, member]
        return model
    }

    // MARK: - Objects

    /// Inserts an object with a name.
    @discardableResult
    static func insert(
        _ entity: String, _ name: String, in context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: "name")
        return object
    }

    /// Makes two objects a pair, at one of its ends.
    ///
    /// - Parameter index: The place in an ordered relationship; nil for its end.
    static func relate(
        _ object: NSManagedObject, _ key: String, _ other: NSManagedObject, at index: Int? = nil
    ) {
        let relationship = object.entity.relationshipsByName[key]
        guard relationship?.isToMany == true else { return object.setValue(other, forKey: key) }
        guard relationship?.isOrdered == true else {
            return object.mutableSetValue(forKey: key).add(other)
        }
        let members = object.mutableOrderedSetValue(forKey: key)
        if !members.contains(other) { members.insert(other, at: min(index ?? .max, members.count)) }
    }

    /// Separates two objects, at one of a pair's ends.
    static func separate(_ object: NSManagedObject, _ key: String, _ other: NSManagedObject) {
        let relationship = object.entity.relationshipsByName[key]
        guard relationship?.isToMany == true else { return object.setValue(nil, forKey: key) }
        if relationship?.isOrdered == true {
            object.mutableOrderedSetValue(forKey: key).remove(other)
        } else {
            object.mutableSetValue(forKey: key).remove(other)
        }
    }
}
