import CloudKit
import CoreData

/// The account, the zone and the subscription.
extension SyncEngine {
    /// Sees that the account can be used and belongs to the user whose data the store holds.
    func checkAccount(_ container: CKContainer) async throws {
        switch try await container.accountStatus() {
        case .available: break
        case .noAccount: throw SMStoreError.accountUnavailable("nobody is signed in")
        case .restricted: throw SMStoreError.accountUnavailable("access is restricted")
        case .temporarilyUnavailable:
            throw SMStoreError.accountUnavailable("it is temporarily unavailable")
        default: throw SMStoreError.accountUnavailable("its status cannot be determined")
        }
        let user = try await container.userRecordID().recordName
        try database.connection.transaction {
            guard let known = try state.user() else { return try state.setUser(user) }
            // One user's data is never uploaded to another's account.
            guard known == user else { throw SMStoreError.accountChanged }
        }
        passUser = user
    }

    /// Sees that the account is still that of the pass's user, where a mistake would mix two users'
    /// data: a container speaks for whoever is signed in at the moment.
    func confirmUser(_ container: CKContainer) async throws {
        guard try await container.userRecordID().recordName == passUser else {
            throw SMStoreError.accountChanged
        }
    }

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
            if page.losses[zone.zoneID] != nil, !page.changed.contains(zone.zoneID),
                try state.isZoneCreated()
            {
                throw SMStoreError.zoneMissing(zone.zoneID.zoneName)
            }
            try transaction { try state.setDatabaseToken(page.token) }
            guard page.moreComing, page.token != token else { return }
            token = page.token
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
                guard CloudErrorReaction(error) == .park else { throw error }
                SMStore.logger?.error("The server refuses a subscription: \(error)")
                return
            }
            try transaction { try state.setSubscribed() }
        }
    }

    /// The error of a request to the zone, with a lost zone named as such.
    func zoneError(_ error: any Error, _ zone: CloudZone) -> any Error {
        CloudErrorReaction(error) == .zoneLost
            ? SMStoreError.zoneMissing(zone.zoneID.zoneName) : error
    }
}
