import CoreData
import Seam3
import SeededRandom

/// A version of a model with every kind of relationship, and random changes that lead to the next one.
///
/// Everything that is renamed has its first name as its renaming identifier.
struct StaffVersion {
    struct Attribute {
        let first: String
        var name: String
        var type: NSAttributeType
        var field: String?
        var isEncrypted = false
        var isExternal = false
        /// Makes the attribute required.
        var defaultValue: String?

        init(_ name: String, _ type: NSAttributeType = .stringAttributeType) {
            (first, self.name, self.type) = (name, name, type)
        }
    }

    struct End {
        let entity: String
        let first: String
        var name: String
        var isToMany: Bool
        var isOrdered: Bool
        var field: String?

        init(_ entity: String, _ name: String, isToMany: Bool = false, isOrdered: Bool = false) {
            (self.entity, first, self.name) = (entity, name, name)
            (self.isToMany, self.isOrdered) = (isToMany, isOrdered)
        }
    }

    struct Relationship {
        var source: End
        var target: End
    }

    /// First name of an entity → its name.
    private(set) var entities = [
        "Person": "Person", "Team": "Team", "Tag": "Tag", "Desk": "Desk",
    ]
    /// First name of an entity → its attributes, in addition to the key.
    private(set) var attributes = [
        "Person": [
            Attribute("name"), Attribute("note"), Attribute("age", .integer32AttributeType),
            Attribute("photo", .binaryDataAttributeType),
        ],
        "Team": [Attribute("title"), Attribute("size", .integer32AttributeType)],
        "Tag": [Attribute("label")], "Desk": [Attribute("place")],
    ]
    private(set) var relationships = [
        Relationship(
            source: End("Person", "team"),
            target: End("Team", "members", isToMany: true, isOrdered: true)),
        Relationship(
            source: End("Person", "chief"), target: End("Person", "reports", isToMany: true)),
        Relationship(
            source: End("Person", "tags", isToMany: true, isOrdered: true),
            target: End("Tag", "people", isToMany: true)),
        Relationship(
            source: End("Team", "topics", isToMany: true),
            target: End("Tag", "teams", isToMany: true)),
        Relationship(source: End("Person", "desk"), target: End("Desk", "person")),
    ]
    /// First names of what the change to this version has removed or put in another order.
    private(set) var removed: Set<String> = []
    /// First names of what the change to this version has added.
    private(set) var added: Set<String> = []
    /// The number of names and fields that have been given.
    private var counter = 0

    // MARK: - The model

    func model() -> NSManagedObjectModel {
        var descriptions: [String: NSEntityDescription] = [:]
        for (first, name) in entities {
            let entity = NSEntityDescription(
                name, [NSAttributeDescription("key", .stringAttributeType)])
            entity.properties += (attributes[first] ?? []).map(Self.description)
            entity.renamingIdentifier = first
            descriptions[first] = entity
        }
        for relationship in relationships {
            let ends = [relationship.source, relationship.target]
            guard let source = descriptions[ends[0].entity],
                let target = descriptions[ends[1].entity]
            else { continue }
            NSRelationshipDescription.join(
                (source, ends[0].name, ends[0].isToMany ? 0 : 1),
                (target, ends[1].name, ends[1].isToMany ? 0 : 1))
            for (entity, end) in zip([source, target], ends) {
                let description = entity.relationshipsByName[end.name]
                description?.isOrdered = end.isOrdered
                description?.renamingIdentifier = end.first
                description?.userInfo = Self.userInfo(end.field)
            }
        }
        let model = NSManagedObjectModel()
        model.entities = descriptions.sorted { $0.key < $1.key }.map(\.value)
        return model
    }

    private static func description(of attribute: Attribute) -> NSAttributeDescription {
        let description = NSAttributeDescription(attribute.name, attribute.type)
        description.renamingIdentifier = attribute.first
        description.userInfo = userInfo(attribute.field)
        description.allowsCloudEncryption = attribute.isEncrypted
        description.allowsExternalBinaryDataStorage = attribute.isExternal
        if let value = attribute.defaultValue {
            description.isOptional = false
            description.defaultValue = value
        }
        return description
    }

