import CloudKit
import CoreData

/// Synchronises one store file with its zone, one pass at a time.
///
/// The engine's connection is used only on the actor, and no transaction spans an `await`.
actor SyncEngine {
    let database: StoreDatabase
    let mappings: RecordMappings
    let settings: SyncSettings
    let observation: SyncObservation
    let lease: SyncLease
    private(set) weak var delegate: (any SyncEngineDelegate)?
    /// Counts the passes, for those who cannot wait for the actor.
    nonisolated let gate = PassGate()

    /// The pass that runs, and the one that will run after it.
    var currentPass: SyncPass?
    var nextPass: SyncPass?
    /// How urgent the requests of the pass that runs are.
    let priority = RequestPriority(.userInitiated)

    /// Repeats a failed pass after a while.
    var retry: Task<Void, Never>?
    /// What the last pass of this process failed with.
    var lastFailure: (any Error)?
    /// Synchronises again and again, if that was asked for.
    var timer: Task<Void, Never>?
    var clock = SyncClock.system

    /// What the current step of the pass has done so far.
    var summary = SMSyncSummary()
    /// How much is sent in one request.
    var batchLimits = BatchLimits()
    /// The revisions of the changes, by object, of which was reported what cannot be sent.
    var reportedRevisions: [Int64: Int64] = [:]
    /// Why records could not be fetched in the current pass, by name.
    var fetchFailures: [String: any Error] = [:]
    /// The user whose data the current pass synchronises, once it is known.
    var passUser: String?
    /// Tells the current pass of a change of the account.
    private var accountWatch: AccountWatch?

    /// How many records a page of the change feed has at most.
    static let pageSize = 200
    /// How often a pass begins until it gives up on an account that goes on changing.
    private static let mostBeginnings = 3

    init(
        database: StoreDatabase, mappings: RecordMappings, settings: SyncSettings,
        observation: SyncObservation, delegate: any SyncEngineDelegate
    ) {
        self.database = database
        self.mappings = mappings
        self.settings = settings
        self.observation = observation
        self.delegate = delegate
        lease = SyncLease(database: database)
    }

    deinit {
        retry?.cancel()
        timer?.cancel()
    }

    var state: SyncStateTable { database.syncState }

    // MARK: - A pass

    /// Runs a pass. If the account may have changed meanwhile, the pass begins again: the system may
    /// tell late of a change that the pass already knows of.
    func synchronise(_ request: SyncPass.Request) async throws {
        try lease.acquire()
        defer { lease.release() }
        for _ in 1...Self.mostBeginnings {
            do {
                return try await synchronise(request, with: settings.container)
            } catch is AccountNotice {
                StoreLog.info("The account may have changed: the synchronisation begins again")
            }
        }
        throw AccountNotice().told
    }

    /// Runs the steps of a pass. A zone that turns out to be lost is dealt with as the application
    /// decides, once.
    private func synchronise(
        _ request: SyncPass.Request, with container: CKContainer
    ) async throws {
        accountWatch = AccountWatch(container)
        passUser = nil
        fetchFailures = [:]
        let zone = CloudZone(container, priority: priority)
        try await observed(.setup) {
            try await checkAccount(container)
            try await followDatabaseChanges(zone)
        }
        if request.isComplete {
            try transaction {
                try state.beginSweep()
                try database.outbox.unparkAll()
            }
        }
        do {
            try await synchronise(zone, of: container)
        } catch let lost as LostZone {
            try await observed(.setup) { try await follow(lost.loss, of: zone) }
            do {
                try await synchronise(zone, of: container)
            } catch is LostZone {
                throw SMStoreError.zoneMissing(zone.zoneID.zoneName)
            }
        }
    }

    private func synchronise(_ zone: CloudZone, of container: CKContainer) async throws {
        try await observed(.setup) { try await setUp(zone) }
        try await observed(.import) { try await pull(zone, of: container) }
        if try database.outbox.count() > 0 {
            try await observed(.export) {
                if try database.outbox.unparkedCount() > 0 { try await confirmUser(container) }
                try await push(zone)
            }
        }
        try tellOfUnfetchedRecords()
    }

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

    // MARK: - Transactions

    /// Runs a transaction of the pass, and puts the expiry of its lease off.
    ///
    /// - Throws: An error before anything is written if the pass has lost its right to the store:
    ///   another process has the lease, the account has changed, or the application has reset the
    ///   store. What the pass still knows is of no use then.
    @discardableResult
    func transaction<T>(
        _ body: (inout StoreChanges) throws -> T
    ) throws -> (value: T, changes: StoreChanges) {
        if accountWatch?.hasChanged == true { throw AccountNotice() }
        return try database.write { changes in
            try lease.renew()
            guard try state.user() == passUser else { throw CancellationError() }
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
