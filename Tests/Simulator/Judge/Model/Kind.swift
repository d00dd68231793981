import CoreData

/// The entities of the model.
public enum Kind: String, CaseIterable, Sendable {
    case node, leaf, list, folder, cover, tag, event, draft

    var entityName: String { rawValue.capitalized }

    init?(entityName: String) { self.init(rawValue: entityName.lowercased()) }

    /// An attribute of an entity.
    struct Attribute {
        let name: String
        let type: NSAttributeType
        /// The default of a required attribute; nil if the attribute is optional.
        var defaultValue: Value?
        /// The version of the model that adds it.
        var since = 1
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
                Attribute(name: "secret", type: .stringAttributeType),
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
            ]
        }
    }

    /// The to-one relationships, by destination entity.
    var toOne: [String: Kind] {
        switch self {
        case .node, .leaf: return ["list": .list, "folder": .folder, "cover": .cover]
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

    /// The attribute that identifies the entity's objects.
    var naturalKey: String? {
        switch self {
        case .tag: return "name"
        case .event: return "day"
        default: return nil
        }
    }

    /// Entities whose objects are fetched together.
    static let roots: [Kind] = [.node, .list, .folder, .cover, .tag, .event, .draft]

    var isNode: Bool { self == .node || self == .leaf }
}
