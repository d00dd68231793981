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
        /// How many records a page of the change feed has at most. The first ones show how large the
        /// records are; one may have a megabyte.
        var pageSize = 20
        /// How much is sent in one request.
        var limits = BatchLimits()
        /// The revisions of the changes, by object, of which was reported what cannot be sent.
        var reportedRevisions: [Int64: Int64] = [:]
        /// What an earlier pass has found out, unless one has failed since.
        var verification: SyncVerification?
        /// Whether what an earlier process has set aside was tried again.
        var hasTriedParked = false
    }

    private nonisolated let engine: SyncEngine
    nonisolated var unownedExecutor: UnownedSerialExecutor { engine.unownedExecutor }

    let database: StoreDatabase
    let mappings: RecordMappings
    let settings: SyncSettings
    let observation: SyncObservation
    private let lease: SyncLease
    let clock: SyncClock
    private weak var delegate: (any SyncEngineDelegate)?
    /// Whether all records are fetched again, and not only what has changed.
    private let isComplete: Bool
    /// Whether a full refetch is still to begin.
    private var isSweepDue = false
    /// Whether what an earlier pass has found out is enough.
    var reliesOnVerification: Bool
    /// When the server last took a token that is good for the pass's user only; nil if that was not to
    /// be relied on.
    private var userConfirmation: Date?
    private let priority: RequestPriority

    /// Made when the pass has the lease: an app without the entitlement is stopped here.
    private(set) lazy var container = settings.container
    private(set) lazy var zone = container.zone(StoreZone.id) { [priority] in
        priority.qualityOfService
    }
    /// The user whose data the pass syncs, once it is known.
    var user: String?
    /// Tells of a change of the account.
    var watch: AccountWatch?
    /// What the current step has done so far; at the end, what all have done.
    var summary = SMSyncSummary()
    /// Why records could not be fetched, by name.
    var fetchFailures: [String: any Error] = [:]
    /// Whether an answer has told of a deletion that the feed still has.
    var hasForeseenDeletion = false
    var carryover: Carryover

    /// How many records a page of the change feed has at most, where nothing speaks for fewer.
    static let largestPage = 200
    /// How often a pass begins until it gives up on an account that goes on changing.
    private static let mostBeginnings = 3
    /// How many seconds an answer says who the user is.
    private static let longestConfirmation: TimeInterval = 5
    /// How many rounds of the push in a row may end without the server taking a single change.
    private static let mostFruitlessRounds = 10

    init(of engine: isolated SyncEngine, _ request: ScheduledPass.Request) {
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
        isComplete = request.isComplete
        reliesOnVerification = request.reliesOnVerification && !request.isComplete
    }

    var state: SyncStateTable { database.syncState }
    var unfetched: UnfetchedRecordTable { database.unfetched }

    /// Runs the pass. If the account may have changed meanwhile, it begins again: the system may tell
    /// late of a change that the pass already knows of.
    func run() async throws {
        try lease.acquire()
        defer { lease.release() }
        do {
            try await beginUntilSettled()
        } catch {
            // What the server refuses or cannot give says nothing of the account and the zone.
            switch error {
            case SMStoreError.changesNotAcknowledged, SMStoreError.recordsNotFetched: break
            default: carryover.verification = nil
            }
            throw error
        }
    }

    private func beginUntilSettled() async throws {
        for _ in 1...Self.mostBeginnings {
            do {
                return try await begin()
            } catch is AccountNotice {
                StoreLog.info("The account may have changed: the sync begins again")
            } catch let outdated as OutdatedVerification {
                StoreLog.info("The sync begins again: \(StoreLog.text(outdated.told))")
            }
            reliesOnVerification = false
        }
        throw AccountNotice().told
    }

    /// Runs all steps. A zone that turns out to be lost is dealt with as the app decides,
    /// once.
    private func begin() async throws {
        fetchFailures = [:]
        userConfirmation = nil
        try await verifyAccount()
        isSweepDue = try isComplete || state.isSweepWanted()
        if isComplete { try transaction { try database.outbox.unparkAll() } }
        do {
            try await syncZone()
        } catch let lost as LostZone {
            try verifyAgain(after: lost.told)
            try await observed(.setup) { try await follow(lost.loss) }
            do {
                try await syncZone()
            } catch is LostZone {
                throw SMStoreError.zoneMissing(zone.zoneID.zoneName)
            }
        }
    }

    private func syncZone() async throws {
        try await verifyZone()
        var failure: (any Error)?
        try await observed(.import) { failure = try await pull() }
        if try database.outbox.count() > 0 {
            try takeParkedBack()
            try await observed(.export) {
                if try database.outbox.unparkedCount() > 0, !isUserConfirmed {
                    try await confirmUser()
                }
                try await push()
            }
        }
        if let failure { throw failure }
        try tellOfUnfetchedRecords()
    }

    /// Whether the server has answered a moment ago as only that of the pass's user does.
    private var isUserConfirmed: Bool {
        userConfirmation.map {
            (0..<Self.longestConfirmation).contains(clock.now().timeIntervalSince($0))
        } ?? false
    }

    /// Has the changes sent again that were set aside and whose time has come, and once all that an
    /// earlier process has set aside.
    private func takeParkedBack() throws {
        let triesAll = !carryover.hasTriedParked
        carryover.hasTriedParked = true
        guard try database.outbox.parked() != nil else { return }
        try transaction {
            if triesAll {
                try database.outbox.unparkAll()
            } else {
                try database.outbox.unpark(dueAt: clock.now())
            }
        }
    }

    // MARK: - Pull

    /// Fetches what is new, and all that the server has if that is due.
    ///
    /// - Returns: What the pass is to fail with once everything else is done; nil if there is nothing.
    private func pull() async throws -> (any Error)? {
        // The feed from its beginning has no deletions, and an app may want what has vanished sent again.
        if try !isSweepDue || state.zoneTokenData() != nil { try await fetchChanges() }
        if isSweepDue {
            try beginSweep()
            try await fetchChanges()
        }
        try await sweep()
        if try unfetched.names().isEmpty { return nil }
        do {
            try await fetchAgain()
            return nil
        } catch  where CloudErrorReaction.allowsOtherRequests(error) {
            // What cannot be fetched stands in the way of nothing that is to be sent.
            return error
        }
    }

    private func beginSweep() throws {
        try transaction { try state.beginSweep() }
        isSweepDue = false
    }

    /// Applies all changes since the last page that was applied.
    private func fetchChanges() async throws {
        var hasResetToken = false
        while true {
            try Task.checkCancellation()
            let token = try state.zoneTokenData()
            let page: SMCloudZoneChanges
            do {
                page = try await self.page(since: token)
                // A token is good for one user's zone only, but without one any zone answers.
                if token == nil { try await confirmUser() }
                userConfirmation = reliesOnVerification && token != nil ? clock.now() : nil
            } catch  where carryover.shrinksPage(after: error) {
                continue
            } catch {
                guard CloudErrorReaction(error) == .resetToken, !hasResetToken else {
                    throw zoneError(error)
                }
                try verifyAgain(after: error)
                hasResetToken = true
                try await confirmUser()
                try beginSweep()
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
    }

    // MARK: - Push

    /// Sends saves, then deletions, until nothing waits.
    ///
    /// - Throws: ``SMStoreError/changesNotAcknowledged(count:underlying:)`` if the rounds brought
    ///   nothing forward though something waits, and what the server answered otherwise.
    private func push() async throws {
        var fruitlessRounds = 0
        while true {
            if hasForeseenDeletion {
                hasForeseenDeletion = false
                // What is made again would else seem to be what was deleted, should its answer be lost.
                if let failure = try await pull() { throw failure }
            }
            let progress = try await pushRound()
            if let failure = progress.failure { throw failure }
            let waiting = try database.outbox.unparkedCount()
            if waiting == 0 { break }
            fruitlessRounds = progress.settled > 0 ? 0 : fruitlessRounds + 1
            guard progress.settled + progress.retried > 0,
                fruitlessRounds < Self.mostFruitlessRounds
            else {
                throw SMStoreError.changesNotAcknowledged(
                    count: waiting, underlying: try progress.lastError ?? refusal()?.error)
            }
        }
        if let (count, error) = try refusal() {
            throw SMStoreError.changesNotAcknowledged(count: count, underlying: error)
        }
    }

    /// How many changes the server has refused, and why one of them; nil if there are none.
    private func refusal() throws -> (count: Int, error: SMStoreError)? {
        try database.outbox.parked().map { ($0.count, .refusedByServer($0.error)) }
    }

    // MARK: - Steps and transactions

    /// Runs a step, and reports its beginning and its end.
    func observed(
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
        switch error {
        case let lost as LostZone: return lost.told
        case let notice as AccountNotice: return notice.told
        case let outdated as OutdatedVerification: return outdated.told
        default: return error
        }
    }

    /// Runs a transaction of the pass, and puts the expiry of its lease off.
    ///
    /// - Throws: An error before anything is written if the pass has lost its right to the store:
    ///   another process has the lease, the account has changed, or the app has reset the
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
