import CloudKit
import CloudKitService

/// What a container and its zones share: the service, who calls it, and the files of assets.
final class ServiceConnection: @unchecked Sendable {
    // Unchecked because the lock guards what changes.

    let service: any CloudKitService
    let context: RequestContext
    let assets = DownloadFolder()

    private let lock = NSLock()
    /// Registrations for what the service tells by itself that have begun and not ended.
    private var registrations: [Task<Void, Never>] = []

    /// How many seconds a request may take, as with CloudKit.
    private static let timeout: TimeInterval = 60

    init(service: any CloudKitService, context: RequestContext) {
        self.service = service
        self.context = context
    }

    /// Begins a registration. Requests that are made from now on wait for it, so that whoever has the
    /// answer to a request has missed no push and no change of the account since.
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

    /// Sends a request. It is abandoned when the task is canceled or the time is over, even if the
    /// service does not notice.
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

/// The answer to a request, or why it is not waited for any more: whichever is there first.
private final class PendingAnswer<Response: Sendable>: @unchecked Sendable {
    // Unchecked because the lock guards what changes.

    private let lock = NSLock()
    private var continuation: CheckedContinuation<Response, any Error>?
    private var answer: Result<Response, any Error>?
    private var tasks: [Task<Void, Never>] = []

    /// Sets who waits. The answer may be there already.
    func wait(
        _ continuation: CheckedContinuation<Response, any Error>, for request: Task<Void, Never>,
        timeout: TimeInterval
    ) {
        let timer = Task {
            // In steps that each wait for their turn, as the request does: a process that gets no time
            // does not give a request up that had none.
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

    /// Takes an answer, if there is none yet.
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
