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
        guard !identifier.hasPrefix(prefix) else { return nil }
        let rest =
            identifier.lowercased().hasPrefix(prefix.lowercased())
            ? String(identifier.dropFirst(prefix.count)) : identifier
        let question = rest.isEmpty ? "" : " Did you mean \(prefix)\(rest)?"
        return
            "\(identifier) is not the identifier of a container, which begins with \(prefix).\(question)"
    }

    /// The problem with an option's value or name; nil if there is none.
    private static func reason(against value: Any, for name: String) -> String? {
        switch name {
        case SMStore.SMStoreContainerOption:
            if value is any SMCloudContainer { return nil }
            if let identifier = value as? String { return reason(againstContainer: identifier) }
            return "\(value) is neither the identifier of a container nor a container."
        case SMStore.SMStoreSyncConflictResolutionPolicyOption:
            guard SMSyncConflictResolutionPolicy(option: value) == nil else { return nil }
            return "\(value) is not a policy." + SMSyncConflictResolutionPolicy.advice(on: value)
        case SMStore.SMStoreAdoptionOption, SMStore.SMStoreInMemoryOption:
            return value is Bool || value is NSNumber ? nil : "\(value) is neither true nor false."
        case SMStore.SMStoreAdoptionUserOption:
            return value is String ? nil : "\(value) is not the name of a user's record."
        case SMStore.SMStoreFileProtectionOption:
            return StoreFileProtection.reason(against: value)
        case MigratedStores.sourceOption, MigratedStores.destinationOption:
            return nil
        default:
            guard name.hasPrefix("SMStore") || name.hasPrefix("SMSync") else { return nil }
            return "there is no such option." + NearestName.question(name, among: ownNames)
        }
    }
}
