/// A unit of work for the server. Use one of the subclasses.
///
/// An operation is asynchronous. It can be added to a database, to a container or to any
/// `OperationQueue`, can depend on other operations, and can be canceled at any time. Its blocks
/// are called one at a time on a queue of its own: first those for the items, then the one for the
/// result exactly once, then `completionBlock`. Set them before the operation starts.
open class CKOperation: Operation, @unchecked Sendable {
    // Unchecked because Operation subclasses cannot be checked. The state that changes while the
    // operation runs is in `progress`; everything else is set before it starts.

    /// The name of an operation.
    public typealias ID = String

    /// How operations are carried out.
    public typealias Configuration = CKOperationConfiguration

    /// The unique name of the operation.
    public let operationID: CKOperation.ID = UUID().uuidString

    /// How the operation is carried out. Setting nil restores the defaults.
    public var configuration: Configuration! {
        get { storedConfiguration }
        set { storedConfiguration = newValue?.copy() as? Configuration ?? Configuration() }
    }

    private var storedConfiguration = Configuration()

    /// The group that the operation belongs to.
    public var group: CKOperationGroup?

    /// Never called: no operation survives its process on Linux.
    public var longLivedOperationWasPersistedBlock: (() -> Void)?

    /// The configuration from `configuredWith` of a database or a container.
    var inheritedConfiguration: Configuration?

    private enum Stage {
        case waiting, executing, finished
    }

    private struct Progress: Sendable {
        var stage = Stage.waiting
        var task: Task<Void, Never>?
    }

    private let progress = Locked(Progress())
    /// The completion block that is called when the operation is deallocated; see ``CloudKitOptions``.
    private var lateCompletion: (() -> Void)?

    /// The queue on which the operation's blocks are called.
    private let callbackQueue = DispatchQueue(label: "CloudKit.CKOperation.callbacks")

    /// Creates an operation.
    public override init() {
        super.init()
    }

    deinit { lateCompletion?() }

    // MARK: - Operation

    /// Always true: the work continues after `start()` has returned.
    open override var isAsynchronous: Bool { true }

    /// Whether the work has begun and not ended.
    open override var isExecuting: Bool { progress.withLock { $0.stage == .executing } }

    /// Whether the last block has been called.
    open override var isFinished: Bool { progress.withLock { $0.stage == .finished } }

    /// Starts the work, or ends the operation at once if it has been canceled.
    open override func start() {
        willChangeValue(forKey: "isExecuting")
        let hasBegun = progress.withLock { progress in
            guard progress.stage == .waiting else { return false }
            progress.stage = .executing
            return true
        }
        didChangeValue(forKey: "isExecuting")
        guard hasBegun, !isCancelled || options.operationsCanceledEarlyEnd else { return }
        let task = Task(priority: taskPriority) { await self.run() }
        progress.withLock { $0.task = task }
        if isCancelled { task.cancel() }
    }

    /// Cancels the operation. Its result block is called with `operationCancelled`, unless the
    /// result is already known.
    open override func cancel() {
        super.cancel()
        progress.withLock { $0.task }?.cancel()
    }

    private func run() async {
        var failure: CKError?
        do {
            try checkCancellation()
            try await execute()
        } catch let error as CKError {
            failure = error
        } catch {
            failure = Self.error(for: error)
        }
        if failure?.code != .operationCancelled || options.canceledOperationsAnswer {
            await deliver { [failure] in
                let failure =
                    failure ?? (self.options.itemFailuresFailOperations ? self.itemFailure : nil)
                self.finish(with: failure.map { .failure($0) } ?? .success(()))
            }
        }
        if !options.operationsOutliveTheirCompletion {
            lateCompletion = completionBlock
            completionBlock = nil
        }
        willChangeValue(forKey: "isExecuting")
        willChangeValue(forKey: "isFinished")
        progress.withLock {
            $0.stage = .finished
            $0.task = nil
        }
        didChangeValue(forKey: "isExecuting")
        didChangeValue(forKey: "isFinished")
    }

    // MARK: - For subclasses

    /// Does the work, and calls the blocks for the items. An error that it throws is the failure of
    /// the whole operation.
    func execute() async throws {
        preconditionFailure("CKOperation is abstract: use one of its subclasses")
    }

    /// The errors of the items that were reported, as one; nil if there are none. It is used on the operation's queue.
    var itemFailure: CKError? { nil }

    /// Calls the blocks for the result. It is called once, on the operation's queue.
    func finish(with result: Result<Void, any Error>) {}

    /// Calls blocks on the operation's queue, and returns when they have returned.
    func deliver(_ blocks: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            callbackQueue.async {
                blocks()
                continuation.resume()
            }
        }
    }

    /// Throws `operationCancelled` if the operation has been canceled.
    func checkCancellation() throws {
        if isCancelled { throw Self.cancellation }
    }

    static var cancellation: CKError {
        CKError(.operationCancelled, "This operation was cancelled")
    }

    /// The CloudKit error for an error of another kind.
    static func error(for error: any Error) -> CKError {
        if error is CancellationError { return cancellation }
        return CKError(.internalError, userInfo: [NSUnderlyingErrorKey: error])
    }
}

extension CKOperation {
    /// The effective values: the operation's, else its group's, else those of `configuredWith`.
    var settings: Configuration.Settings {
        configuration.settings
            .merging(group?.defaultConfiguration.settings)
            .merging(inheritedConfiguration?.settings)
    }

    /// Whether somebody waits for the operation. It then has no time limit as a whole unless one
    /// was set.
    var isUrgent: Bool {
        switch settings.qualityOfService ?? qualityOfService {
        case .userInteractive, .userInitiated: true
        default: false
        }
    }

    /// The choices for undocumented behavior.
    var options: CloudKitOptions {
        (self as? CKDatabaseOperation)?.database?.connection.options ?? .current
    }

    private var taskPriority: TaskPriority {
        switch settings.qualityOfService ?? qualityOfService {
        case .userInteractive, .userInitiated: .userInitiated
        case .utility: .utility
        case .background: .background
        default: .medium
        }
    }
}

// Deprecated properties that are part of the configuration now.
extension CKOperation {
    /// The container of the configuration.
    @available(*, deprecated, message: "use configuration")
    public var container: CKContainer? {
        get { configuration.container }
        set { configuration.container = newValue }
    }

    /// Whether the configuration allows mobile networks.
    @available(*, deprecated, message: "use configuration")
    public var allowsCellularAccess: Bool {
        get { configuration.allowsCellularAccess }
        set { configuration.allowsCellularAccess = newValue }
    }

    /// Whether the configuration requests a long-lived operation.
    @available(*, deprecated, message: "use configuration")
    public var isLongLived: Bool {
        get { configuration.isLongLived }
        set { configuration.isLongLived = newValue }
    }

    /// The configuration's time limit for one request.
    @available(*, deprecated, message: "use configuration")
    public var timeoutIntervalForRequest: TimeInterval {
        get { configuration.timeoutIntervalForRequest }
        set { configuration.timeoutIntervalForRequest = newValue }
    }

    /// The configuration's time limit for the whole operation.
    @available(*, deprecated, message: "use configuration")
    public var timeoutIntervalForResource: TimeInterval {
        get { configuration.timeoutIntervalForResource }
        set { configuration.timeoutIntervalForResource = newValue }
    }
}
