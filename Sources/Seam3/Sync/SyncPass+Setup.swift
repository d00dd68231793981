import CloudKit
import CoreData

/// What a pass has found out about the account, the zone and the subscription, for the passes after
/// saves that follow it.
struct SyncVerification {
    /// The user who was signed in.
    let user: String
    /// Has watched the account since before the user was asked for.
    let watch: AccountWatch
    /// When it was found out.
    let date: Date

    /// How long it counts at most: the system may forget to tell.
    private static let longestUse: TimeInterval = 300

    /// Whether it still counts.
    func isValid(at now: Date) -> Bool {
        !watch.hasChanged && (0..<Self.longestUse).contains(now.timeIntervalSince(date))
    }
}

/// Something is not as an earlier pass has found it: the pass begins again, and looks itself.
struct OutdatedVerification: Error {
    /// The error that those outside see.
    let told: any Error
}

/// Seeing to the account, the zone and the subscription.
extension SyncPass {
    /// Finds out whether the account, the zone and the subscription are as they have to be, unless an
    /// earlier pass has just done so.
    ///
    /// The user is known all the same: what the server said counts only until the system reports a change
    /// of the account, and the token of one user's zone is good for no other's. It goes with the
    /// request that comes next.
    func verifyAccount() async throws {
        if reliesOnVerification, let known = carryover.verification,
            known.isValid(at: clock.now()), try state.user() == known.user,
            try state.isZoneCreated(), try state.isSubscribed(), try state.zoneTokenData() != nil
        {
            watch = known.watch
            user = known.user
            return
        }
        reliesOnVerification = false
        carryover.verification = nil
        watch = AccountWatch(container)
        user = nil
        try await observed(.setup) {
            try await checkAccount()
            try await followDatabaseChanges()
        }
    }

    /// Creates zone and subscription where they lack.
    func verifyZone() async throws {
        if reliesOnVerification { return }
        let date = clock.now()
        try await observed(.setup) {
            try await createZone()
            try await subscribe()
        }
        guard let user, let watch else { return }
        carryover.verification = SyncVerification(user: user, watch: watch, date: date)
    }

    /// Begins again if the pass has relied on what is not so any more.
    func verifyAgain(after error: any Error) throws {
        if reliesOnVerification { throw OutdatedVerification(told: error) }
    }

    /// Sees that the account can be used and belongs to the user whose data the store holds. What
    /// happens to local data after a change the app decides.
    func checkAccount() async throws {
        let known = try state.user()
        user = known
        let status = try await container.accountStatus()
        if status == .noAccount, let known {
            try await follow(.signOut(previousUser: known)) {
                try await container.accountStatus() == .noAccount
            }
        }
        guard status == .available else {
            throw SMStoreError.accountUnavailable(Self.reason(for: status))
        }
        let current = try await container.userRecordID().recordName
        if let known, known != current {
            try await follow(.switchAccounts(previousUser: known, currentUser: current)) {
                try await container.userRecordID().recordName == current
            }
            // One user's data is never uploaded to another's account.
            guard try state.user() == nil else { throw SMStoreError.accountChanged }
        } else if known == nil, try state.isUserUnknown() {
            try await confirmUnknownUser(current)
        } else if known == nil, try database.outbox.count() > 0 {
            try await follow(.signIn(currentUser: current)) {
                try await container.userRecordID().recordName == current
            }
        }
        try transaction {
            // In one transaction: a file of nobody would belong to whoever signs in next.
            try state.setUserUnknown(false)
            try state.setUser(current)
        }
        user = current
    }

    /// Finds out whether the one who is signed in is the user whose records an adopted file has: whose
    /// server knows none of them is another one, or has lost them, and the app decides.
    private func confirmUnknownUser(_ current: String) async throws {
        if try await !serverHasKnownRecord() { try await follow(.missing) }
        // The server has answered for whoever was signed in then.
        guard try await container.userRecordID().recordName == current else {
            throw SMStoreError.accountChanged
        }
    }

    private func serverHasKnownRecord() async throws -> Bool {
        let names = Set(try database.objects.knownRecordNames(limit: Self.mostProbedRecords))
        let ids = names.map { CKRecord.ID(recordName: $0, zoneID: zone.zoneID) }
        guard !ids.isEmpty else { return true }
        let answers: [CKRecord.ID: Result<SMCloudRecord, any Error>]
        do {
            answers = try await zone.records(ids)
        } catch {
            guard CloudErrorReaction(error) == .zoneLost else { throw error }
            return false
        }
        var failure: (any Error)?
        for case .failure(let error) in answers.values
        where (error as? CKError)?.code != .unknownItem && CloudErrorReaction(error) != .zoneLost {
            failure = error
        }
        if answers.values.contains(where: { (try? $0.get()) != nil }) { return true }
        // A server that could not be asked has not said no.
        if let failure { throw failure }
        return false
    }

    /// How many records are asked for, to find out whose they are.
    private static var mostProbedRecords: Int { 100 }

    /// Sees that the account is still that of the pass's user, where a mistake would mix two users'
    /// data: a container speaks for whoever is signed in at the moment.
    func confirmUser() async throws {
        guard try await container.userRecordID().recordName == user else {
            throw SMStoreError.accountChanged
        }
    }

    /// Learns whether the zone has been lost since the last pass.
    func followDatabaseChanges() async throws {
        var token = try state.databaseTokenData()
        while true {
            let page: SMCloudDatabaseChanges
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
                try await follow(loss)
            }
            try transaction { try state.setDatabaseTokenData(page.token) }
            guard page.moreComing, page.token != token else { return }
            token = page.token
        }
    }

    /// Creates the zone if this store never had it for this user.
    func createZone() async throws {
        guard try !state.isZoneCreated() else { return }
        try await zone.createZone()
        try transaction { try state.setZoneCreated() }
    }

    /// Subscribes to the zone's changes, if the store has not yet.
    func subscribe() async throws {
        guard try !state.isSubscribed() else { return }
        do {
            try await zone.subscribe(id: StoreZone.subscriptionID)
        } catch {
            // Pushes are hints: without a subscription the store syncs all the same, and the
            // next pass asks for one again.
            guard CloudErrorReaction(error) == .park else { throw zoneError(error) }
            StoreLog.error("The server refuses a subscription: \(StoreLog.text(error))")
            return
        }
        try transaction { try state.setSubscribed() }
    }
}
