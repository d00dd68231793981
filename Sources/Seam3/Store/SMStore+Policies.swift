import CoreData

/// What an application decides: conflicts by entity, changed accounts, lost zones.
extension SMStore {
    /// Decides what becomes of local data after a change of the account. May wait for the user.
    public typealias AccountChangeHandler =
        @Sendable (_ change: SMAccountChange) async -> SMAccountChangeResponse

    /// Decides what becomes of objects that the server has lost. May wait for the user.
    public typealias ZoneLossHandler =
        @Sendable (_ loss: SMZoneLoss) async -> SMZoneLossResponse

    /// Asked before anything is done about a change of the account. Without it local data is kept:
    /// sent to the first user who signs in, and held back from any other.
    ///
    ///     store.accountChangeHandler = { change in
    ///         if case .switchAccounts = change { return .removeLocalData }
    ///         return .keepLocalData
    ///     }
    ///
    /// Called by a synchronisation, within which the store can be used, and again by the next one as
    /// long as it answers to keep data that cannot be synchronised.
    public var accountChangeHandler: AccountChangeHandler? {
        get { settings.accountChangeHandler }
        set { settings.accountChangeHandler = newValue }
    }

    /// Asked before anything is done about a loss on the server. Without it the defaults of
    /// ``SMZoneLossResponse`` hold.
    ///
    /// Called by a synchronisation, and again by the next one as long as it answers to stop.
    public var zoneLossHandler: ZoneLossHandler? {
        get { settings.zoneLossHandler }
        set { settings.zoneLossHandler = newValue }
    }

    /// Chooses what happens to an object of an entity that both sides changed.
    ///
    /// - Parameters:
    ///   - policy: The policy; nil for that of the model, of the parent entity or of the store.
    ///   - entityName: The entity. Its sub-entities follow it unless they have policies of their own.
    public func setSyncConflictResolutionPolicy(
        _ policy: SMSyncConflictResolutionPolicy?, forEntityNamed entityName: String
    ) {
        if let names = persistentStoreCoordinator?.managedObjectModel.entitiesByName.keys,
            !names.contains(entityName)
        {
            StoreLog.error(
                "There is no entity \(entityName) to set a conflict policy for."
                    + NearestName.question(entityName, among: names), .store)
        }
        settings.policies[entityName] = policy
    }

    /// What happens to an object of an entity that both sides changed.
    ///
    /// - Parameter entityName: The entity.
    /// - Returns: The policy of the entity, or else the one that it inherits or that the store has.
    public func syncConflictResolutionPolicy(
        forEntityNamed entityName: String
    ) -> SMSyncConflictResolutionPolicy {
        let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[entityName]
        guard let entity else { return syncConflictResolutionPolicy }
        return settings.policies.policy(of: entity)
    }
}
