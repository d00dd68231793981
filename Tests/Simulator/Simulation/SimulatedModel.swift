import CoreData

/// The kinds of object of the simulated application.
///
/// Items form a tree, lie in lists that have an order, and carry any number of tags. Deleting a list
/// deletes its items; every other deletion only cuts relationships.
public enum Kind: String, CaseIterable, Sendable {
    case item = "Item"
    case list = "List"
    case tag = "Tag"
}

/// The attributes that users edit. Lists and tags have a title only.
public enum Field: String, CaseIterable, Sendable {
    case title, note, count, score, date, flag, small, large

    var type: NSAttributeType {
        switch self {
        case .title, .note: return .stringAttributeType
        case .count: return .integer64AttributeType
        case .score: return .doubleAttributeType
        case .date: return .dateAttributeType
        case .flag: return .booleanAttributeType
        case .small, .large: return .binaryDataAttributeType
        }
    }

    /// Those of a kind of object.
    static func of(_ kind: Kind) -> [Field] { kind == .item ? allCases : [.title] }
}

/// The values of attributes as texts, in which the oracle thinks, and as Core Data has them.
extension Field {
    /// More than what a record or a row takes itself.
    private static let largeSize = 140_000

    /// A text that stands for a value made from a number. Different numbers give different values,
    /// but for the flag.
    func text(_ number: Int) -> String {
        switch self {
        case .title, .note, .small: return "v\(number)"
        case .count, .date: return "\(number)"
        case .score: return "\(Double(number) + 0.5)"
        case .flag: return number.isMultiple(of: 2) ? "0" : "1"
        // Some lie in a file of their own, and all travel as one.
        case .large: return number.isMultiple(of: 4) ? "large \(number)" : "v\(number)"
        }
    }

    /// The value that a text stands for.
    func value(_ text: String) -> Any? {
        switch self {
        case .title, .note: return text
        case .count: return Int64(text).map { NSNumber(value: $0) }
        case .score: return Double(text).map { NSNumber(value: $0) }
        case .date: return Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
        case .flag: return NSNumber(value: text == "1")
        case .small, .large:
            var data = Data(text.utf8)
            if text.hasPrefix("large") { data.append(Data(count: Self.largeSize)) }
            return data
        }
    }

    /// The text that stands for a value; nil for no value.
    func text(of value: Any?) -> String? {
        switch (self, value) {
        case (_, nil): return nil
        case (.title, let text as String), (.note, let text as String): return text
        case (.count, let number as NSNumber): return "\(number.int64Value)"
        case (.score, let number as NSNumber): return "\(number.doubleValue)"
        case (.date, let date as Date): return "\(Int(date.timeIntervalSinceReferenceDate))"
        case (.flag, let number as NSNumber): return number.boolValue ? "1" : "0"
        case (.small, let data as Data), (.large, let data as Data):
            let text = String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
            let size = text.utf8.count + (text.hasPrefix("large") ? Self.largeSize : 0)
            return data.count == size ? text : "\(text) of \(data.count) bytes"
        default: return "of another type"
        }
    }
}

/// The model of the simulated application.
enum SimulatedModel {
    /// An attribute that is derived from the title, and one that is transient: neither travels.
    static let derived = "capitals"
    static let transient = "scratch"

    static func make() -> NSManagedObjectModel {
        let entities = Kind.allCases.map { kind in
            let entity = NSEntityDescription()
            entity.name = kind.rawValue
            entity.properties = Field.of(kind).map(attribute)
            return entity
        }
        let (item, list, tag) = (entities[0], entities[1], entities[2])
        item.properties += [derivedAttribute(), transientAttribute()]
        join(
            relationship("parent", in: item, to: item, maxCount: 1),
            relationship("children", in: item, to: item))
        let members = relationship("items", in: list, to: item, rule: .cascadeDeleteRule)
        members.isOrdered = true
        join(relationship("list", in: item, to: list, maxCount: 1), members)
        join(relationship("tags", in: item, to: tag), relationship("items", in: tag, to: item))
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private static func attribute(_ field: Field) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = field.rawValue
        attribute.attributeType = field.type
        attribute.isOptional = true
        attribute.allowsExternalBinaryDataStorage = field == .large
        return attribute
    }

    private static func derivedAttribute() -> NSAttributeDescription {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = derived
        attribute.attributeType = .stringAttributeType
        attribute.isOptional = true
        attribute.derivationExpression = NSExpression(format: "uppercase:(title)")
        return attribute
    }

    private static func transientAttribute() -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = transient
        attribute.attributeType = .stringAttributeType
        attribute.isOptional = true
        attribute.isTransient = true
        return attribute
    }

    private static func relationship(
        _ name: String, in entity: NSEntityDescription, to destination: NSEntityDescription,
        maxCount: Int = 0, rule: NSDeleteRule = .nullifyDeleteRule
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.isOptional = true
        relationship.maxCount = maxCount
        relationship.deleteRule = rule
        entity.properties.append(relationship)
        return relationship
    }

    private static func join(
        _ one: NSRelationshipDescription, _ other: NSRelationshipDescription
    ) {
        one.inverseRelationship = other
        other.inverseRelationship = one
    }
}
