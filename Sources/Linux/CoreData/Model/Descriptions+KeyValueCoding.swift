import FoundationGaps

// Linux-only. On Apple's systems every object has key-value coding.

extension NSPropertyDescription: _KeyValueCoding {
    /// A setting of the property, for key paths such as `$FETCHED_PROPERTY.userInfo.limit`.
    public func _value(forKey key: String) -> Any? {
        switch (key, self) {
        case ("self", _): return self
        case ("entity", _): return owner
        case ("name", _): return name
        case ("optional", _), ("isOptional", _): return NSNumber(value: isOptional)
        case ("transient", _), ("isTransient", _): return NSNumber(value: isTransient)
        case ("indexed", _), ("isIndexed", _): return NSNumber(value: isIndexed)
        case ("userInfo", _): return userInfo
        case ("versionHash", _): return versionHash
        case ("versionHashModifier", _): return versionHashModifier
        case ("renamingIdentifier", _): return renamingIdentifier
        case ("validationPredicates", _): return validationPredicates
        case ("validationWarnings", _): return validationWarnings
        case (_, let attribute as NSAttributeDescription):
            return attribute.attributeSetting(forKey: key)
        case (_, let relationship as NSRelationshipDescription):
            return relationship.relationshipSetting(forKey: key)
        case ("fetchRequest", let fetched as NSFetchedPropertyDescription):
            return fetched.fetchRequest
        default: raiseUnknownKey(key, of: self)
        }
    }
}

extension NSAttributeDescription {
    fileprivate func attributeSetting(forKey key: String) -> Any? {
        switch key {
        case "attributeType": return NSNumber(value: Int(attributeType.rawValue))
        case "attributeValueClassName": return attributeValueClassName
        case "defaultValue": return defaultValue
        case "valueTransformerName": return valueTransformerName
        case "allowsExternalBinaryDataStorage":
            return NSNumber(value: allowsExternalBinaryDataStorage)
        case "allowsCloudEncryption": return NSNumber(value: allowsCloudEncryption)
        case "preservesValueInHistoryOnDeletion":
            return NSNumber(value: preservesValueInHistoryOnDeletion)
        default: raiseUnknownKey(key, of: self)
        }
    }
}

extension NSRelationshipDescription {
    fileprivate func relationshipSetting(forKey key: String) -> Any? {
        switch key {
        case "destinationEntity": return destinationEntity
        case "inverseRelationship": return inverseRelationship
        case "minCount": return NSNumber(value: minCount)
        case "maxCount": return NSNumber(value: maxCount)
        case "deleteRule": return NSNumber(value: Int(deleteRule.rawValue))
        case "toMany", "isToMany": return NSNumber(value: isToMany)
        case "ordered", "isOrdered": return NSNumber(value: isOrdered)
        default: raiseUnknownKey(key, of: self)
        }
    }
}

extension NSEntityDescription: _KeyValueCoding {
    /// A setting of the entity, for key paths such as `entity.name`.
    public func _value(forKey key: String) -> Any? {
        switch key {
        case "self": return self
        case "name": return name
        case "managedObjectClassName": return managedObjectClassName
        case "managedObjectModel": return managedObjectModel
        case "abstract", "isAbstract": return NSNumber(value: isAbstract)
        case "superentity": return superentity
        case "subentities": return subentities
        case "subentitiesByName": return subentitiesByName
        case "properties": return properties
        case "propertiesByName": return propertiesByName
        case "attributesByName": return attributesByName
        case "relationshipsByName": return relationshipsByName
        case "uniquenessConstraints": return uniquenessConstraints
        case "indexes": return indexes
        case "userInfo": return userInfo
        case "versionHash": return versionHash
        case "versionHashModifier": return versionHashModifier
        case "renamingIdentifier": return renamingIdentifier
        default: raiseUnknownKey(key, of: self)
        }
    }
}
