import CoreData

/// Checks the options of a store before anything is done about them: one that is misspelt, or has a value
/// of another kind, would be ignored.
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

    /// What is wrong with the value of an option, or with its name; nil if nothing is.
    private static func reason(against value: Any, for name: String) -> String? {
        switch name {
        case SMStore.SMStoreContainerOption:
            guard !(value is String), !(value is any SMCloudContainer) else { return nil }
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
