import CoreData

/// Keys of a model's user info. ``SMStore`` has public names for them.
enum UserInfoKey {
    static let synced = "SMSynced"
    static let recordType = "SMRecordType"
    static let conflictPolicy = "SMSyncConflictResolutionPolicy"
    static let naturalKey = "SMNaturalKey"
    static let fieldName = "SMFieldName"

    static let all = [synced, recordType, conflictPolicy, naturalKey, fieldName]

    /// Whether something is synchronised by what its user info says.
    fileprivate static func isSynced(_ userInfo: [AnyHashable: Any]?) -> Bool {
        userInfo?[synced].flatMap(isSynced(_:)) ?? true
    }

    /// What a value of ``synced`` says: a text in the model editor, perhaps a Boolean in code.
    ///
    /// - Returns: nil if it says neither.
    static func isSynced(_ value: Any) -> Bool? {
        switch value {
        case let text as String:
            switch text.uppercased() {
            case "NO": return false
            case "YES": return true
            default: return nil
            }
        case let number as NSNumber: return number.boolValue
        case let flag as Bool: return flag
        default: return nil
        }
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

    /// The record type that the model's user info gives the entity.
    var givenRecordType: String? { userInfo?[UserInfoKey.recordType] as? String }

    /// What the entity is recognised by in other versions of the model: its renaming identifier, or
    /// else its name.
    var identity: String { UserInfoKey.oldName(renamingIdentifier, of: name) ?? name ?? "" }

    /// The record type that the model gives the entity, if it gives one: by its user info, or by a
    /// renaming identifier, so that a fresh install and a migrated store of a renamed entity agree.
    var pinnedRecordType: String? {
        givenRecordType ?? UserInfoKey.oldName(renamingIdentifier, of: name)
    }
}

extension NSPropertyDescription {
    /// Whether the model leaves the property in sync.
    var isSynced: Bool { UserInfoKey.isSynced(userInfo) }

    /// The field that the model's user info gives the property.
    var givenField: String? { userInfo?[UserInfoKey.fieldName] as? String }

    /// What the property is recognised by in other versions of the model; see
    /// ``CoreData/NSEntityDescription/identity``.
    var identity: String { UserInfoKey.oldName(renamingIdentifier, of: name) ?? name }

    /// The field that the model gives the property, if it gives one, by the same rule.
    var pinnedField: String? {
        givenField ?? UserInfoKey.oldName(renamingIdentifier, of: name)
    }
}
