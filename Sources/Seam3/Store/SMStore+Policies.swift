import CoreData

/// What an app decides: conflicts by entity, changes of the account, lost zones.
extension SMStore {
    /// Decides what happens to local data after a change of the account. It may wait for the user.
    public typealias AccountChangeHandler =
        @Sendable (_ change: SMAccountChange) async -> SMAccountChangeResponse

    /// Decides what happens to objects that the server has lost. It may wait for the user.
    public typealias ZoneLossHandler =
        @Sendable (_ loss: SMZoneLoss) async -> SMZoneLossResponse

    /// Called before the store reacts to a change of the account.
    ///
    /// Without a handler local data is kept: it is sent to the first user who signs in, and to nobody
    /// else.
    ///
    ///     store.accountChangeHandler = { change in
    ///         if case .switchAccounts = change { return .removeLocalData }
    ///         return .keepLocalData
    ///     }
    ///
    /// The handler is called during a sync, on no particular actor, and may use the store. As long as it answers to keep data that
    /// cannot be synced, each further sync calls it again. Until it has answered, nobody can wait for a sync of the store:
    /// ``SMStoreError/syncInHandler``.
    public var accountChangeHandler: AccountChangeHandler? {
        get { settings.accountChangeHandler }
        set { settings.accountChangeHandler = newValue }
    }

    /// Called before the store reacts to a loss of data on the server.
    ///
    ///     store.zoneLossHandler = { loss in
    ///         loss == .purged ? .removeLocalData : .upload
    ///     }
    ///
    /// Without a handler the defaults of ``SMZoneLossResponse`` apply. The handler is called during a
    /// sync, on no particular actor. As long as it answers to stop, each further sync calls it again. Until it has
    /// answered, nobody can wait for a sync of the store: ``SMStoreError/syncInHandler``.
    public var zoneLossHandler: ZoneLossHandler? {
        get { settings.zoneLossHandler }
        set { settings.zoneLossHandler = newValue }
    }

    /// Resolves conflicts under the policies `clientTellsWhichWins` and `mergeByPropertyClientTells`.
    ///
    /// Called on a background queue, never on the main actor, and never within a transaction. It returns the
    /// server's record with any changes:
    ///
    ///     store.recordConflictResolutionBlock = { server, client, ancestor in
    ///         server["title"] = client["title"] as? String
    ///         return server
    ///     }
    @preconcurrency public var recordConflictResolutionBlock: SMStoreConflictResolutionBlock? {
        get { settings.resolutionBlock }
        set { settings.resolutionBlock = newValue }
    }

    /// The same as ``recordConflictResolutionBlock``, under the name in the manual of Seam3 1.
    @preconcurrency public var syncConflictResolutionBlock: SMStoreConflictResolutionBlock? {
        get { recordConflictResolutionBlock }
        set { recordConflictResolutionBlock = newValue }
    }

    /// The policy for objects that both sides changed, unless their entity has a policy of its own.
    ///
    ///     store.syncConflictResolutionPolicy = .mergeByProperty
    ///
    /// It can be changed at any time. For single entities see
    /// ``setSyncConflictResolutionPolicy(_:forEntityNamed:)``.
    public var syncConflictResolutionPolicy: SMSyncConflictResolutionPolicy {
        get { settings.policies.standard }
        set { settings.policies.standard = newValue }
    }

    /// Sets the conflict policy of an entity.
    ///
    ///     store.setSyncConflictResolutionPolicy(.keepBoth, forEntityNamed: "Note")
    ///
    /// - Parameters:
    ///   - policy: The policy; nil for that of the model, of the parent entity or of the store.
    ///   - entityName: The entity. Its subentities inherit the policy unless they have their own.
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

    /// The conflict policy of an entity.
    ///
    /// - Parameter entityName: The entity.
    /// - Returns: The entity's own policy, the one that it inherits, or that of the store.
    public func syncConflictResolutionPolicy(
        forEntityNamed entityName: String
    ) -> SMSyncConflictResolutionPolicy {
        let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[entityName]
        guard let entity else { return syncConflictResolutionPolicy }
        return settings.policies.policy(of: entity)
    }
}
