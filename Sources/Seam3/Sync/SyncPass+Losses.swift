import CloudKit
import CoreData

/// Local data after a change of account or the loss of the zone. The app decides what happens to
/// it.
extension SyncPass {
    /// Asks the app what to do about a change of account, and does it.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - isStill: Whether the account is still the one after the change. The app may take its
    ///     time to decide.
    func follow(
        _ change: SMAccountChange, ifStill isStill: () async throws -> Bool
    ) async throws {
        // What was decided about a loss was about the former user's data.
        lossDecision = nil
        let response = await response(to: change)
        StoreLog.info("The account has changed; local data: \(response)", .account)
        if response == .removeLocalData {
            guard try await isStill() else {
                throw AccountNotice().told
            }
            try await removeLocalData { try state.reset() }
            // It was about the objects that are gone now.
            accountDecision = nil
        }
        // The app may have reset the store itself.
        user = try state.user()
    }

    private func response(to change: SMAccountChange) async -> SMAccountChangeResponse {
        if let decision = accountDecision, decision.change == change { return decision.response }
        var response = SMAccountChangeResponse.keepLocalData
        if let handler = settings.accountChangeHandler {
            response = await gate.asking { await handler(change) }
        }
        accountDecision = (change, response)
        return response
    }

    /// The reason why an account cannot be used.
    static func reason(for status: CKAccountStatus) -> String {
        switch status {
        case .noAccount: return "nobody is signed in"
        case .restricted: return "access is restricted"
        case .temporarilyUnavailable: return "it is temporarily unavailable"
        default: return "its status cannot be determined"
        }
    }

    /// Deletes the zone on the server, and does what the app has decided about the objects here.
    func deleteZone(then response: SMZoneLossResponse) async throws {
        carryover.verification = nil
        watch = AccountWatch(container)
        try await observed(.setup) {
            try await checkAccount()
            try await confirmUser()
            try await confirmed { try await zone.deleteZone() }
            StoreLog.notice("The app has deleted the zone", .account)
            guard response != .stop else {
                return try transaction { try state.setZoneLoss(.deleted) }
            }
            lossDecision = (.deleted, [], response)
            try await follow(.deleted)
        }
    }

    /// Asks the app what to do about a lost zone, and does it.
    ///
    /// - Throws: ``SMStoreError/zoneMissing(_:)`` if the app decides to stop.
    func follow(_ loss: SMZoneLoss) async throws {
        let response = await response(to: loss)
        StoreLog.info("The zone is lost (\(loss)); local data: \(response)", .account)
        switch response {
        case .stop:
            if try hasSyncedZone() { try transaction { try state.setZoneLoss(loss) } }
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
        lossDecision = nil
    }

    /// Whether the store has anything in the zone that can be lost.
    private func hasSyncedZone() throws -> Bool {
        guard try state.isZoneCreated() else { return false }
        return try state.zoneTokenData() != nil
            || !database.objects.knownRecordNames(limit: 1).isEmpty
    }

    /// The app's response to a loss.
    ///
    /// - Parameter names: The names of the lost records, if the zone exists.
    func response(
        to loss: SMZoneLoss, of names: [String] = []
    ) async -> SMZoneLossResponse {
        if let decision = lossDecision, decision.loss == loss, decision.names == names {
            return decision.response
        }
        var response = loss.defaultResponse
        if let handler = settings.zoneLossHandler {
            response = await gate.asking { await handler(loss) }
        }
        lossDecision = (loss, names, response)
        return response
    }

    /// Removes all objects, and notifies the contexts.
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

    /// The error of a request to the zone, converted to a `LostZone` if the zone is lost.
    func zoneError(_ error: any Error) -> any Error {
        CloudErrorReaction(error) == .zoneLost ? lost(SMZoneLoss(error)) : error
    }

    /// The error that ends the steps of the pass because the zone is lost, with the reason that an earlier pass has learned
    /// if this one knows none.
    private func lost(_ loss: SMZoneLoss) -> LostZone {
        var reason = loss
        if loss == .missing, let known = try? state.zoneLoss() { reason = known }
        return LostZone(loss: reason, zoneName: zone.zoneID.zoneName)
    }

    /// Makes sure that the zone is the one that the store has synced with.
    ///
    /// A zone that was deleted and made again has another identity, and a feed without the known records. To take that for
    /// their deletion would remove all objects.
    ///
    /// - Parameter page: The first page of the feed from its beginning; nil if the store has no token with which the zone
    ///   could prove to be the same.
    /// - Throws: `LostZone` if the zone is another one, or was lost when a pass last asked for it.
    func confirmZone(_ page: SMCloudZoneChanges?) async throws {
        if let loss = try state.zoneLoss() { throw lost(loss) }
        guard let page else { return }
        let identity = page.clientToken.flatMap(ZoneIdentity.init(_:))
        if try identity != nil && identity == state.zoneIdentity() { return }
        let hasKnownRecord = try page.records.contains {
            try database.objects.entry(named: $0.record.recordID.recordName)?.systemFields != nil
        }
        if hasKnownRecord { return }
        guard try await serverHasKnownRecord() else { throw lost(.missing) }
    }

    /// Forgets a loss of the zone that has turned out to be none: the zone accepts the token that it gave to this store.
    func noteZoneIsSame() throws {
        if try state.zoneLoss() != nil { try transaction { try state.setZoneLoss(nil) } }
    }
}
