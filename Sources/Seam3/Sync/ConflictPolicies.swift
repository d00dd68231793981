import CoreData

/// The policies that resolve the conflicts of each entity.
///
/// The most specific policy applies: the entity's own, then that of the entities it inherits from,
/// then the store's. For one entity, a policy set at run time takes precedence over the model's
/// user info.
struct ConflictPolicies: Sendable {
    /// The policy for entities without one of their own.
    var standard: SMSyncConflictResolutionPolicy
    /// The policies set at run time, by entity name.
    private var chosen: [String: SMSyncConflictResolutionPolicy] = [:]

    init(standard: SMSyncConflictResolutionPolicy) {
        self.standard = standard
    }

    /// The policy set at run time for an entity; nil if there is none.
    subscript(entityName: String) -> SMSyncConflictResolutionPolicy? {
        get { chosen[entityName] }
        set { chosen[entityName] = newValue }
    }

    /// The policy that resolves the conflicts of an entity.
    func policy(of entity: NSEntityDescription) -> SMSyncConflictResolutionPolicy {
        for entity in sequence(first: entity, next: \.superentity) {
            if let policy = chosen[entity.name ?? ""] ?? Self.modeled(entity) { return policy }
        }
        return standard
    }

    /// The policy that resolves the conflicts of an object with a record. Two objects with one
    /// natural key cannot both be kept, so their properties are merged.
    func policy(of mapping: RecordMapping) -> SMSyncConflictResolutionPolicy {
        let policy = policy(of: mapping.entity.description)
        return policy == .keepBoth && mapping.naturalKey != nil ? .mergeByProperty : policy
    }

    /// What a developer has to know before the first conflict: that nothing calls the app's block, or that a policy calls
    /// a block that is not set. Nil if they fit.
    func notice(hasBlock: Bool, _ mappings: RecordMappings) -> String? {
        let asking = mappings.ofRecords.lazy.map(policy(of:)).first(where: \.asksApplication)
        switch (hasBlock, asking) {
        case (true, nil):
            return
                "recordConflictResolutionBlock is set and never called: the policy of the store is \(standard),"
                + (standard.asksApplication
                    ? " but each synced entity has a policy of its own that does not call it"
                    : " and no entity has clientTellsWhichWins or mergeByPropertyClientTells")
        case (false, let policy?):
            return
                "recordConflictResolutionBlock is not set, and the policy \(policy) calls it: set it, or the server's"
                + " version will win"
        default: return nil
        }
    }

    /// The policy in the model for the entity itself, without inheritance.
    private static func modeled(
        _ entity: NSEntityDescription
    ) -> SMSyncConflictResolutionPolicy? {
        SMSyncConflictResolutionPolicy(
            option: entity.userInfo?[UserInfoKey.conflictPolicy])
    }
}
