import CloudKit
import CoreData

/// A pass, told from top to bottom: the account, the zone, the subscription, the pull, the push, until
/// nothing is left. The extensions have what the steps are made of.
///
/// A pass has its engine's executor, for they share the engine's connection: it is used there only, and
/// no transaction spans an `await`. Calls between the two are no chance for anything else to run.
actor SyncPass {
    /// What a pass leaves to the next.
    struct Carryover {
        /// How many records a page of the change feed has at most.
        var pageSize = SyncPass.pageSize
        /// How much is sent in one request.
        var limits = BatchLimits()
        /// The revisions of the changes, by object, of which was reported what cannot be sent.
        var reportedRevisions: [Int64: Int64] = [:]
    }

    private nonisolated let engine: SyncEngine
    nonisolated var unownedExecutor: UnownedSerialExecutor { engine.unownedExecutor }

    let database: StoreDatabase
    let mappings: RecordMappings
    let settings: SyncSettings
    let observation: SyncObservation
    private let lease: SyncLease
    private let clock: SyncClock
    private weak var delegate: (any SyncEngineDelegate)?
    /// Whether all records are fetched again, and not only what has changed.
    private let isComplete: Bool
    private let priority: RequestPriority

    /// Made when the pass has the lease: an application without the entitlement is stopped here.
    private lazy var container = settings.container
    private(set) lazy var zone = CloudZone(container, priority: priority)
    /// The user whose data the pass synchronises, once it is known.
    var user: String?
    /// Tells of a change of the account.
    private var watch: AccountWatch?
    /// What the current step has done so far; at the end, what all have done.
    var summary = SMSyncSummary()
    /// Why records could not be fetched, by name.
    var fetchFailures: [String: any Error] = [:]
    var carryover: Carryover
    /// Why the records could not be asked for that earlier passes could not take over.
    private var lookUpFailure: (any Error)?

    /// How many records a page of the change feed has at most, where nothing speaks for fewer.
    static let pageSize = 200
    /// How often a pass begins until it gives up on an account that goes on changing.
    private static let mostBeginnings = 3
    /// How many rounds of the push in a row may end without the server taking a single change.
    private static let mostFruitlessRounds = 10

    init(of engine: isolated SyncEngine, isComplete: Bool) {
        self.engine = engine
        database = engine.database
        mappings = engine.mappings
        settings = engine.settings
        observation = engine.observation
        lease = engine.lease
        clock = engine.clock
        delegate = engine.delegate
        priority = engine.priority
        carryover = engine.carryover
        self.isComplete = isComplete
    }

    var state: SyncStateTable { database.syncState }
    var unfetched: UnfetchedRecordTable { database.unfetched }

    /// Runs the pass. If the account may have changed meanwhile, it begins again: the system may tell
    /// late of a change that the pass already knows of.
    func run() async throws {
        try lease.acquire()
        defer { lease.release() }
        for _ in 1...Self.mostBeginnings {
            do {
                return try await begin()
            } catch is AccountNotice {
                StoreLog.info("The account may have changed: the synchronisation begins again")
            }
        }
        throw AccountNotice().told
    }

    /// Runs all steps. A zone that turns out to be lost is dealt with as the application decides,
    /// once.
    private func begin() async throws {
        watch = AccountWatch(container)
        user = nil
        fetchFailures = [:]
        lookUpFailure = nil
        try await observed(.setup) {
            try await checkAccount()
            try await followDatabaseChanges()
        }
        if isComplete {
            try transaction {
                try state.beginSweep()
                try database.outbox.unparkAll()
            }
        }
        do {
            try await synchroniseZone()
        } catch let lost as LostZone {
            try await observed(.setup) { try await follow(lost.loss) }
            do {
                try await synchroniseZone()
            } catch is LostZone {
                throw SMStoreError.zoneMissing(zone.zoneID.zoneName)
            }
        }
    }

    private func synchroniseZone() async throws {
        try await observed(.setup) {
            try await createZone()
            try await subscribe()
        }
        try await observed(.import) { try await pull() }
        if try database.outbox.count() > 0 {
            try await observed(.export) {
                if try database.outbox.unparkedCount() > 0 { try await confirmUser() }
                try await push()
            }
        }
        if let lookUpFailure { throw lookUpFailure }
        try tellOfUnfetchedRecords()
    }

    // MARK: - Account, zone, subscription

    /// Sees that the account can be used and belongs to the user whose data the store holds. What
    /// becomes of local data after a change the application decides.
    private func checkAccount() async throws {
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
        } else if known == nil, try database.outbox.count() > 0 {
            try await follow(.signIn(currentUser: current)) {
                try await container.userRecordID().recordName == current
            }
        }
        try transaction { try state.setUser(current) }
        user = current
    }

    /// Sees that the account is still that of the pass's user, where a mistake would mix two users'
    /// data: a container speaks for whoever is signed in at the moment.
    private func confirmUser() async throws {
        guard try await container.userRecordID().recordName == user else {
            throw SMStoreError.accountChanged
        }
    }

    /// Learns whether the zone has been lost since the last pass.
    private func followDatabaseChanges() async throws {
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
                try await follow(loss)
            }
            try transaction { try state.setDatabaseToken(page.token) }
            guard page.moreComing, page.token != token else { return }
            token = page.token
        }
    }

    /// Creates the zone if this store never had it for this user.
    private func createZone() async throws {
        guard try !state.isZoneCreated() else { return }
        try await zone.createZone()
        try transaction { try state.setZoneCreated() }
    }

    /// Subscribes to the zone's changes, if the store has not yet.
    private func subscribe() async throws {
        guard try !state.isSubscribed() else { return }
        do {
            try await zone.subscribe(id: CloudZone.subscriptionID)
        } catch {
            // Pushes are hints: without a subscription the store synchronises all the same, and the
            // next pass asks for one again.
            guard CloudErrorReaction(error) == .park else { throw zoneError(error) }
            StoreLog.error("The server refuses a subscription: \(StoreLog.text(error))")
            return
        }
        try transaction { try state.setSubscribed() }
    }

    // MARK: - Pull

    /// Applies all changes since the last page that was applied.
    private func pull() async throws {
        var hasResetToken = false
        while true {
            try Task.checkCancellation()
            let token = try zoneToken()
            let page: ZoneChangePage
            do {
                page = try await zone.changes(since: token, limit: carryover.pageSize)
                carryover.notePage()
                // A token is good for one user's zone only, but without one any zone answers.
                if token == nil { try await confirmUser() }
            } catch  where carryover.shrinksPage(after: error) {
                continue
            } catch {
                guard CloudErrorReaction(error) == .resetToken, !hasResetToken else {
                    throw zoneError(error)
                }
                hasResetToken = true
                try await confirmUser()
                try transaction { try state.beginSweep() }
                continue
            }
            try await apply(page)
            StoreLog.debug(
                "A page of \(page.records.count) records and \(page.deletions.count) deletions")
            observation.advance(
                by: page.records.count + page.deletions.count,
                remaining: try database.outbox.unparkedCount()
                    + (page.moreComing ? carryover.pageSize : 0))
            guard page.moreComing else { break }
            // A feed that promises more without moving on would never end.
            guard page.token != token else { throw CKError(.internalError) }
        }
        try await sweep()
        do {
            try await fetchAgain()
        } catch  where error is CKError {
            // What is to be sent does not wait for it.
            lookUpFailure = error
        }
    }

    // MARK: - Push

    /// Sends saves, then deletions, until nothing waits.
    ///
    /// - Throws: ``SMStoreError/changesNotAcknowledged(count:underlying:)`` if the rounds brought
    ///   nothing forward though something waits, and what the server answered otherwise.
    private func push() async throws {
        var fruitlessRounds = 0
        while true {
            let progress = try await pushRound()
            let waiting = try database.outbox.unparkedCount()
            if waiting == 0 { break }
            fruitlessRounds = progress.settled > 0 ? 0 : fruitlessRounds + 1
            guard progress.settled + progress.retried > 0,
                fruitlessRounds < Self.mostFruitlessRounds
            else {
                throw SMStoreError.changesNotAcknowledged(
                    count: waiting, underlying: progress.lastError)
            }
        }
        if let (count, error) = try database.outbox.parked() {
            throw SMStoreError.changesNotAcknowledged(
                count: count, underlying: SMStoreError.refusedByServer(error))
        }
    }

    private func pushRound() async throws -> PushProgress {
        var progress = PushProgress()
        do {
            progress += try await send(.saves)
        } catch  where CloudErrorReaction(error) == .stopPushing {
            // Deletions may free the space that the saves lack.
            _ = try await send(.deletions)
            throw error
        }
        progress += try await send(.deletions)
        return progress
    }

    // MARK: - Steps and transactions

    /// Runs a step, and tells of its beginning and its end.
    private func observed(
        _ kind: SMSyncEvent.Kind, _ step: () async throws -> Void
    ) async throws {
        let event = SMSyncEvent(kind, at: clock.now())
        observation.report(event)
        let before = summary
        summary = SMSyncSummary()
        var failure: (any Error)?
        do {
            try await step()
        } catch {
            failure = error
        }
        let done = summary
        summary = before
        summary.add(done)
        observation.report(
            event.ended(at: clock.now(), summary: done, error: failure.map(Self.told)))
        StoreLog.debug("\(kind): \(done)")
        if let failure { throw failure }
    }

    /// An error as those outside may see it.
    private static func told(_ error: any Error) -> any Error {
        (error as? LostZone)?.told ?? (error as? AccountNotice)?.told ?? error
    }

    /// Runs a transaction of the pass, and puts the expiry of its lease off.
    ///
    /// - Throws: An error before anything is written if the pass has lost its right to the store:
    ///   another process has the lease, the account has changed, or the application has reset the
    ///   store. What the pass still knows is of no use then.
    @discardableResult
    func transaction<T>(
        _ body: (inout StoreChanges) throws -> T
    ) throws -> (value: T, changes: StoreChanges) {
        if watch?.hasChanged == true { throw AccountNotice() }
        return try database.write { changes in
            try lease.renew()
            guard try state.user() == user else { throw CancellationError() }
            return try body(&changes)
        }
    }

    /// Runs a transaction of the pass that writes what no context sees; see ``transaction(_:)``.
    @discardableResult
    func transaction<T>(_ body: () throws -> T) throws -> T {
        try transaction { (_: inout StoreChanges) in try body() }.value
    }

    /// Tells the store of a committed transaction, and counts what it did.
    func didCommit(_ changes: StoreChanges) async {
        summary.conflictCount += changes.conflictCount
        guard !changes.isEmpty, let delegate else { return }
        let told = await delegate.syncEngine(didCommit: changes)
        summary.insertedObjectIDs.formUnion(told.insertedObjectIDs)
        summary.updatedObjectIDs.formUnion(told.updatedObjectIDs)
        summary.deletedObjectIDs.formUnion(told.deletedObjectIDs)
    }

    /// Tells of a failure that does not end the pass.
    func report(_ error: SMStoreError) {
        delegate?.syncEngineDidMeet(error)
    }
}
