import CoreData

/// Schedules the passes that sync a store file with its zone. At most one runs at a time.
/// `SyncPass` implements the pass itself.
///
/// The engine's connection is used only here and in its passes, which run on this actor's executor.
/// No transaction spans an `await`.
actor SyncEngine {
    let database: StoreDatabase
    let mappings: RecordMappings
    let settings: SyncSettings
    let observation: SyncObservation
    nonisolated let lease: SyncLease
    /// The connection of ``database``, which any thread may close.
    nonisolated(unsafe) private let connection: SQLiteConnection
    private(set) weak var delegate: (any SyncEngineDelegate)?
    /// Counts the passes, for callers that cannot wait for the actor.
    nonisolated let gate = PassGate()
    /// The failure of the last pass, if it could not be written to the file.
    nonisolated let unwrittenFailure = UnwrittenFailure()

    /// The running pass, and the one that will run after it.
    private var currentPass: ScheduledPass?
    private(set) var nextPass: ScheduledPass?
    /// The state that the last pass leaves for the next.
    private(set) var carryover = SyncPass.Carryover()

    /// Begins the next pass after a delay, to repeat a failed pass or to send parked changes.
    private var retry: Task<Void, Never>?
    /// Waits until there have been no more saves for a moment.
    private var gathering: Task<Void, Never>?
    /// The times of the first and the last save for which no pass has begun.
    private var saves: (first: Date, last: Date)?
    /// The error of this process's last pass.
    private var lastFailure: (any Error)?
    /// Syncs at intervals, if configured.
    private var timer: Task<Void, Never>?
    private(set) var clock = SyncClock.system
    let limits: StepLimits
    /// Whether the app was notified that its conflict block is never called (true), or that a policy has none to call.
    private var noticedBlocks: Set<Bool> = []

    init(
        database: StoreDatabase, mappings: RecordMappings, settings: SyncSettings,
        observation: SyncObservation, limits: StepLimits,
        delegate: any SyncEngineDelegate
    ) {
        self.limits = limits
        self.database = database
        self.mappings = mappings
        self.settings = settings
        self.observation = observation
        self.delegate = delegate
        lease = SyncLease()
        connection = database.connection
    }

    /// How many seconds without a save have to pass before a pass begins.
    private static let quietTime: TimeInterval = 1
    /// The maximum number of seconds between a save and the pass that sends it.
    private static let longestGathering: TimeInterval = 4

    deinit {
        retry?.cancel()
        gathering?.cancel()
        timer?.cancel()
    }

    private var state: SyncStateTable { database.syncState }

    // MARK: - Callers

    /// Syncs, at once or in another pass after the running one. Calls made while that pass is
    /// waiting share it.
    ///
    /// A caller whose task is canceled does not wait for the pass to end, unless the pass deletes the zone: then the
    /// caller has to learn what happened. The pass is canceled if the tasks of all callers that share it are canceled.
    ///
    /// - Parameters:
    ///   - complete: Whether all records are fetched again, not only the changes.
    ///   - trigger: The cause of the sync.
    ///   - deletion: What happens to the objects here after the pass has deleted the zone; nil for an ordinary pass.
    ///   - timeLimit: The maximum number of seconds that the caller waits. The pass goes on afterward.
    /// - Returns: A summary of the pass.
    /// - Throws: The reason why the pass is incomplete; ``TimeIsUp``; ``SMStoreError/syncInHandler`` at once, if the running
    ///   pass waits for a handler of the app: the handler may wait for this sync, from whichever task it comes.
    func sync(
        complete: Bool = false, trigger: SyncTrigger = .user, deletion: SMZoneLossResponse? = nil,
        timeLimit: TimeInterval? = nil
    ) async throws -> SMSyncSummary {
        if trigger.isUrgent, gate.awaitsHandler { throw SMStoreError.syncInHandler }
        let pass = enqueue(complete: complete, trigger: trigger)
        if let deletion { pass.request.deletion = deletion }
        pass.waiterCount += 1
        let answer = FirstResult<SMSyncSummary>()
        Task { answer.resume(with: await pass.result()) }
        let timer = timeLimit.map { limit in
            Task { [clock] in
                if (try? await clock.sleep(limit)) != nil {
                    answer.resume(with: .failure(TimeIsUp()))
                }
            }
        }
        defer { timer?.cancel() }
        return try await withTaskCancellationHandler {
            try await answer.value()
        } onCancel: {
            if deletion == nil { answer.resume(with: .failure(CancellationError())) }
            Task { await self.leave(pass) }
        }
    }

    /// A caller has waited as long as it wants to.
    struct TimeIsUp: Error {}

    private func enqueue(complete: Bool, trigger: SyncTrigger) -> ScheduledPass {
        let pass = nextPass ?? makePass()
        pass.request.add(complete: complete, trigger)
        return pass
    }

    private func makePass() -> ScheduledPass {
        let previous = currentPass
        let pass = ScheduledPass()
        gate.enter()
        pass.task = Task {
            defer { gate.leave() }
            if let previous {
                await previous.end()
                try self.checkDelay(before: pass)
            }
            return try await self.run(pass)
        }
        nextPass = pass
        return pass
    }

    /// Refuses a pass that nobody waits for, if the pass before it has failed and must not be
    /// repeated yet.
    private func checkDelay(before pass: ScheduledPass) throws {
        guard pass.request.isAutomatic, try waitsForRetry() else { return }
        if nextPass === pass { nextPass = nil }
        throw lastFailure ?? CancellationError()
    }

    /// Removes a caller that no longer waits.
    private func leave(_ pass: ScheduledPass) {
        pass.waiterCount -= 1
        if pass.waiterCount == 0 { cancel(pass) }
    }

    private func cancel(_ pass: ScheduledPass) {
        pass.task?.cancel()
        // Later callers must not share a canceled pass.
        if nextPass === pass { nextPass = nil }
    }

    /// Closes the engine's connection at once, and gives up its lease. A running pass has failed then, and changes
    /// neither the file nor one that an app puts in its place.
    ///
    /// - Parameter database: The store's own connection.
    nonisolated func close(_ database: StoreDatabase?) {
        let isIdle = gate.close()
        connection.close()
        guard !isIdle else { return }
        if let database { lease.release(in: database) }
        Task { await stop() }
    }

    /// Ends the running pass; later ones fail.
    func stop() async {
        gate.close()
        retry?.cancel()
        gathering?.cancel()
        timer?.cancel()
        let passes = [currentPass, nextPass].compactMap { $0 }
        for pass in passes { cancel(pass) }
        for pass in passes { await pass.end() }
    }

    // MARK: - Running

    private func run(_ scheduled: ScheduledPass) async throws -> SMSyncSummary {
        if gate.isClosed || Task.isCancelled { throw CancellationError() }
        currentPass = scheduled
        nextPass = nil
        defer {
            currentPass = nil
            scheduleNextAttempt()
        }
        retry?.cancel()
        retry = nil
        endGathering()
        let event = SMSyncEvent(.sync, at: clock.now())
        let task = scheduled.task
        observation.beginPass { task?.cancel() }
        observation.report(event)
        delegate?.syncEngineDidStart()
        StoreLog.info("A sync begins")
        warnOfBlock()
        let pass = SyncPass(of: self, scheduled.request)
        let failure = await failure(of: pass)
        carryover = await pass.carryover
        if let failure { noteFailure(failure) }
        let end = event.ended(at: clock.now(), summary: await pass.summary, error: failure)
        observation.endPass(succeeded: failure == nil)
        observation.report(end)
        let result: Result<SMSyncSummary, any Error> =
            failure.map(Result.failure) ?? .success(end.summary)
        delegate?.syncEngineDidFinish(result)
        StoreLog.info(
            "A sync has ended: "
                + (failure.map(StoreLog.text) ?? end.summary.description))
        return try result.get()
    }

    /// Tells the app once if its conflict block and its policies do not fit.
    private func warnOfBlock() {
        let hasBlock = settings.resolutionBlock != nil
        guard !noticedBlocks.contains(hasBlock),
            let notice = settings.policies.notice(hasBlock: hasBlock, mappings)
        else { return }
        noticedBlocks.insert(hasBlock)
        StoreLog.notice(notice, .conflicts)
    }

    private func failure(of pass: SyncPass) async -> (any Error)? {
        do {
            try await pass.run()
            try database.write { try state.noteSuccess(at: clock.now()) }
            lastFailure = nil
            unwrittenFailure.value = nil
            return nil
        } catch {
            // Canceling a task cancels its operation, which then fails with a CloudKit error.
            return Task.isCancelled || gate.isClosed ? CancellationError() : error
        }
    }

    private func noteFailure(_ error: any Error) {
        // A canceled pass has not failed.
        if error is CancellationError { return }
        lastFailure = error
        var failures = (unwrittenFailure.value?.count ?? 0) + 1
        var retry = retryDate(after: error, failures: failures)
        do {
            try database.write {
                failures = max(failures, try state.failureCount() + 1)
                retry = retryDate(after: error, failures: failures)
                try state.noteFailure(error, count: failures, retry: retry)
            }
            unwrittenFailure.value = nil
        } catch let unwritten {
            // The pass's own error matters more than the error of recording it.
            StoreLog.error("A failure could not be recorded: \(StoreLog.text(unwritten))")
            unwrittenFailure.value = UnwrittenFailure.Failure(
                error: error, count: failures, retry: retry)
        }
    }

    private func retryDate(after error: any Error, failures: Int) -> Date? {
        RetryDelay.seconds(after: error, failures: failures).map(clock.now().addingTimeInterval)
    }

    /// The date before which a failed pass is not repeated.
    private func retryAfter() throws -> Date? {
        let date: Date?
        if let failure = unwrittenFailure.value {
            date = failure.retry
        } else {
            date = try state.retryAfter()
        }
        return date.map { RetryDelay.date($0, at: clock.now()) }
    }

    // MARK: - Automatic passes

    /// Syncs because of a system event or the timer, but not before the date at which a failed pass
    /// will be repeated.
    func syncAutomatically() async {
        do {
            if try waitsForRetry() { return }
            _ = try await sync(trigger: .automatic)
        } catch {
            StoreLog.info("An automatic sync failed: \(StoreLog.text(error))")
        }
    }

    /// Whether a failed pass must not be repeated yet. If so, the repetition is scheduled.
    private func waitsForRetry() throws -> Bool {
        // Records that the server does not return keep no others waiting.
        if case SMStoreError.recordsNotFetched? = lastFailure { return false }
        guard let date = try retryAfter(), date > clock.now() else { return false }
        if retry == nil { scheduleNextAttempt() }
        return true
    }

    /// Syncs after a save, when no other save follows for a moment, and within a few seconds in any
    /// case. A pass that begins in the meantime sends the saves, too.
    func syncAfterSave() {
        do {
            if try gate.isClosed || waitsForRetry() { return }
        } catch {
            // If the file stays unreadable, the pass reports it.
            StoreLog.error("The time of the next try cannot be read: \(StoreLog.text(error))")
        }
        let now = clock.now()
        saves = (first: saves?.first ?? now, last: now)
        guard gathering == nil else { return }
        gathering = Task { [weak self, clock] in
            while let delay = await self?.gatheringDelay() {
                guard (try? await clock.sleep(delay)) != nil, !Task.isCancelled else { return }
            }
            if !Task.isCancelled { await self?.syncGatheredSaves() }
        }
    }

    /// How long to wait for further saves; nil if the wait is over.
    private func gatheringDelay() -> TimeInterval? {
        // If the clock was set back, the elapsed time is unknown.
        guard let saves, case let now = clock.now(), now >= saves.last else { return nil }
        let quiet = Self.quietTime - now.timeIntervalSince(saves.last)
        let longest = Self.longestGathering - now.timeIntervalSince(saves.first)
        let delay = min(quiet, longest, Self.quietTime)
        return delay > 0 ? delay : nil
    }

    private func endGathering() {
        gathering?.cancel()
        gathering = nil
        saves = nil
    }

    private func syncGatheredSaves() async {
        // From here on the task begins a pass, and must not be canceled.
        gathering = nil
        guard saves != nil, delegate?.beginsPassesByItself == true else { return endGathering() }
        saves = nil
        do {
            if try waitsForRetry() { return }
            _ = try await sync(trigger: .save)
        } catch {
            StoreLog.info("The sync after a save failed: \(StoreLog.text(error))")
        }
    }

    /// Syncs because of a system event, at once if the event removes the cause of the last failure.
    func sync(after event: SystemEvent) async {
        do {
            if let lastFailure, RetryDelay.isOver(lastFailure, after: event) {
                unwrittenFailure.value = nil
                try database.write { try state.forgetRetry() }
            }
        } catch {
            StoreLog.error("The time of the next try could not be reset: \(StoreLog.text(error))")
        }
        await syncAutomatically()
    }

    /// Schedules the pass that repeats a failed one or sends parked changes, if the store syncs
    /// automatically.
    func scheduleNextAttempt() {
        retry?.cancel()
        retry = nil
        guard !gate.isClosed, currentPass == nil, delegate?.beginsPassesByItself == true else {
            return
        }
        do {
            guard let date = try retryAfter() ?? database.outbox.nextTry() else { return }
            let delay = date.timeIntervalSince(clock.now())
            // A change that is due and was not sent by the last pass is not retried immediately.
            beginPass(
                after: delay > 0
                    ? RetryDelay.bounded(delay)
                    : RetryDelay.seconds(afterFailures: try state.failureCount()))
        } catch {
            StoreLog.error("The time of the next sync cannot be read: \(StoreLog.text(error))")
        }
    }

    private func beginPass(after delay: TimeInterval) {
        retry = Task { [weak self, clock] in
            // Only cancellation throws here.
            guard (try? await clock.sleep(delay)) != nil, !Task.isCancelled else { return }
            await self?.repeatPass()
        }
    }

    private func repeatPass() async {
        retry = nil
        guard delegate?.beginsPassesByItself == true else { return }
        do {
            _ = try await sync(trigger: .automatic)
        } catch {
            StoreLog.info("A retry failed: \(StoreLog.text(error))")
        }
    }

    /// Starts or stops syncing at intervals, according to the settings.
    func restartTimer() {
        timer?.cancel()
        timer = nil
        guard let interval = settings.syncInterval, !gate.isClosed else { return }
        timer = Task { [weak self, clock] in
            while (try? await clock.sleep(interval)) != nil, !Task.isCancelled {
                guard let self else { return }
                await self.syncAutomatically()
            }
        }
    }

    /// Replaces the clock.
    func use(_ clock: SyncClock) {
        self.clock = clock
        scheduleNextAttempt()
    }
}
