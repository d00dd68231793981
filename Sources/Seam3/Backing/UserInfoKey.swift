import CoreData

/// Keys of a model's user info. ``SMStore`` has public names for them.
enum UserInfoKey {
    static let synced = "SMSynced"
    static let recordType = "SMRecordType"
    static let conflictPolicy = "SMSyncConflictResolutionPolicy"
    static let naturalKey = "SMNaturalKey"
    static let fieldName = "SMFieldName"

    /// What a key may be set on.
    enum Place: String {
        case entity = "an entity"
        case attribute = "an attribute"
        case relationship = "a relationship"
    }

    /// The keys, and where each has an effect.
    static let places: KeyValuePairs<String, [Place]> = [
        synced: [.entity, .attribute, .relationship],
        recordType: [.entity],
        conflictPolicy: [.entity],
        naturalKey: [.entity],
        fieldName: [.attribute, .relationship],
    ]

    static let all = places.map(\.key)

    /// Whether something is synced, according to its user info.
    fileprivate static func isSynced(_ userInfo: [AnyHashable: Any]?) -> Bool {
        userInfo?[synced].flatMap(isSynced(_:)) ?? true
    }

    /// Interprets a value of ``synced``: a string from the model editor, or a Boolean set in code.
    ///
    /// - Returns: nil if it is neither.
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
    /// Whether the model includes the entity in sync.
    var isSynced: Bool { UserInfoKey.isSynced(userInfo) }

    /// The record type in the entity's user info.
    var givenRecordType: String? { userInfo?[UserInfoKey.recordType] as? String }

    /// Identifies the entity across versions of the model: its renaming identifier, or its name.
    var identity: String { UserInfoKey.oldName(renamingIdentifier, of: name) ?? name ?? "" }

    /// The record type that the model specifies for the entity, if any: in the user info, or
    /// through a renaming identifier, so that a fresh install and a migrated store use the same
    /// type for a renamed entity.
    var pinnedRecordType: String? {
        givenRecordType ?? UserInfoKey.oldName(renamingIdentifier, of: name)
    }
}

extension NSPropertyDescription {
    /// Whether the model includes the property in sync.
    var isSynced: Bool { UserInfoKey.isSynced(userInfo) }

    /// The field in the property's user info.
    var givenField: String? { userInfo?[UserInfoKey.fieldName] as? String }

    /// Identifies the property across versions of the model; see
    /// ``CoreData/NSEntityDescription/identity``.
    var identity: String { formerName ?? name }

    /// The name that the renaming identifier specifies, if it is another one.
    var formerName: String? { UserInfoKey.oldName(renamingIdentifier, of: name) }

    /// The field that the model specifies for the property, if any, by the same rule.
    var pinnedField: String? { givenField ?? formerName }
}
