import CoreData
import Seam3

/// The app's model, in all its versions.
public enum ModelVersion: Int, Sendable, CaseIterable {
    case first = 1
    /// Adds a required attribute with a default, and an optional one.
    case second
    /// The second version, with an attribute synced that was local before.
    case memoIsSynced
    /// The second version, with an attribute in another field.
    case titleHasAnotherField
    /// The second version, with an attribute encrypted.
    case noteIsEncrypted
    /// The second version, with an entity synced that was local before.
    case draftIsSynced

    /// Whether it differs from other versions only in settings for the records.
    var differsInSettings: Bool { rawValue > Self.second.rawValue }

    /// Whether a version has an attribute.
    var number: Int { min(rawValue, 2) }

    /// The attributes that only newer versions have, or that this one does not sync.
    var unknownNames: Set<String> {
        let unknown = Kind.allCases.filter { $0 != .draft }.flatMap { kind in
            kind.attributes.filter { $0.since > number || !syncs($0.name, of: kind) }
        }
        return Set(unknown.map(\.name))
    }

    func syncs(_ property: String, of kind: Kind) -> Bool {
        if kind == .draft { return self == .draftIsSynced }
        return property != "memo" || self == .memoIsSynced
    }

    /// The record field of a property.
    func field(of property: String, of kind: Kind) -> String {
        kind.isNode && property == "title" && self == .titleHasAnotherField ? "heading" : property
    }

    /// Creates the model. Each device needs its own.
    ///
    /// - Parameter policies: The conflict policies that the model gives its entities.
    func make(
        policies: [Kind: SMSyncConflictResolutionPolicy] = [:]
    ) -> NSManagedObjectModel {
        var entities: [Kind: NSEntityDescription] = [:]
        for kind in Kind.allCases {
            let entity = entity(kind)
            if let policy = policies[kind] {
                entity.userInfo?[SMStore.SMSyncConflictResolutionPolicyUserInfoKey] = "\(policy)"
            }
            entities[kind] = entity
        }
        func join(
            _ kind: Kind, _ name: String, _ other: Kind, _ inverse: String,
            rule: NSDeleteRule = .nullifyDeleteRule
        ) {
            guard let source = entities[kind], let destination = entities[other] else { return }
            let forth = relationship(kind, name, to: destination)
            forth.deleteRule = rule
            if kind == other, name == inverse {
                forth.inverseRelationship = forth
                source.properties += [forth]
                return
            }
            let back = relationship(other, inverse, to: source)
            forth.inverseRelationship = back
            back.inverseRelationship = forth
            source.properties += [forth]
            destination.properties += [back]
        }
        join(.list, "nodes", .node, "list", rule: .cascadeDeleteRule)
        join(.folder, "nodes", .node, "folder", rule: .denyDeleteRule)
        join(.cover, "node", .node, "cover")
        join(.node, "partner", .node, "partner")
        join(.node, "friends", .node, "friends")
        join(.node, "tags", .tag, "nodes")
        join(.list, "picks", .node, "picked")
        if let node = entities[.node], let leaf = entities[.leaf] { node.subentities = [leaf] }
        let model = NSManagedObjectModel()
        model.entities = Kind.allCases.compactMap { entities[$0] }
        return model
    }

    private func entity(_ kind: Kind) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = kind.entityName
        let inherited = kind == .leaf ? Set(Kind.node.attributes.map(\.name)) : []
        var properties: [NSPropertyDescription] = []
        if kind != .leaf {
            let identity = NSAttributeDescription()
            identity.name = "ident"
            identity.attributeType = .stringAttributeType
            identity.isOptional = true
            properties = [identity]
        }
        for attribute in kind.attributes
        where attribute.since <= number && !inherited.contains(attribute.name) {
            properties.append(description(attribute, of: kind))
        }
        entity.properties = properties
        var userInfo: [AnyHashable: Any] = [:]
        if kind.naturalKey != nil {
            userInfo[SMStore.SMNaturalKeyUserInfoKey] = kind.naturalKeys.joined(separator: ",")
        }
        if kind == .draft, !syncs("title", of: kind) {
            userInfo[SMStore.SMSyncedUserInfoKey] = "NO"
        }
        entity.userInfo = userInfo
        if kind == .folder { entity.uniquenessConstraints = [["code"]] }
        return entity
    }

    private func description(
        _ attribute: Kind.Attribute, of kind: Kind
    ) -> NSAttributeDescription {
        let description = plainDescription(attribute)
        switch attribute.name {
        case "note": description.allowsCloudEncryption = self == .noteIsEncrypted
        case "photo", "scan": description.allowsExternalBinaryDataStorage = true
        case "memo" where !syncs("memo", of: kind):
            description.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
        default: break
        }
        let field = field(of: attribute.name, of: kind)
        if field != attribute.name {
            description.userInfo = [SMStore.SMFieldNameUserInfoKey: field]
        }
        return description
    }

    private func plainDescription(_ attribute: Kind.Attribute) -> NSAttributeDescription {
        let description: NSAttributeDescription
        if attribute.elements.isEmpty {
            description = NSAttributeDescription()
            description.attributeType = attribute.type
        } else {
            guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else {
                fatalError("There are no composite attributes on this system.")
            }
            let composite = NSCompositeAttributeDescription()
            composite.elements = attribute.elements.map(plainDescription)
            description = composite
        }
        description.name = attribute.name
        description.isOptional = attribute.isOptional
        description.defaultValue = attribute.defaultValue?.stored
        description.allowsCloudEncryption = attribute.isEncrypted
        if attribute.type == .transformableAttributeType {
            description.valueTransformerName = "NSSecureUnarchiveFromData"
        }
        return description
    }

    private func relationship(
        _ kind: Kind, _ name: String, to destination: NSEntityDescription
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        let toMany = kind.toMany[name]
        relationship.maxCount = toMany == nil ? 1 : 0
        relationship.isOrdered = toMany?.isOrdered ?? false
        relationship.isOptional = true
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }
}
