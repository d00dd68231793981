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
