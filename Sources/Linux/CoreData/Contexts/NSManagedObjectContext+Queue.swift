import FoundationGaps

extension NSManagedObjectContext {
    /// When the asynchronous `perform` may start its block.
    public enum ScheduledTaskType: Sendable {
        /// Immediately if the caller is already on the context's queue.
        case immediate
        /// After everything that is already in the queue.
        case enqueued
    }

    /// A queue type, for `init(_:)`.
    public struct ConcurrencyType: Sendable {
        let rawValue: NSManagedObjectContextConcurrencyType

        /// The main queue.
        public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)

        /// A private queue of the context.
        public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    }

    /// Creates a context for a queue.
    public convenience init(_ type: ConcurrencyType) {
        self.init(concurrencyType: type.rawValue)
    }

    /// Runs a block on the context's queue, later, and processes the changes after it.
    func runLater(_ block: @escaping @Sendable () -> Void) {
        requireQueue()
        queue.async { self.runEvent(block) }
    }

    /// Runs a block on the context's queue, waits for it and returns what it returns.
    ///
    /// It may be called within another block of the context, and then runs immediately.
    @preconcurrency nonisolated public func performAndWait<T>(
        _ block: @Sendable () throws -> T
    ) rethrows -> T {
        try rethrowing(block, rescue: { throw $0 })
    }

    /// Runs a block on the context's queue and returns what it returns.
    @preconcurrency nonisolated public func perform<T>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> T
    ) async rethrows -> T {
        try await rethrowing(schedule: schedule, block, rescue: { throw $0 })
    }

    // MARK: - How blocks run

    /// Whether the caller is on the context's queue.
    var isOnQueue: Bool {
        if ContextStack.contains(self) { return true }
        return concurrencyType == .mainQueueConcurrencyType && Self.isOnMainQueue
    }

    /// Whether the caller is on the main thread, or in a block of the main queue (which on Linux
    /// need not be the same).
    private static var isOnMainQueue: Bool {
        if Thread.isMainThread || ContextStack.isOnMainQueue { return true }
        _ = mainQueueMark
        return DispatchQueue.getSpecific(key: mainQueueKey) == true
    }

    private static let mainQueueKey = DispatchSpecificKey<Bool>()
    private static let mainQueueMark: Void = DispatchQueue.main.setSpecific(
        key: mainQueueKey, value: true)

    private func requireQueue() {
        guard concurrencyType == .confinementConcurrencyType else { return }
        raise(
            .invalidArgument,
            "Can only use -performBlock: on an NSManagedObjectContext that was created with a "
                + "queue.")
    }

    /// Runs a block from the queue, and the processing that ends it.
    func runEvent<T>(_ block: () throws -> T) rethrows -> T {
        try ContextStack.with(self) {
            defer { endEvent() }
            return try block()
        }
    }

    private func endEvent() {
        unregisterDeallocatedObjects()
        processPendingChanges()
    }

    /// `performAndWait` for the framework itself, whose blocks never leave the caller.
    func runAndWait<T>(_ block: () throws -> T) rethrows -> T {
        requireQueue()
        if ContextStack.contains(self) { return try block() }
        if isOnQueue { return try ContextStack.with(self, block) }
        guard Self.isOnMainQueue else { return try queue.sync { try runEvent(block) } }
        return try queue.sync { try ContextStack.onMainQueue { try runEvent(block) } }
    }

    private func rethrowing<T>(
        _ block: @Sendable () throws -> T, rescue: (any Error) throws -> T
    ) rethrows -> T {
        let outcome = runAndWait { Result { try block() } }
        switch outcome {
        case .success(let value): return value
        case .failure(let error): return try rescue(error)
        }
    }

    private func rethrowing<T>(
        schedule: ScheduledTaskType, _ block: @escaping @Sendable () throws -> T,
        rescue: (any Error) throws -> T
    ) async rethrows -> T {
        requireQueue()
        let outcome: Outcome<T> = await withCheckedContinuation { continuation in
            if schedule == .immediate, isOnQueue {
                let result = ContextStack.with(self) { Result { try block() } }
                continuation.resume(returning: Outcome(result: result))
            } else {
                queue.async {
                    let result = self.runEvent { Result { try block() } }
                    continuation.resume(returning: Outcome(result: result))
                }
            }
        }
        return try outcome.value(rescue: rescue)
    }

    // MARK: - Checking

    /// Whether every use of a context and its objects is checked.
    static let checksQueues: Bool = {
        let name = "-com.apple.CoreData.ConcurrencyDebug"
        let arguments = ProcessInfo.processInfo.arguments
        if let index = arguments.firstIndex(of: name), index + 1 < arguments.count {
            return arguments[index + 1] != "0"
        }
        let value = ProcessInfo.processInfo.environment["com.apple.CoreData.ConcurrencyDebug"]
        return value.map { $0 != "0" } ?? false
    }()

    /// Stops the process if the caller is not on the context's queue and checking is on.
    @inline(__always)
    final func assertOnQueue() {
        if Self.checksQueues { checkQueue() }
    }

    private func checkQueue() {
        guard concurrencyType != .confinementConcurrencyType, !isOnQueue else { return }
        raise(
            .internalInconsistency,
            "CoreData concurrency debug: __Multithreading_Violation_AllThatIsLeftToUsIsHonor__")
    }

    /// Processes changes at the end of the main queue's current turn, as Apple's run loop does.
    func scheduleProcessing() {
        guard !isProcessingScheduled, concurrencyType == .mainQueueConcurrencyType,
            !ContextStack.contains(self), Self.isOnMainQueue
        else { return }
        isProcessingScheduled = true
        queue.async { [weak self] in
            guard let self else { return }
            isProcessingScheduled = false
            runEvent {}
        }
    }
}
