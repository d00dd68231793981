import CoreData

/// Checks the options of a store before they are used: a misspelled option, or one with a value of
/// the wrong type, would otherwise be ignored.
enum StoreOptionCheck {
    private static let ownNames = [
        SMStore.SMStoreContainerOption, SMStore.SMStoreSyncConflictResolutionPolicyOption,
        SMStore.SMStoreAdoptionOption, SMStore.SMStoreAdoptionUserOption,
        SMStore.SMStoreInMemoryOption,
    ]

    /// - Throws: ``SMStoreError/invalidOption(name:reason:)``.
    static func check(_ options: [AnyHashable: Any]) throws {
        for (key, value) in options {
            guard let name = key as? String else { continue }
            if let reason = reason(against: value, for: name) {
                throw SMStoreError.invalidOption(name: name, reason: reason)
            }
        }
    }

    /// The problem with a container's identifier; nil if there is none.
    private static func reason(againstContainer identifier: String) -> String? {
        let prefix = "iCloud."
        let trimmed = identifier.trimmingCharacters(in: .whitespacesAndNewlines)
        let hasPrefix = trimmed.lowercased().hasPrefix(prefix.lowercased())
        let rest = String(trimmed.dropFirst(hasPrefix ? prefix.count : 0))
        let isAccepted =
            !rest.isEmpty
            && rest.allSatisfy { character in
                character.isASCII
                    && (character.isLetter || character.isNumber || "-_.".contains(character))
            }
        if isAccepted, identifier == prefix + rest { return nil }
        let advice =
            isAccepted
            ? " Did you mean \(prefix)\(rest)?"
            : " Letters from a to z, digits, hyphens and dots follow."
        return
            "“\(identifier)” is not the identifier of a container, which begins with “\(prefix)”.\(advice)"
    }

    /// Whether a value is true or false, also as a number.
    private static func isTruthValue(_ value: Any) -> Bool {
        if value is Bool { return true }
        guard let number = value as? NSNumber else { return false }
        return number.doubleValue == 0 || number.doubleValue == 1
    }

    /// Whether a value is true or false, and not a number.
    private static func isBoolean(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else { return value is Bool }
        return ["c", "B"].contains(String(cString: number.objCType))
    }

    /// The problem with an option's value or name; nil if there is none.
    private static func reason(against value: Any, for name: String) -> String? {
        switch name {
        case SMStore.SMStoreContainerOption:
            if let container = value as? any SMCloudContainer {
                return container.cloudIdentifier.flatMap(reason(againstContainer:))
            }
            if let identifier = value as? String { return reason(againstContainer: identifier) }
            return "\(value) is neither the identifier of a container nor a container."
        case SMStore.SMStoreSyncConflictResolutionPolicyOption:
            if !isBoolean(value), SMSyncConflictResolutionPolicy(option: value) != nil {
                return nil
            }
            return "\(value) is not a policy." + SMSyncConflictResolutionPolicy.advice(on: value)
        case SMStore.SMStoreAdoptionOption, SMStore.SMStoreInMemoryOption:
            return isTruthValue(value) ? nil : "\(value) is neither true nor false."
        case SMStore.SMStoreAdoptionUserOption:
            return value is String ? nil : "\(value) is not the name of a user's record."
        case SMStore.SMStoreFileProtectionOption:
            return StoreFileProtection.reason(against: value)
        case NSPersistentStoreTimeoutOption:
            let isAccepted = (value as? NSNumber).map { $0.doubleValue >= 0 } ?? !(value is String)
            return isAccepted ? nil : "\(value) is not a number of seconds."
        case MigratedStores.sourceOption, MigratedStores.destinationOption:
            return nil
        default:
            guard ["smstore", "smsync"].contains(where: name.lowercased().hasPrefix) else {
                return nil
            }
            return "there is no such option." + NearestName.question(name, among: ownNames)
        }
    }
}
