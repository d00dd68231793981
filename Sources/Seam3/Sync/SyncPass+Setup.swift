import CloudKit
import CoreData

/// The result of a pass's checks of the account, the zone and the subscription, on which later
/// passes after saves rely.
struct SyncVerification {
    /// The user who is signed in.
    let user: String
    /// Watches the account, and was started before the user was requested.
    let watch: AccountWatch
    /// The date of the checks.
    let date: Date

    /// The maximum age in seconds, because the system may fail to report a change.
    private static let longestUse: TimeInterval = 300

    /// Whether the result is still valid.
    func isValid(at now: Date) -> Bool {
        !watch.hasChanged && (0..<Self.longestUse).contains(now.timeIntervalSince(date))
    }
}

/// The result of an earlier pass's checks is outdated. The pass begins again and makes its own
/// checks.
struct OutdatedVerification: Error {
    /// The error that the app gets.
    let told: any Error
}

/// Checking and setting up the account, the zone and the subscription.
extension SyncPass {
    /// Checks the account and the zone, unless an earlier pass has just done so.
    ///
    /// Relying on an earlier pass is safe. Its result is valid only until the system reports a
    /// change of the account, and the user is asked for before anything is written or sent.
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

    /// Creates the zone and the subscription if they are missing.
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

    /// Makes the pass begin again if it has relied on the checks of an earlier pass.
    func verifyAgain(after error: any Error) throws {
        if reliesOnVerification { throw OutdatedVerification(told: error) }
    }

    /// Makes sure that the account is available and belongs to the user whose data the store holds.
    /// After a change of account, the app decides what happens to local data.
    func checkAccount() async throws {
        let known = try state.user()
        user = known
        try checkFile()
        let status = try await accountStatus()
        if status == .noAccount, let known {
            try await follow(.signOut(previousUser: known)) {
                try await accountStatus() == .noAccount
            }
        }
        guard status == .available else {
            throw SMStoreError.accountUnavailable(Self.reason(for: status))
        }
        let current = try await currentUser()
        if let known, known != current {
            try await follow(.switchAccounts(previousUser: known, currentUser: current)) {
                try await currentUser() == current
            }
            // One user's data is never uploaded to another's account.
            guard try state.user() == nil else { throw SMStoreError.accountChanged }
        } else if known == nil, try state.isUserUnknown() {
            try await confirmUnknownUser(current)
        } else if known == nil, try database.outbox.count() > 0 {
            try await follow(.signIn(currentUser: current)) {
                try await currentUser() == current
            }
        }
        try transaction {
            // Both in one transaction, because a file without a user would belong to whoever signs
            // in next.
            try state.setUserUnknown(false)
            try state.setUser(current)
            try state.setContainer(container.cloudIdentifier)
        }
        user = current
    }

    private func accountStatus() async throws -> CKAccountStatus {
        try await answer { try await $0.accountStatus() }
    }

    /// The name of the record of the user who is signed in.
    private func currentUser() async throws -> String {
        try await answer { try await $0.userRecordID().recordName }
    }

    /// The container's answer to a question about the account. The system may take any time, and cannot be told that
    /// nobody waits any more.
    private func answer<Answer: Sendable>(
        _ question: @escaping @Sendable (any SMCloudContainer) async throws -> Answer
    ) async throws -> Answer {
        try await FirstResult.of { [container] in
            guard let system = container as? CKContainer else {
                return try await question(container)
            }
            let configuration = ContainerZone.configuration(Self.qualityOfService)
            return try await system.configuredWith(configuration: configuration) {
                try await question($0)
            }
        }
    }

    /// Makes sure that the pass's user is still signed in, before anything is written that follows from a response of the
    /// server. The system may report another user late, and a container always acts for the user who is signed in.
    func confirmUser() async throws {
        guard try await currentUser() == user else { throw SMStoreError.accountChanged }
        userConfirmation = clock.now()
    }

    /// Makes sure that the pass's user was signed in a moment ago, before something is sent.
    func confirmUserIfNeeded() async throws {
        let age = userConfirmation.map { clock.now().timeIntervalSince($0) }
        if let age, (0..<Self.longestConfirmation).contains(age) { return }
        try await confirmUser()
    }

    /// The response to a request, which is the zone's of the pass's user; see ``confirmUser()``.
    func confirmed<Response>(_ request: () async throws -> Response) async throws -> Response {
        let response = try await request()
        try await confirmUser()
        return response
    }

    /// How many seconds the user counts as signed in.
    private static var longestConfirmation: TimeInterval { 5 }

    /// Makes sure that the file belongs to the container, and is not a copy of one. The name of a user's record differs
    /// between containers, so another container would look like another user.
    private func checkFile() throws {
        if try state.isCopy() { throw SMStoreError.copyOfSyncedStore }
        if let previous = try state.container(), let current = container.cloudIdentifier,
            previous != current
        {
            throw SMStoreError.containerChanged(previous: previous, current: current)
        }
    }

    /// Checks whether the signed-in user owns the records of an adopted file. If the server has
    /// none of them, the user is a different one or the records are lost, and the app decides.
    private func confirmUnknownUser(_ current: String) async throws {
        let isKnown = try await serverHasKnownRecord()
        // The server answered for the user who was signed in at that moment.
        guard try await currentUser() == current else { throw SMStoreError.accountChanged }
        if !isKnown { try await follow(.missing) }
    }

    /// Whether the server has any of the records that the store knows; true if it knows none.
    func serverHasKnownRecord() async throws -> Bool {
        let names = Set(try database.objects.knownRecordNames(limit: Self.mostProbedRecords))
        let ids = names.compactMap { CKRecord.ID.ofRecord(named: $0, in: zone.zoneID) }
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
        // A request that failed is not a negative answer.
        if let failure { throw failure }
        return false
    }

    /// How many records are requested to find out whose they are.
    private static var mostProbedRecords: Int { 100 }

    /// Checks whether the zone has been lost since the last pass.
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
            if page.token == token, page.losses.isEmpty { return }
            try await confirmUser()
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

    /// Creates the zone if this store has never created it for this user.
    func createZone() async throws {
        guard try !state.isZoneCreated() else { return }
        try await confirmed { try await zone.createZone() }
        try transaction { try state.setZoneCreated() }
    }

    /// Subscribes to the zone's changes, unless the store has done so already.
    func subscribe() async throws {
        guard try !state.isSubscribed() else { return }
        do {
            try await confirmed { try await zone.subscribe(id: StoreZone.subscriptionID) }
        } catch {
            // Pushes are hints. The store also syncs without a subscription, and the next pass
            // requests one again.
            guard CloudErrorReaction(error) == .park else { throw zoneError(error) }
            StoreLog.error("The server refuses a subscription: \(StoreLog.text(error))")
            return
        }
        try transaction { try state.setSubscribed() }
    }
}
