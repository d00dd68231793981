import CloudKit
import CoreData

/// A pass: the account, the zone, the subscription, the pull and the push, until nothing is left.
/// The steps are implemented in extensions.
///
/// A pass runs on its engine's executor, because they share the engine's connection. The connection
/// is used only there, and no transaction spans an `await`. Calls between the two do not suspend.
actor SyncPass {
    /// The state that a pass leaves for the next.
    struct Carryover {
        /// The maximum number of records in a page of the change feed. It starts low, because a
        /// record may have a megabyte, and adapts to the size of the records.
        var pageSize = 20
        /// The size limits of a request.
        var limits = BatchLimits()
        /// The revisions of the changes whose unsendable values were reported, by object.
        var reportedRevisions: [Int64: Int64] = [:]
        /// The checks of an earlier pass, unless a pass has failed since.
        var verification: SyncVerification?
        /// The record types whose records the server has accepted with edit stamps.
        var stampedTypes: Set<String> = []
        /// Those that it refuses with stamps, with the date when they are sent with stamps again.
        var unstampedTypes: [String: Date] = [:]
        /// Whether changes parked by an earlier process have been retried.
        var hasTriedParked = false
    }

    private nonisolated let engine: SyncEngine
    nonisolated var unownedExecutor: UnownedSerialExecutor { engine.unownedExecutor }

    let database: StoreDatabase
    let mappings: RecordMappings
    let settings: SyncSettings
    let observation: SyncObservation
    private let lease: SyncLease
    let gate: PassGate
    let clock: SyncClock
    private weak var delegate: (any SyncEngineDelegate)?
    let limits: StepLimits
    /// Whether all records are fetched again, not only the changes.
    private let isComplete: Bool
    /// What happens to the objects here after the pass has deleted the zone; nil if it does not delete it.
    private let deletion: SMZoneLossResponse?
    /// Whether a full refetch is still to begin.
    private var isSweepDue = false
    /// Whether the pass relies on the checks of an earlier pass.
    var reliesOnVerification: Bool
    /// When the pass's user was last found to be signed in.
    var userConfirmation: Date?

    /// Created when the pass has the lease. An app without the entitlement is stopped here.
    private(set) lazy var container = settings.container
    private(set) lazy var zone = container.zone(StoreZone.id) { Self.qualityOfService }
    /// Requests of a lower quality of service may wait in the background and in Low Power Mode, and keep the pass of
    /// a user who comes meanwhile waiting, too.
    static var qualityOfService: QualityOfService { .userInitiated }
    /// The user whose data the pass syncs, once it is known.
    var user: String?
    /// Notices a change of the account.
    var watch: AccountWatch?
    /// What the app has decided in this pass and the pass has yet to carry out. If it begins again, it does not ask
    /// again.
    var accountDecision: (change: SMAccountChange, response: SMAccountChangeResponse)?
    var lossDecision: (loss: SMZoneLoss, names: [String], response: SMZoneLossResponse)?
    /// The results of the current step so far; at the end, those of all steps.
    var summary = SMSyncSummary()
    /// The reasons why records could not be fetched, by name.
    var fetchFailures: [String: any Error] = [:]
    /// Whether the feed may have something that changes what is sent next. That is so if a response has reported a
    /// deletion, or a record whose conflict other records may decide. It is so, too, if a deletion's response was lost.
    var isPullDue = false
    /// The records of this round's saves for which the server has no space, or that have failed more than once.
    /// Deletions do not wait for them.
    var failedSaves: Set<String> = []
    /// The record types that are being tried without edit stamps, and all that were in this pass.
    var unstampedTrials: Set<String> = []
    var triedTypes: Set<String> = []
    /// The objects to which records that were sent in this pass refer.
    var sentDestinations: Set<Int64> = []
    var carryover: Carryover
    /// The destinations whose former owners have not given them up on the server.
    let occupied: OccupiedDestinations

    /// The upper limit for the number of records in a page of the change feed.
    static let largestPage = 200
    /// How often a pass begins before it gives up on an account that keeps changing.
    private static let mostBeginnings = 3
    /// How many temporary errors a record may get before it is taken for their cause.
    static let mostTemporaryErrors = 2
    /// How many push rounds in a row may end without the server accepting a single change.
    private static let mostFruitlessRounds = 10

    init(of engine: isolated SyncEngine, _ request: ScheduledPass.Request) {
        self.engine = engine
        database = engine.database
        mappings = engine.mappings
        settings = engine.settings
        observation = engine.observation
        lease = engine.lease
        gate = engine.gate
        clock = engine.clock
        delegate = engine.delegate
        limits = engine.limits
        carryover = engine.carryover
        occupied = OccupiedDestinations(in: engine.database, engine.mappings)
        isComplete = request.isComplete
        deletion = request.deletion
        reliesOnVerification = request.reliesOnVerification && !request.isComplete
        if request.isComplete { carryover.unstampedTypes = [:] }
    }

    var state: SyncStateTable { database.syncState }
    var unfetched: UnfetchedRecordTable { database.unfetched }

    /// Runs the pass. If the account may have changed in the meantime, the pass begins again,
    /// because the system may report a change late that the pass already knows of.
    func run() async throws {
        try lease.acquire(in: database)
        defer { lease.release(in: database) }
        do {
            if let deletion { try await deleteZone(then: deletion) }
            if deletion == nil || deletion == .upload { try await beginUntilSettled() }
        } catch {
            // Refused changes and unfetched records do not invalidate the checks of the account and
            // the zone.
            switch error {
            case SMStoreError.changesNotAcknowledged, SMStoreError.recordsNotFetched: break
            default: carryover.verification = nil
            }
            throw Self.told(error)
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

    /// Runs all steps. If the zone turns out to be lost, the app decides what to do, once.
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
            try await confirmUser()
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
            try await observed(.export) { try await push() }
        }
        if let failure { throw failure }
        try tellOfUnfetchedRecords()
    }

    /// Unparks the changes whose retry is due, and in the process's first pass all changes.
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

    /// Fetches the changes, and then all records if a full refetch is due.
    ///
    /// - Returns: The error with which the pass fails after everything else is done; nil if there
    ///   is none.
    private func pull() async throws -> (any Error)? {
        // A feed from its beginning has no deletions, and objects that it lacks may be sent again.
        if try !isSweepDue || state.zoneTokenData() != nil { try await fetchChanges() }
        if isSweepDue {
            try beginSweep(keeping: state.zoneTokenData())
            try await fetchChanges()
        }
        try await sweep()
        if try unfetched.names().isEmpty { return nil }
        do {
            try await fetchAgain()
            return nil
        } catch  where CloudErrorReaction.allowsOtherRequests(error) {
            // Records that cannot be fetched do not keep the outbox from being sent.
            return error
        }
    }

    private func beginSweep(keeping token: Data?) throws {
        try transaction { try state.beginSweep(keeping: token) }
        isSweepDue = false
    }

    /// Applies all changes since the last applied page.
    private func fetchChanges() async throws {
        // Whether the zone has refused the token, so that the feed is read from its beginning.
        var hasResetToken = false
        var isFirstPage = true
        while true {
            try Task.checkCancellation()
            let isReset = hasResetToken && isFirstPage
            let token = try isReset ? nil : state.zoneTokenData()
            if token == nil, !isReset { try await confirmZone(nil) }
            let page: SMCloudZoneChanges
            do {
                page = try await self.page(since: token)
            } catch  where carryover.shrinksPage(after: error) {
                continue
            } catch {
                guard CloudErrorReaction(error) == .resetToken, !hasResetToken else {
                    throw zoneError(error)
                }
                try verifyAgain(after: error)
                (hasResetToken, isFirstPage) = (true, true)
                continue
            }
            try await confirmUser()
            if isReset {
                try await confirmZone(page)
                try beginSweep(keeping: nil)
            } else if isFirstPage, token != nil {
                try noteZoneIsSame()
            }
            isFirstPage = false
            try await apply(page)
            StoreLog.debug(
                "A page of \(page.records.count) records and \(page.deletions.count) deletions")
            observation.advance(
                by: page.records.count + page.deletions.count,
                remaining: try database.outbox.unparkedCount()
                    + (page.moreComing ? carryover.pageSize : 0))
            guard page.moreComing else { break }
            // A feed that announces more pages without advancing would never end.
            guard page.token != token else { throw CKError(.internalError) }
        }
    }

    // MARK: - Push

    /// Sends saves, then deletions, until no change is waiting.
    ///
    /// - Throws: ``SMStoreError/changesNotAcknowledged(count:underlying:)`` if changes are waiting
    ///   but the rounds make no progress, or if changes are parked; otherwise the server's error.
    private func push() async throws {
        var fruitlessRounds = 0
        while true {
            if isPullDue { try await pullAgain() }
            // Counted for each round: after each request it would take longer than that if many wait.
            observation.advance(by: 0, remaining: try database.outbox.unparkedCount())
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

    /// Fetches the changes again, because of what a response has told, or because it was lost.
    private func pullAgain() async throws {
        isPullDue = false
        // Otherwise a record that is made again would seem to be the deleted one if its response
        // is lost.
        if let failure = try await pull() { throw failure }
    }

    /// The number of changes that the server has refused, and the error of one; nil if there are none.
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

    /// The error that the app gets.
    private static func told(_ error: any Error) -> any Error {
        switch error {
        case let lost as LostZone: return lost.told
        case let notice as AccountNotice: return notice.told
        case let outdated as OutdatedVerification: return outdated.told
        default: return error
        }
    }

    /// Runs a transaction of the pass, and extends its lease.
    ///
    /// - Throws: An error, before anything is written, if the pass must not continue: another
    ///   process has the lease, the account has changed, or the app has reset the store.
    @discardableResult
    func transaction<T>(
        _ body: (inout StoreChanges) throws -> T
    ) throws -> (value: T, changes: StoreChanges) {
        if watch?.hasChanged == true { throw AccountNotice() }
        return try database.write { changes in
            try lease.renew(in: database)
            guard try state.user() == user else { throw CancellationError() }
            return try body(&changes)
        }
    }

    /// Runs a transaction of the pass that changes nothing that contexts see; see
    /// ``transaction(_:)``.
    @discardableResult
    func transaction<T>(_ body: () throws -> T) throws -> T {
        try transaction { (_: inout StoreChanges) in try body() }.value
    }

    /// Notifies the store of a committed transaction, and counts its changes.
    func didCommit(_ changes: StoreChanges) async {
        summary.conflictCount += changes.conflictCount
        guard !changes.isEmpty, let delegate else { return }
        let told = await delegate.syncEngine(didCommit: changes)
        summary.add(told)
    }

    /// Reports a failure that does not end the pass.
    func report(_ error: SMStoreError) {
        delegate?.syncEngineDidMeet(error)
    }
}
