import CoreData

/// Keys of a model's user info. ``SMStore`` has public names for them.
enum UserInfoKey {
    static let synced = "SMSynced"
    static let recordType = "SMRecordType"
    static let conflictPolicy = "SMSyncConflictResolutionPolicy"
    static let naturalKey = "SMNaturalKey"
    static let fieldName = "SMFieldName"

    fileprivate static func isSynced(_ userInfo: [AnyHashable: Any]?) -> Bool {
        (userInfo?[synced] as? String)?.uppercased() != "NO"
    }

    fileprivate static func oldName(_ renamingIdentifier: String?, of name: String?) -> String? {
        guard let renamingIdentifier, !renamingIdentifier.isEmpty, renamingIdentifier != name else {
            return nil
        }
        return renamingIdentifier
    }
}

extension NSEntityDescription {
    /// Whether the model leaves the entity in sync.
    var isSynced: Bool { UserInfoKey.isSynced(userInfo) }

    /// The record type that the model gives the entity, if it gives one: by its user info, or by a
    /// renaming identifier, so that a fresh install and a migrated store of a renamed entity agree.
    var pinnedRecordType: String? {
        userInfo?[UserInfoKey.recordType] as? String
            ?? UserInfoKey.oldName(renamingIdentifier, of: name)
    }

    /// The topmost entity that it inherits from, or else itself.
    var rootEntity: NSEntityDescription {
        var root = self
        while let parent = root.superentity { root = parent }
        return root
    }
}

extension NSPropertyDescription {
    /// Whether the model leaves the property in sync.
    var isSynced: Bool { UserInfoKey.isSynced(userInfo) }

    /// The field that the model gives the property, if it gives one, by the same rule.
    var pinnedField: String? {
        userInfo?[UserInfoKey.fieldName] as? String
            ?? UserInfoKey.oldName(renamingIdentifier, of: name)
    }
}

extension SchemaCatalogue {
    /// The record type of an entity, as the model or a migration has pinned it, or else its name.
    func recordType(of entity: NSEntityDescription) -> String {
        let name = entity.name ?? ""
        return entity.pinnedRecordType ?? recordTypes[name] ?? name
    }

    /// The field of a property, by the same rule.
    func field(of property: NSPropertyDescription, in entity: NSEntityDescription) -> String {
        let owner = EntitySchema.declaringEntity(of: property.name, in: entity)
        return property.pinnedField
            ?? fields["\(owner.name ?? "").\(property.name)"] ?? property.name
    }
}
