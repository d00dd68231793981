import CoreData
import Seam3

extension ModelPlan {
    /// The model of a version, possibly with another version's names.
    ///
    /// - Parameter hasPolicies: Whether the policies of entities are in the model.
    func model(
        version: Int, namesOf naming: Int, hasPolicies: Bool
    ) -> NSManagedObjectModel {
        let level = levels[version]
        var entities: [String: NSEntityDescription] = [:]
        for role in ModelRoles.entities {
            entities[role] = entity(role, naming, hasPolicies: hasPolicies)
        }
        var properties: [String: [NSPropertyDescription]] = [:]
        for attribute in ModelRoles.attributes where has(attribute.role, level: level) {
            let description = description(attribute, level: level, naming)
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

    private func entity(
        _ role: String, _ naming: Int, hasPolicies: Bool
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        let name = name(role, in: naming)
        entity.name = name
        entity.managedObjectClassName = "NSManagedObject"
        entity.renamingIdentifier = identifier(role, naming)
        var userInfo: [AnyHashable: Any] = [:]
        switch fieldNaming {
        case .otherNames: userInfo[SMStore.SMRecordTypeUserInfoKey] = "R" + role
        case .firstNames where name != role: userInfo[SMStore.SMRecordTypeUserInfoKey] = role
        default: break
        }
        if hasNaturalKeys, role == ModelRoles.root(of: role) {
            userInfo[SMStore.SMNaturalKeyUserInfoKey] = self.name(role + ".key", in: naming)
        }
        if hasPolicies, let policy = entityPolicies[role] {
            userInfo[SMStore.SMSyncConflictResolutionPolicyUserInfoKey] = "\(policy)"
        }
        if !userInfo.isEmpty { entity.userInfo = userInfo }
        return entity
    }

    private func identifier(_ role: String, _ naming: Int) -> String? {
        // An element has no user info that tells its field, so its identifier stays.
        let isElement = ModelRoles.elements.contains { $0.role == role }
        let former =
            identifiesPrevious && naming > 0 && !isElement
            ? name(role, in: naming - 1) : ModelRoles.firstName(role)
        let isRenamed = name(role, in: naming) != former
        guard alwaysIdentifies || isRenamed, !unidentified.contains(role) else { return nil }
        return former
    }

    private func description(
        _ attribute: AttributeRole, level: Int, _ naming: Int
    ) -> NSAttributeDescription {
        switch attribute.kind {
        case .composite: return composite(attribute.role, naming)
        case .uppercase: return uppercase(of: name("Item.title", in: naming))
        default: break
        }
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
        case .words:
            description.attributeType = .transformableAttributeType
            description.valueTransformerName = "NSSecureUnarchiveFromData"
        case .composite, .uppercase: break
        }
        if let first = optionalFrom[attribute.role], level < first {
            description.isOptional = false
            description.defaultValue =
                attribute.kind == .date
                ? Date(timeIntervalSinceReferenceDate: 1) as Any : "default"
        }
        return description
    }

    private func composite(_ role: String, _ naming: Int) -> NSAttributeDescription {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else {
            fatalError("There are no composite attributes on this system.")
        }
        let composite = NSCompositeAttributeDescription()
        composite.isOptional = true
        composite.elements = elements(of: role).map { part in
            let element: NSAttributeDescription
            switch part.kind {
            case .string:
                element = NSAttributeDescription()
                element.attributeType = .stringAttributeType
            case .integer:
                element = NSAttributeDescription()
                element.attributeType = .integer64AttributeType
            case .composite: element = self.composite(part.role, naming)
            }
            element.name = name(part.role, in: naming)
            element.renamingIdentifier = identifier(part.role, naming)
            element.isOptional = true
            return element
        }
        return composite
    }

    private func uppercase(of name: String) -> NSAttributeDescription {
        let derived = NSDerivedAttributeDescription()
        derived.attributeType = .stringAttributeType
        derived.isOptional = true
        derived.derivationExpression = NSExpression(
            format: "uppercase:(%K)", argumentArray: [name])
        return derived
    }

    /// Gives a property its name and what its levels say of it.
    private func describe(
        _ property: NSPropertyDescription, _ role: String, _ level: Int, _ naming: Int,
        hasField: Bool
    ) {
        let first = ModelRoles.firstName(role)
        property.name = name(role, in: naming)
        property.renamingIdentifier = identifier(role, naming)
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
