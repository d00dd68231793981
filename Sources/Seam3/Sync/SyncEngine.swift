import CloudKit
import CoreData

/// What the engine tells its store.
protocol SyncEngineDelegate: AnyObject {
    /// Whether a pass that failed is repeated after a while.
    var repeatsFailedPasses: Bool { get }
    /// A pass begins.
    func syncEngineDidStart()
    /// A transaction with the server's changes was committed.
    ///
    /// - Returns: The changed objects' IDs by kind.
    func syncEngine(didCommit changes: StoreChanges) async -> SMSyncSummary
    /// A pass has ended.
    func syncEngineDidFinish(_ result: Result<SMSyncSummary, any Error>)
}

/// Synchronises one store file with its zone, one pass at a time.
///
/// The engine's connection is used only on the actor, and no transaction spans an `await`.
actor SyncEngine {
    let database: StoreDatabase
    let mappings: RecordMappings
    let settings: SyncSettings
    let lease: SyncLease
    private weak var delegate: (any SyncEngineDelegate)?
    private var isStopped = false

    /// The pass that runs, and the one that will run after it.
    private var currentPass: Task<SMSyncSummary, any Error>?
    private var nextPass: Task<SMSyncSummary, any Error>?
    private var isNextPassComplete = false

    /// Repeats a failed pass after a while.
    private var retry: Task<Void, Never>?
    private var failureCount = 0
    private var clock = SyncClock.system

    /// What the current pass has done so far.
    var summary = SMSyncSummary()
    var batchSize = SyncEngine.largestBatch
    /// The revisions of the changes, by object, of which was reported what cannot be sent.
    var reportedRevisions: [Int64: Int64] = [:]
    /// The user whose data the current pass synchronises, once it is known.
    var passUser: String?
    /// Tells the current pass of a change of the account.
    private var accountWatch: AccountWatch?

    /// CloudKit's limit of records for one request.
    static let largestBatch = 400
    /// How many records a page of the change feed has at most.
    static let pageSize = 200

    init(
        database: StoreDatabase, mappings: RecordMappings, settings: SyncSettings,
        delegate: any SyncEngineDelegate
    ) {
        self.database = database
        self.mappings = mappings
        self.settings = settings
        self.delegate = delegate
        lease = SyncLease(database: database)
    }

    var state: SyncState { SyncState(database: database) }

    // MARK: - Passes

    /// Synchronises: at once, or in one more pass after the one that runs. Calls that come while
    /// that further pass waits share it.
    ///
    /// - Parameter complete: Whether all records are fetched again, and not only what has changed.
    /// - Returns: What the pass did.
    /// - Throws: Why it could not do everything.
    func sync(complete: Bool) async throws -> SMSyncSummary {
        isNextPassComplete = isNextPassComplete || complete
        if let nextPass { return try await nextPass.value }
        let previous = currentPass
        let pass = Task {
            _ = await previous?.result
            return try await self.runNextPass()
        }
        nextPass = pass
        return try await pass.value
    }

    /// Synchronises after a save, but not before the time at which a failed pass is to be repeated.
    func syncAfterSave() async {
        do {
            if let date = try state.retryAfter(), date > clock.now() {
                if retry == nil {
                    repeatPass(after: RetryDelay.bounded(date.timeIntervalSince(clock.now())))
                }
                return
            }
            _ = try await sync(complete: false)
        } catch {
            SMStore.logger?.info("The synchronisation after a save failed: \(error)")
        }
    }

    /// Takes another clock.
    func use(_ clock: SyncClock) {
        self.clock = clock
    }

    private func repeatPass(after delay: TimeInterval) {
        retry = Task { [weak self, clock] in
            // Only a cancelled task throws here.
            guard (try? await clock.sleep(delay)) != nil else { return }
            await self?.repeatPass()
        }
    }

    private func repeatPass() async {
        retry = nil
        do {
            _ = try await sync(complete: false)
        } catch {
            SMStore.logger?.info("The repeated synchronisation failed: \(error)")
        }
    }

    /// Ends the pass that runs; later ones fail.
    func stop() async {
        isStopped = true
        retry?.cancel()
        currentPass?.cancel()
        nextPass?.cancel()
        _ = await currentPass?.result
        _ = await nextPass?.result
    }

    private func runNextPass() async throws -> SMSyncSummary {
        let complete = isNextPassComplete
        currentPass = nextPass
        nextPass = nil
        isNextPassComplete = false
        if isStopped { throw CancellationError() }
        retry?.cancel()
        retry = nil
        let start = Date()
        summary = SMSyncSummary()
        delegate?.syncEngineDidStart()
        let result: Result<SMSyncSummary, any Error>
        do {
            try await runPass(complete: complete)
            try state.noteEnd(at: clock.now(), error: nil)
            failureCount = 0
            summary.duration = Date().timeIntervalSince(start)
            result = .success(summary)
        } catch {
            failureCount += 1
            let delay = RetryDelay.seconds(after: error, failures: failureCount)
            // The pass's own error matters more than one from noting it.
            try? state.noteEnd(
                at: clock.now(), error: error, retry: delay.map(clock.now().addingTimeInterval))
            if let delay, delegate?.repeatsFailedPasses == true { repeatPass(after: delay) }
            result = .failure(error)
        }
        currentPass = nil
        delegate?.syncEngineDidFinish(result)
        return try result.get()
    }

    private func runPass(complete: Bool) async throws {
        try lease.acquire()
        defer { lease.release() }
        let container = settings.container
        accountWatch = AccountWatch(container)
        passUser = nil
        try await checkAccount(container)
        let group = CKOperationGroup()
        group.name = "SMStore"
        let zone = CloudZone(
            database: container.privateCloudDatabase,
            zoneID: CKRecordZone.ID(
                zoneName: SMStore.SMStoreCloudStoreCustomZoneName,
                ownerName: CKCurrentUserDefaultName),
            group: group, qualityOfService: .userInitiated)
        if complete {
            try transaction {
                try state.beginSweep()
                try database.unparkAll()
            }
        }
        try await followDatabaseChanges(zone)
        try await setUp(zone)
        try await pull(zone, of: container)
        if try database.unparkedChangeCount() > 0 { try await confirmUser(container) }
        try await push(zone)
    }

    /// Runs a transaction of the pass, and puts the expiry of its lease off.
    ///
    /// - Throws: An error before anything is written if the pass has lost its right to the store:
    ///   another process has the lease, the account has changed, or the application has reset the
    ///   store. What the pass still knows is of no use then.
    func transaction<T>(_ body: () throws -> T) throws -> T {
        if accountWatch?.hasChanged == true {
            throw SMStoreError.accountUnavailable("it changed during the synchronisation")
        }
        return try database.connection.transaction {
            try lease.renew()
            guard try state.user() == passUser else { throw CancellationError() }
            return try body()
        }
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
}
