import CoreData

/// The entities of the model.
public enum Kind: String, CaseIterable, Sendable {
    case node, leaf, list, folder, cover, tag, event, draft, item

    var entityName: String { rawValue.capitalized }

    init?(entityName: String) { self.init(rawValue: entityName.lowercased()) }

    /// An attribute of an entity.
    struct Attribute {
        let name: String
        let type: NSAttributeType
        /// The default; an attribute without one is optional.
        var defaultValue: Value?
        /// The version of the model that adds it.
        var since = 1
        /// Whether an attribute with a default is optional, too.
        var canBeNil = false
        var isEncrypted = false
        /// The elements of a composite attribute.
        var elements: [Attribute] = []

        var isOptional: Bool { canBeNil || defaultValue == nil }
    }

    /// The attributes of each entity, in addition to its identity.
    var attributes: [Attribute] {
        switch self {
        case .node:
            return [
                Attribute(name: "title", type: .stringAttributeType),
                Attribute(name: "count", type: .integer64AttributeType, defaultValue: .int(7)),
                Attribute(name: "note", type: .stringAttributeType, defaultValue: .text("-")),
                Attribute(name: "due", type: .dateAttributeType),
                Attribute(name: "price", type: .decimalAttributeType),
                Attribute(name: "secret", type: .stringAttributeType, isEncrypted: true),
                Attribute(name: "photo", type: .binaryDataAttributeType),
                Attribute(name: "memo", type: .stringAttributeType),
                Attribute(
                    name: "rank", type: .integer64AttributeType, defaultValue: .int(3), since: 2),
                Attribute(name: "subtitle", type: .stringAttributeType, since: 2),
            ]
        case .leaf:
            return Kind.node.attributes + [Attribute(name: "extra", type: .stringAttributeType)]
        case .list, .draft: return [Attribute(name: "title", type: .stringAttributeType)]
        case .cover:
            // Devices do not write the last two. Another client does, with values of other types.
            return [
                Attribute(name: "title", type: .stringAttributeType),
                Attribute(name: "scan", type: .binaryDataAttributeType),
                Attribute(name: "pages", type: .integer64AttributeType),
            ]
        case .folder:
            return [
                Attribute(name: "title", type: .stringAttributeType),
                Attribute(name: "code", type: .stringAttributeType),
            ]
        case .tag:
            return [
                Attribute(name: "name", type: .stringAttributeType),
                Attribute(name: "x", type: .stringAttributeType),
                Attribute(name: "y", type: .stringAttributeType),
            ]
        case .event:
            return [
                Attribute(name: "day", type: .dateAttributeType),
                Attribute(name: "text", type: .stringAttributeType),
            ] + Self.restOfEventKey
        case .item: return Self.itemAttributes
        }
    }

    /// The value of a property that nobody has set.
    func defaultValue(of property: String) -> Value {
        attributes.first { $0.name == property }?.defaultValue ?? Value.none
    }

    /// The other attributes of an event's natural key, which all events have in common.
    private static let restOfEventKey = [
        Attribute(name: "flag", type: .booleanAttributeType, defaultValue: .bool(true)),
        Attribute(name: "number", type: .integer64AttributeType, defaultValue: .int(.min)),
        Attribute(
            name: "amount", type: .decimalAttributeType,
            defaultValue: .decimal("-1.2345678901234567")),
        Attribute(
            name: "token", type: .UUIDAttributeType,
            defaultValue: .uuid("0A0B0C0D-0000-4000-8000-00000000000F")),
        Attribute(
            name: "place", type: .URIAttributeType,
            defaultValue: .uri("https://example.com/a%20b/?c=d#e")),
    ]

    /// One attribute of each type, or more.
    private static let itemAttributes = [
        Attribute(name: "title", type: .stringAttributeType),
        Attribute(
            name: "flag", type: .booleanAttributeType, defaultValue: .bool(true), canBeNil: true),
        Attribute(name: "isOpen", type: .booleanAttributeType, defaultValue: .bool(false)),
        Attribute(name: "ratio", type: .doubleAttributeType),
        Attribute(name: "share", type: .floatAttributeType, defaultValue: .double(0.25)),
        Attribute(name: "small", type: .integer16AttributeType),
        Attribute(name: "medium", type: .integer32AttributeType),
        Attribute(name: "large", type: .integer64AttributeType, isEncrypted: true),
        Attribute(name: "token", type: .UUIDAttributeType),
        Attribute(name: "place", type: .URIAttributeType),
        Attribute(name: "moment", type: .dateAttributeType),
        Attribute(name: "words", type: .transformableAttributeType, isEncrypted: true),
        Attribute(name: "blob", type: .binaryDataAttributeType),
        Attribute(
            name: "spot", type: .undefinedAttributeType,
            elements: [
                Attribute(name: "label", type: .stringAttributeType),
                Attribute(name: "number", type: .integer64AttributeType),
            ]),
    ]

    /// The to-one relationships, by destination entity.
    var toOne: [String: Kind] {
        switch self {
        case .node, .leaf:
            return ["list": .list, "folder": .folder, "cover": .cover, "partner": .node]
        case .cover: return ["node": .node]
        default: return [:]
        }
    }

    /// The to-many relationships, by destination entity.
    var toMany: [String: (kind: Kind, isOrdered: Bool)] {
        switch self {
        case .node, .leaf:
            return [
                "friends": (.node, false), "tags": (.tag, false), "picked": (.list, true),
            ]
        case .list: return ["nodes": (.node, true), "picks": (.node, true)]
        case .folder: return ["nodes": (.node, false)]
        case .tag: return ["nodes": (.node, false)]
        default: return [:]
        }
    }

    /// The many-to-many relationships, at the end that determines the names of their records.
    static let links: [(kind: Kind, name: String)] = [
        (.node, "friends"), (.node, "tags"), (.list, "picks"),
    ]

    /// The attribute that identifies the entity's objects, of those that differ.
    var naturalKey: String? {
        switch self {
        case .tag: return "name"
        case .event: return "day"
        default: return nil
        }
    }

    /// The attributes of the natural key.
    var naturalKeys: [String] {
        (naturalKey.map { [$0] } ?? [])
            + (self == .event ? Self.restOfEventKey.map(\.name) : [])
    }

    /// The attributes whose values together have to be unique on a device.
    var uniqueAttributes: [String] { self == .folder ? ["code"] : naturalKeys }

    /// Entities whose objects are fetched together.
    static let roots: [Kind] = [.node, .list, .folder, .cover, .tag, .event, .draft, .item]

    /// The entity's policies apply to its subentities.
    var parent: Kind? { self == .leaf ? .node : nil }

    var isNode: Bool { self == .node || self == .leaf }
}
