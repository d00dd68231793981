import CoreData

/// Synchronises one store file with its zone, one pass at a time: who asks for passes, who waits for
/// them, when they are repeated. What a pass does, `SyncPass` tells.
///
/// The engine's connection is used only here and in its passes, which have this actor's executor. No
/// transaction spans an `await`.
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
    private var currentPass: ScheduledPass?
    private(set) var nextPass: ScheduledPass?
    /// What the last pass has left to the next.
    private(set) var carryover = SyncPass.Carryover()
    /// How urgent the requests of the pass that runs are.
    let priority = RequestPriority(.userInitiated)

    /// Repeats a failed pass after a while.
    private var retry: Task<Void, Never>?
    /// What the last pass of this process failed with.
    private var lastFailure: (any Error)?
    /// Synchronises again and again, if that was asked for.
    private var timer: Task<Void, Never>?
    private(set) var clock = SyncClock.system

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

    private var state: SyncStateTable { database.syncState }

    // MARK: - Callers

    /// Synchronises: at once, or in one more pass after the one that runs. Calls that come while
    /// that further pass waits share it.
    ///
    /// If the callers' tasks are cancelled, all of those who share it, so is the pass.
    ///
    /// - Parameters:
    ///   - complete: Whether all records are fetched again, and not only what has changed.
    ///   - trigger: Who asks.
    /// - Returns: What the pass did.
    /// - Throws: Why it could not do everything.
    func sync(complete: Bool = false, trigger: SyncTrigger = .user) async throws -> SMSyncSummary {
        let pass = enqueue(complete: complete, trigger: trigger)
        pass.waiterCount += 1
        guard let task = pass.task else { throw CancellationError() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            Task { await self.leave(pass) }
        }
    }

    private func enqueue(complete: Bool, trigger: SyncTrigger) -> ScheduledPass {
        if trigger != .automatic { priority.qualityOfService = trigger.qualityOfService }
        let pass = nextPass ?? makePass()
        pass.request.isComplete = pass.request.isComplete || complete
        if trigger != .automatic { pass.request.qualityOfService = trigger.qualityOfService }
        return pass
    }

    private func makePass() -> ScheduledPass {
        let previous = currentPass
        let pass = ScheduledPass()
        gate.enter()
        pass.task = Task {
            defer { gate.leave() }
            await previous?.end()
            return try await self.run(pass)
        }
        nextPass = pass
        return pass
    }

    /// A caller does not wait any more.
    private func leave(_ pass: ScheduledPass) {
        pass.waiterCount -= 1
        if pass.waiterCount == 0 { cancel(pass) }
    }

    private func cancel(_ pass: ScheduledPass) {
        pass.task?.cancel()
        // Those who ask from now on are not to share what was cancelled.
        if nextPass === pass { nextPass = nil }
    }

    /// Ends the pass that runs; later ones fail.
    func stop() async {
        gate.close()
        retry?.cancel()
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
        defer { currentPass = nil }
        retry?.cancel()
        retry = nil
        priority.qualityOfService = scheduled.request.qualityOfService
        let event = SMSyncEvent(.sync, at: clock.now())
        let task = scheduled.task
        observation.beginPass { task?.cancel() }
        observation.report(event)
        delegate?.syncEngineDidStart()
        StoreLog.info("A synchronisation begins")
        let pass = SyncPass(of: self, isComplete: scheduled.request.isComplete)
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
            "A synchronisation has ended: "
                + (failure.map(StoreLog.text) ?? end.summary.description))
        return try result.get()
    }

    private func failure(of pass: SyncPass) async -> (any Error)? {
        do {
            try await pass.run()
            try state.noteSuccess(at: clock.now())
            lastFailure = nil
            return nil
        } catch {
            // Cancelling a task cancels its operation, which says so in CloudKit's words.
            return Task.isCancelled ? CancellationError() : error
        }
    }

    private func noteFailure(_ error: any Error) {
        // Nothing failed; somebody did not want it any more.
        if error is CancellationError { return }
        lastFailure = error
        do {
            let failures = try state.failureCount() + 1
            let delay = RetryDelay.seconds(after: error, failures: failures)
            try state.noteFailure(
                error, count: failures, retry: delay.map(clock.now().addingTimeInterval))
            if let delay, delegate?.repeatsFailedPasses == true { repeatPass(after: delay) }
        } catch {
            // The pass's own error matters more than this one.
            StoreLog.error("A failure could not be noted: \(StoreLog.text(error))")
        }
    }

    // MARK: - By itself

    /// Synchronises because of a save or of something that the system told, but not before the time
    /// at which a failed pass is to be repeated.
    func syncAutomatically() async {
        do {
            if let date = try state.retryAfter(), date > clock.now() {
                if retry == nil {
                    repeatPass(after: RetryDelay.bounded(date.timeIntervalSince(clock.now())))
                }
                return
            }
            _ = try await sync(trigger: .automatic)
        } catch {
            StoreLog.info("An automatic synchronisation failed: \(StoreLog.text(error))")
        }
    }

    /// Synchronises because of what the system tells: at once if a pass has failed for want of what is
    /// there again.
    func sync(after event: SystemEvent) async {
        do {
            if let lastFailure, RetryDelay.isOver(lastFailure, after: event) {
                try state.forgetRetry()
            }
        } catch {
            StoreLog.error("The time to wait could not be forgotten: \(StoreLog.text(error))")
        }
        await syncAutomatically()
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
            _ = try await sync(trigger: .automatic)
        } catch {
            StoreLog.info("The repeated synchronisation failed: \(StoreLog.text(error))")
        }
    }

    /// Synchronises again and again, or no more, as the settings say.
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

    /// Takes another clock.
    func use(_ clock: SyncClock) {
        self.clock = clock
    }
}
