import CloudKit
import CoreData

/// The account, the zone and the subscription.
extension SyncEngine {
    // MARK: - Account

    /// Sees that the account can be used and belongs to the user whose data the store holds. What
    /// becomes of local data after a change the application decides.
    func checkAccount(_ container: CKContainer) async throws {
        let known = try state.user()
        passUser = known
        let status = try await container.accountStatus()
        if status == .noAccount, let known {
            try await follow(.signOut(previousUser: known)) {
                try await container.accountStatus() == .noAccount
            }
        }
        guard status == .available else {
            throw SMStoreError.accountUnavailable(Self.reason(for: status))
        }
        let user = try await container.userRecordID().recordName
        if let known, known != user {
            try await follow(.switchAccounts(previousUser: known, currentUser: user)) {
                try await container.userRecordID().recordName == user
            }
            // One user's data is never uploaded to another's account.
            guard try state.user() == nil else { throw SMStoreError.accountChanged }
        } else if known == nil, try database.outbox.count() > 0 {
            try await follow(.signIn(currentUser: user)) {
                try await container.userRecordID().recordName == user
            }
        }
        try transaction { try state.setUser(user) }
        passUser = user
    }

    private static func reason(for status: CKAccountStatus) -> String {
        switch status {
        case .noAccount: return "nobody is signed in"
        case .restricted: return "access is restricted"
        case .temporarilyUnavailable: return "it is temporarily unavailable"
        default: return "its status cannot be determined"
        }
    }

    /// Does what the application has decided for a change of the account.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - isStill: Whether the account still is as the change has made it. An application may take
    ///     its time to decide.
    private func follow(
        _ change: SMAccountChange, ifStill isStill: () async throws -> Bool
    ) async throws {
        let response = await settings.accountChangeHandler?(change) ?? .keepLocalData
        StoreLog.info("The account has changed; local data: \(response)", .account)
        if response == .removeLocalData {
            guard try await isStill() else {
                throw AccountNotice().told
            }
            try await removeLocalData { try self.state.reset() }
        }
        // The application may have emptied the store itself.
        passUser = try state.user()
    }

    /// Sees that the account is still that of the pass's user, where a mistake would mix two users'
    /// data: a container speaks for whoever is signed in at the moment.
    func confirmUser(_ container: CKContainer) async throws {
        guard try await container.userRecordID().recordName == passUser else {
            throw SMStoreError.accountChanged
        }
    }

    /// Removes all objects, and tells the contexts.
    ///
    /// - Parameter finish: Runs inside the transaction.
    private func removeLocalData(_ finish: () throws -> Void) async throws {
        let (_, changes) = try transaction { changes in
            changes.deleted = try database.objects.entitiesOfPresentObjects()
            try database.removeEverything()
            try finish()
        }
        await didCommit(changes)
    }

    // MARK: - Zone

    /// Learns whether the zone has been lost since the last pass.
    func followDatabaseChanges(_ zone: CloudZone) async throws {
        var token = try state.databaseToken()
        while true {
            let page: DatabaseChangePage
            do {
                page = try await zone.databaseChanges(since: token)
            } catch {
                guard token != nil, CloudErrorReaction(error) == .resetToken else { throw error }
                token = nil
                continue
            }
            if let loss = page.losses[zone.zoneID], !page.changed.contains(zone.zoneID),
                try state.isZoneCreated()
            {
                try await follow(loss, of: zone)
            }
            try transaction { try state.setDatabaseToken(page.token) }
            guard page.moreComing, page.token != token else { return }
            token = page.token
        }
    }

    /// Does what the application has decided for a lost zone.
    ///
    /// - Throws: ``SMStoreError/zoneMissing(_:)`` if nothing is to be done.
    func follow(_ loss: SMZoneLoss, of zone: CloudZone) async throws {
        let response = await settings.response(to: loss)
        StoreLog.info("The zone is lost (\(loss)); local data: \(response)", .account)
        switch response {
        case .stop:
            throw SMStoreError.zoneMissing(zone.zoneID.zoneName)
        case .upload:
                try transaction {
                try database.forgetServer(synced: mappings.syncedNumbers)
                try state.resetZone()
            }
        case .removeLocalData:
            try await removeLocalData { try self.state.resetZone() }
        }
    }

    /// Creates the zone if this store never had it for this user, and subscribes to it.
    func setUp(_ zone: CloudZone) async throws {
        if try !state.isZoneCreated() {
            try await zone.createZone()
            try transaction { try state.setZoneCreated() }
        }
        if try !state.isSubscribed() {
            do {
                try await zone.subscribe(id: SMStore.SMStoreCloudStoreSubscriptionName)
            } catch {
                // Pushes are hints: without a subscription the store synchronises all the same, and
                // the next pass asks for one again.
                guard CloudErrorReaction(error) == .park else { throw zoneError(error, zone) }
                StoreLog.error("The server refuses a subscription: \(StoreLog.text(error))")
                return
            }
            try transaction { try state.setSubscribed() }
        }
    }

    /// The error of a request to the zone, with a lost zone named as such.
    func zoneError(_ error: any Error, _ zone: CloudZone) -> any Error {
        CloudErrorReaction(error) == .zoneLost
            ? LostZone(loss: SMZoneLoss(error), zoneName: zone.zoneID.zoneName) : error
    }
}
