import CoreData

/// Which policy resolves the conflicts of which entity.
///
/// The nearest choice counts: for the entity itself, then for those it inherits from, then for the
/// store; of one entity first what was chosen at run time, then what the model's user info says.
struct ConflictPolicies: Sendable {
    /// The policy of entities that have none of their own.
    var standard: SMSyncConflictResolutionPolicy
    /// What was chosen at run time, by entity name.
    private var chosen: [String: SMSyncConflictResolutionPolicy] = [:]

    init(standard: SMSyncConflictResolutionPolicy) {
        self.standard = standard
    }

    /// The policy chosen at run time for an entity; nil if there is none.
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

    /// What the model says of an entity itself.
    private static func modeled(
        _ entity: NSEntityDescription
    ) -> SMSyncConflictResolutionPolicy? {
        SMSyncConflictResolutionPolicy(
            option: entity.userInfo?[UserInfoKey.conflictPolicy])
    }
}
