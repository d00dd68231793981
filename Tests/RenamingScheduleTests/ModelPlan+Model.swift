import CoreData
import Seam3

extension ModelPlan {
    /// The model of a version, possibly with another version's names.
    func model(version: Int, namesOf naming: Int) -> NSManagedObjectModel {
        let level = levels[version]
        var entities: [String: NSEntityDescription] = [:]
        for role in ModelRoles.entities { entities[role] = entity(role, naming) }
        var properties: [String: [NSPropertyDescription]] = [:]
        for attribute in ModelRoles.attributes where has(attribute.role, level: level) {
            let description = description(attribute, level: level)
            describe(description, attribute.role, level, naming, hasField: true)
            properties[attribute.entity, default: []].append(description)
        }
        var links: [String: NSRelationshipDescription] = [:]
        for link in ModelRoles.links where has(link.role, level: level) {
            let description = NSRelationshipDescription()
            description.destinationEntity = entities[link.destination]
            description.isOptional = true
            description.minCount = 0
            description.maxCount = link.isToMany ? 0 : 1
            description.isOrdered = link.isOrdered
            description.deleteRule = deleteRules[link.role] ?? .nullifyDeleteRule
            links[link.role] = description
            describe(description, link.role, level, naming, hasField: !link.isToMany)
            properties[link.entity, default: []].append(description)
        }
        for link in ModelRoles.links {
            links[link.role]?.inverseRelationship = links[link.inverse]
        }
        for (role, entity) in entities { entity.properties = properties[role] ?? [] }
        if let item = entities["Item"], let gadget = entities["Gadget"] {
            item.subentities = [gadget]
        }
        let model = NSManagedObjectModel()
        model.entities = ModelRoles.entities.compactMap { entities[$0] }
        return model
    }

    private func entity(_ role: String, _ naming: Int) -> NSEntityDescription {
        let entity = NSEntityDescription()
        let name = name(role, in: naming)
        entity.name = name
        entity.managedObjectClassName = "NSManagedObject"
        entity.renamingIdentifier = identifier(role, isRenamed: name != role)
        var userInfo: [AnyHashable: Any] = [:]
        switch fieldNaming {
        case .otherNames: userInfo[SMStore.SMRecordTypeUserInfoKey] = "R" + role
        case .firstNames where name != role: userInfo[SMStore.SMRecordTypeUserInfoKey] = role
        default: break
        }
        if hasNaturalKeys, role == ModelRoles.root(of: role) {
            userInfo[SMStore.SMNaturalKeyUserInfoKey] = self.name(role + ".key", in: naming)
        }
        if !userInfo.isEmpty { entity.userInfo = userInfo }
        return entity
    }

    private func identifier(_ role: String, isRenamed: Bool) -> String? {
        guard alwaysIdentifies || isRenamed, !unidentified.contains(role) else { return nil }
        return ModelRoles.firstName(role)
    }

    private func description(
        _ attribute: AttributeRole, level: Int
    ) -> NSAttributeDescription {
        let description = NSAttributeDescription()
        description.isOptional = true
        switch attribute.kind {
        case .string: description.attributeType = .stringAttributeType
        case .secret:
            description.attributeType = .stringAttributeType
            description.allowsCloudEncryption = true
        case .integer:
            description.attributeType = .integer32AttributeType
            description.isOptional = false
            description.defaultValue = 7
        case .double: description.attributeType = .doubleAttributeType
        case .date: description.attributeType = .dateAttributeType
        case .blob:
            description.attributeType = .binaryDataAttributeType
            description.allowsExternalBinaryDataStorage = true
        }
        if let first = optionalFrom[attribute.role], level < first {
            description.isOptional = false
            description.defaultValue =
                attribute.kind == .date
                ? Date(timeIntervalSinceReferenceDate: 1) as Any : "default"
        }
        return description
    }

    /// Gives a property its name and what its levels say of it.
    private func describe(
        _ property: NSPropertyDescription, _ role: String, _ level: Int, _ naming: Int,
        hasField: Bool
    ) {
        let first = ModelRoles.firstName(role)
        property.name = name(role, in: naming)
        property.renamingIdentifier = identifier(role, isRenamed: property.name != first)
        var userInfo: [AnyHashable: Any] = [:]
        if hasField {
            switch fieldNaming {
            case .otherNames: userInfo[SMStore.SMFieldNameUserInfoKey] = "f_" + first
            case .firstNames where property.name != first:
                userInfo[SMStore.SMFieldNameUserInfoKey] = first
            default: break
            }
        }
        if let from = movedFrom[role], level >= from {
            userInfo[SMStore.SMFieldNameUserInfoKey] = "new_" + first
        }
        if !syncs(role, level: level) { userInfo[SMStore.SMSyncedUserInfoKey] = "NO" }
        if !userInfo.isEmpty { property.userInfo = userInfo }
    }
}