    private static func userInfo(_ field: String?) -> [AnyHashable: Any] {
        field.map { [SMStore.SMFieldNameUserInfoKey: $0] } ?? [:]
    }

    // MARK: - The next version

    /// The next version, with descriptions of its changes.
    func next(_ random: inout SeededGenerator) -> (version: StaffVersion, changes: [String]) {
        var next = self
        (next.removed, next.added) = ([], [])
        var changes: [String] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            if let change = next.change(&random) { changes.append(change) }
        }
        return (next, changes)
    }

    private mutating func newName(_ word: String) -> String {
        counter += 1
        return "\(word)\(counter)"
    }

    /// Changes something; nil if it cannot be changed in this way.
    private mutating func change(_ random: inout SeededGenerator) -> String? {
        guard let entity = entities.keys.sorted().randomElement(using: &random) else { return nil }
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            entities[entity] = newName("Entity")
            return "\(entity) renamed"
        case 1: return add(to: entity, isRequired: Bool.random(using: &random))
        case 2..<8: return changeAttribute(of: entity, &random)
        default: return changeRelationship(&random)
        }
    }

    private mutating func add(to entity: String, isRequired: Bool) -> String {
        var attribute = Attribute(newName("added"))
        if isRequired { attribute.defaultValue = "none" }
        attributes[entity]?.append(attribute)
        added.insert(attribute.first)
        return "\(entity).\(attribute.first) added\(isRequired ? ", required" : "")"
    }

    private mutating func changeAttribute(
        of entity: String, _ random: inout SeededGenerator
    ) -> String? {
        guard let index = attributes[entity]?.indices.randomElement(using: &random),
            var attribute = attributes[entity]?[index]
        else { return nil }
        let change: String
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            attribute.name = newName("name")
            change = "renamed"
        case 2:
            attribute.field = newName("field")
            change = "in another field"
        case 3:
            guard attribute.type == .integer32AttributeType else { return nil }
            let types: [NSAttributeType] = [.doubleAttributeType, .stringAttributeType]
            attribute.type = types.randomElement(using: &random) ?? .doubleAttributeType
            attribute.field = newName("field")
            change = "of another type in another field"
        case 4:
            if attribute.type == .binaryDataAttributeType {
                attribute.isExternal.toggle()
            } else {
                attribute.isEncrypted.toggle()
            }
            attribute.field = newName("field")
            change = "encrypted or stored otherwise in another field"
        default:
            removed.insert(attribute.first)
            attributes[entity]?.remove(at: index)
            return "\(entity).\(attribute.first) removed"
        }
        attributes[entity]?[index] = attribute
        return "\(entity).\(attribute.first) \(change)"
    }

    private mutating func changeRelationship(_ random: inout SeededGenerator) -> String? {
        guard let index = relationships.indices.randomElement(using: &random) else { return nil }
        let path = Bool.random(using: &random) ? \Relationship.source : \Relationship.target
        var end = relationships[index][keyPath: path]
        let other =
            path == \Relationship.source
            ? relationships[index].target : relationships[index].source
        let change: String
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            end.name = newName("relation")
            change = "renamed"
        case 2:
            guard !end.isToMany else { return nil }
            end.field = newName("field")
            change = "in another field"
        case 3:
            guard end.isOrdered else { return nil }
            end.isOrdered = false
            change = "without an order"
        case 4:
            guard end.isToMany, !end.isOrdered else { return nil }
            end.isOrdered = true
            change = "with an order"
        default:
            // A one-to-one relationship would need another field at its other end.
            guard !end.isToMany, other.isToMany else { return nil }
            end.isToMany = true
            change = "to-many"
        }
        relationships[index][keyPath: path] = end
        return "\(end.entity).\(end.first) \(change)"
    }
}
