import CoreData
import SeededRandom

/// A random model: three-level hierarchies with abstract parents, siblings with attributes of the
/// same name, every attribute type, every kind of relationship, and hostile names.
struct RandomModel {
    /// The entities sorted by name, so that the same seed always uses them in the same order.
    let entities: [NSEntityDescription]
    let model: NSManagedObjectModel

    static let attributeTypes: [NSAttributeType] = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
        .booleanAttributeType, .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
        .stringAttributeType, .stringAttributeType, .dateAttributeType, .binaryDataAttributeType,
        .UUIDAttributeType, .URIAttributeType, .transformableAttributeType,
    ]

    private static let names = [
        "order", "group", "select", "id", "index", "value", "Value", "name", "from", "table", "key",
        "limit", "count_", "note", "self_", "rank", "where", "join", "exists_", "date_",
    ]

    init(using random: inout SeededGenerator) {
        var all: [NSEntityDescription] = []
        for root in ["Alpha", "Transaction", "Gamma"].prefix(Int.random(in: 2...3, using: &random))
        {
            all += Self.hierarchy(root, &random)
        }
        Self.relate(all, &random)
        Self.derive(all, &random)
        model = NSManagedObjectModel()
        model.entities = all
        entities = all
    }

    // MARK: - Entities

    private static func hierarchy(
        _ root: String, _ random: inout SeededGenerator
    ) -> [NSEntityDescription] {
        let top = entity(root, &random, isRoot: true)
        var all = [top]
        for child in 0..<Int.random(in: 0...2, using: &random) {
            let middle = entity("\(root)\(child)", &random)
            top.subentities += [middle]
            all.append(middle)
            for grandchild in 0..<Int.random(in: 0...2, using: &random) {
                let leaf = entity("\(root)\(child)_\(grandchild)", &random)
                middle.subentities += [leaf]
                all.append(leaf)
            }
        }
        for entity in all where !entity.subentities.isEmpty {
            entity.isAbstract = Bool.random(using: &random)
        }
        return all
    }

    private static func entity(
        _ name: String, _ random: inout SeededGenerator, isRoot: Bool = false
    ) -> NSEntityDescription {
        var properties: [NSPropertyDescription] = []
        if isRoot {
            // Each type may occur, and each root entity has attributes to count and to compare.
            properties = [
                NSAttributeDescription("number", .integer64AttributeType),
                NSAttributeDescription("title", .stringAttributeType),
            ]
            for (index, type) in attributeTypes.enumerated() where Bool.random(using: &random) {
                properties.append(NSAttributeDescription(names[index], type))
            }
            if Bool.random(using: &random) { properties.append(composite()) }
        } else {
            // Siblings share the name, possibly with another type.
            let type = attributeTypes.randomElement(using: &random) ?? .stringAttributeType
            properties.append(NSAttributeDescription("twin\(name.count)", type))
            let own = attributeTypes.randomElement(using: &random) ?? .stringAttributeType
            properties.append(NSAttributeDescription("own\(name)", own))
        }
        return NSEntityDescription(name, properties)
    }

    // MARK: - Composite and derived attributes

    private static func composite() -> NSAttributeDescription {
        let inner = NSAttributeDescription.composite(
            "spot",
            [
                NSAttributeDescription("x", .doubleAttributeType),
                NSAttributeDescription("level", .integer16AttributeType),
            ])
        return .composite(
            "place",
            [
                NSAttributeDescription("city", .stringAttributeType),
                NSAttributeDescription("since", .dateAttributeType), inner,
            ])
    }

    /// Adds attributes that the store derives from the object itself and from its relationships.
    private static func derive(
        _ entities: [NSEntityDescription], _ random: inout SeededGenerator
    ) {
        func add(
            _ name: String, _ type: NSAttributeType, _ format: String,
            to entity: NSEntityDescription
        ) {
            let attribute = NSDerivedAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            attribute.derivationExpression = NSExpression(format: format)
            entity.properties.append(attribute)
        }
        for entity in entities where Bool.random(using: &random) {
            let own = entity.properties.compactMap { $0 as? NSRelationshipDescription }
                .sorted { $0.name < $1.name }
            if entity.superentity == nil {
                add("search", .stringAttributeType, "canonical:(title)", to: entity)
            }
            if let toMany = own.filter(\.isToMany).randomElement(using: &random) {
                add(
                    "counted\(entity.name ?? "")", .integer64AttributeType, "\(toMany.name).@count",
                    to: entity)
            }
            if let toOne = own.filter({ !$0.isToMany }).randomElement(using: &random) {
                add(
                    "its\(entity.name ?? "")", .stringAttributeType, "\(toOne.name).title",
                    to: entity)
            }
        }
    }

    // MARK: - Relationships

    private static func relate(
        _ entities: [NSEntityDescription], _ random: inout SeededGenerator
    ) {
        // To-one paths in both directions, many-to-many and one-to-one relationships, each possibly
        // ordered, each possibly with the entity itself.
        let kinds: [(Int, Int)] = [(1, 0), (1, 0), (1, 0), (0, 0), (0, 0), (1, 1), (1, 0)]
        for (index, (count, inverseCount)) in kinds.enumerated() {
            guard let first = entities.randomElement(using: &random),
                let other = entities.randomElement(using: &random)
            else { continue }
            let second = index == 6 ? first : other
            NSRelationshipDescription.join(
                (first, count == 1 ? "one\(index)" : "many\(index)", count),
                (second, inverseCount == 1 ? "back\(index)" : "all\(index)", inverseCount))
            for relationship in [
                first.relationshipsByName["many\(index)"],
                second.relationshipsByName["all\(index)"],
            ] {
                relationship?.isOrdered = Int.random(in: 0..<3, using: &random) == 0
            }
        }
        // Relationships that are their own inverses.
        if let entity = entities.randomElement(using: &random) {
            for (name, count) in [("friends", 0), ("spouse", 1)] where Bool.random(using: &random) {
                let relationship = NSRelationshipDescription()
                relationship.name = name
                relationship.destinationEntity = entity
                relationship.inverseRelationship = relationship
                relationship.maxCount = count
                relationship.isOptional = true
                relationship.deleteRule = .nullifyDeleteRule
                entity.properties += [relationship]
            }
        }
    }
}

extension NSEntityDescription {
    /// The attributes, including inherited ones, in the order of their names.
    var sortedAttributes: [NSAttributeDescription] {
        attributesByName.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The key paths of the attributes; for composite attributes, those of their elements.
    var sortedAttributePaths: [(path: String, type: NSAttributeType)] {
        sortedAttributes.flatMap { $0.elementPaths(after: "") }
    }

    /// The to-one or to-many relationships, including inherited ones, in the order of their names.
    func sortedRelationships(toMany: Bool) -> [NSRelationshipDescription] {
        relationshipsByName.sorted { $0.key < $1.key }.map(\.value).filter { $0.isToMany == toMany }
    }
}

extension NSAttributeDescription {
    fileprivate func elementPaths(after prefix: String) -> [(path: String, type: NSAttributeType)] {
        guard let compositeElements else { return [(prefix + name, attributeType)] }
        return compositeElements.flatMap { $0.elementPaths(after: "\(prefix)\(name).") }
    }
}
