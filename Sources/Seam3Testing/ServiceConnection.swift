import CloudKit
import CloudKitService

/// The state that a container shares with its zones: the service, the caller, and the files of
/// assets.
final class ServiceConnection: @unchecked Sendable {
    // Unchecked because the lock guards the mutable state.

    let service: any CloudKitService
    let context: RequestContext
    let assets = DownloadFolder()

    private let lock = NSLock()
    /// The registrations for account changes and pushes that have begun and not ended.
    private var registrations: [Task<Void, Never>] = []

    /// The time limit of a request in seconds, as in CloudKit.
    private static let timeout: TimeInterval = 60

    init(service: any CloudKitService, context: RequestContext) {
        self.service = service
        self.context = context
    }

    /// Begins a registration. Requests that are made from now on wait for it, so after the answer
    /// to a request, no later push or account change can be missed.
    func register(_ registration: @escaping @Sendable () async -> Void) {
        lock.locked { registrations.append(Task { await registration() }) }
    }

    /// Waits for the registrations that have begun.
    func becomeReady() async {
        let pending = lock.locked { registrations }
        guard !pending.isEmpty else { return }
        for registration in pending { await registration.value }
        lock.locked { registrations.removeAll { pending.contains($0) } }
    }

    /// Sends a request. It is abandoned when the task is canceled or the time is up, even if the
    /// service does not react.
    ///
    /// - Throws: `CKError`.
    func send<Response: Sendable>(
        _ request:
            @escaping @Sendable (any CloudKitService, RequestContext) async throws -> Response
    ) async throws -> Response {
        guard !Task.isCancelled else { throw CKError(.operationCancelled) }
        let answer = PendingAnswer<Response>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                answer.wait(
                    continuation,
                    for: Task {
                        do {
                            await self.becomeReady()
                            answer.end(with: .success(try await request(service, context)))
                        } catch let error as CloudKitServiceError {
                            answer.end(with: .failure(CKError(serviceError: error)))
                        } catch {
                            answer.end(with: .failure(error))
                        }
                    }, timeout: Self.timeout)
            }
        } onCancel: {
            answer.end(with: .failure(CKError(.operationCancelled)))
        }
    }
}

/// The answer to a request, or the reason why it is no longer awaited, whichever comes first.
private final class PendingAnswer<Response: Sendable>: @unchecked Sendable {
    // Unchecked because the lock guards the mutable state.

    private let lock = NSLock()
    private var continuation: CheckedContinuation<Response, any Error>?
    private var answer: Result<Response, any Error>?
    private var tasks: [Task<Void, Never>] = []

    /// Sets the waiting continuation. The answer may have arrived already.
    func wait(
        _ continuation: CheckedContinuation<Response, any Error>, for request: Task<Void, Never>,
        timeout: TimeInterval
    ) {
        let timer = Task {
            // The wait is divided into steps that are scheduled like the request's own work, so
            // that a request does not time out because the process got no CPU time.
            var remaining = timeout
            while remaining > 0 {
                let step = min(remaining, 1)
                let nanoseconds = UInt64(step * 1_000_000_000)
                guard (try? await Task.sleep(nanoseconds: nanoseconds)) != nil else { return }
                remaining -= step
            }
            self.end(with: .failure(CKError(.networkFailure)))
        }
        let answer = lock.locked { () -> Result<Response, any Error>? in
            if self.answer == nil {
                self.continuation = continuation
                tasks = [request, timer]
            }
            return self.answer
        }
        guard let answer else { return }
        request.cancel()
        timer.cancel()
        continuation.resume(with: answer)
    }

    /// Accepts an answer, if there is none yet.
    func end(with answer: Result<Response, any Error>) {
        let (waiting, tasks) = lock.locked {
            () -> (CheckedContinuation<Response, any Error>?, [Task<Void, Never>]) in
            guard self.answer == nil else { return (nil, []) }
            self.answer = answer
            defer {
                continuation = nil
                self.tasks = []
            }
            return (continuation, self.tasks)
        }
        waiting?.resume(with: answer)
        for task in tasks { task.cancel() }
    }
}

extension NSLocking {
    /// Runs a closure while the lock is held.
    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}
