import CloudKit
import CoreData

/// What happens to local data when the account has changed, or the zone is lost: the app
/// decides.
extension SyncPass {
    /// Does what the app has decided for a change of the account.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - isStill: Whether the account still is as the change has made it. An app may take
    ///     its time to decide.
    func follow(
        _ change: SMAccountChange, ifStill isStill: () async throws -> Bool
    ) async throws {
        let response = await settings.accountChangeHandler?(change) ?? .keepLocalData
        StoreLog.info("The account has changed; local data: \(response)", .account)
        if response == .removeLocalData {
            guard try await isStill() else {
                throw AccountNotice().told
            }
            try await removeLocalData { try state.reset() }
        }
        // The app may have emptied the store itself.
        user = try state.user()
    }

    /// Why an account cannot be used.
    static func reason(for status: CKAccountStatus) -> String {
        switch status {
        case .noAccount: return "nobody is signed in"
        case .restricted: return "access is restricted"
        case .temporarilyUnavailable: return "it is temporarily unavailable"
        default: return "its status cannot be determined"
        }
    }

    /// Does what the app has decided for a lost zone.
    ///
    /// - Throws: ``SMStoreError/zoneMissing(_:)`` if nothing is to be done.
    func follow(_ loss: SMZoneLoss) async throws {
        let response = await settings.response(to: loss)
        StoreLog.info("The zone is lost (\(loss)); local data: \(response)", .account)
        switch response {
        case .stop:
            throw SMStoreError.zoneMissing(zone.zoneID.zoneName)
        case .upload:
            try transaction {
                try database.forgetServer(
                    synced: mappings.syncedNumbers, keepsDeletions: false)
                try state.resetZone()
            }
        case .removeLocalData:
            try await removeLocalData { try state.resetZone() }
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

    /// The error of a request to the zone, with a lost zone named as such.
    func zoneError(_ error: any Error) -> any Error {
        CloudErrorReaction(error) == .zoneLost
            ? LostZone(loss: SMZoneLoss(error), zoneName: zone.zoneID.zoneName) : error
    }
}
