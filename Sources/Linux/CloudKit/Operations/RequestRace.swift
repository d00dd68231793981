import CloudKitService

/// Sends a request to the service. The request is abandoned when its task is canceled or its time
/// is up, even if the service does not react.
///
/// The caller does not know what the service does with an abandoned request, as with a request on a
/// network.
///
/// The wait is divided into steps of at most a second that are scheduled like the request's own
/// work. A process that gets no CPU time, on a busy machine or in a debugger, therefore does not
/// abandon a request that a service in the same process had no time to answer.
func send<Response: Sendable>(
    timeout: TimeInterval,
    _ request:
        @escaping @Sendable () async throws(CloudKitServiceError) -> Response
) async throws(CKError) -> Response {
    let race = RequestRace<Response>()
    let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            race.begin(continuation)
            let work = Task {
                do throws(CloudKitServiceError) {
                    race.end(with: .success(try await request()))
                } catch {
                    race.end(with: .failure(CKError(error)))
                }
            }
            let timer = Task {
                var remaining = timeout
                while remaining > 0 {
                    let step = min(remaining, 1)
                    guard (try? await Task.sleep(for: .seconds(step))) != nil else { return }
                    remaining -= step
                }
                race.end(with: .failure(CKError(.networkFailure, "The request timed out")))
            }
            race.manage([work, timer])
        }
    } onCancel: {
        race.end(with: .failure(CKOperation.cancellation))
    }
    return try result.get()
}

/// The first of several results wins; the tasks of the others are canceled.
private final class RequestRace<Response: Sendable>: Sendable {
    private typealias Outcome = Result<Response, CKError>

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
        var tasks: [Task<Void, Never>] = []
    }

    private let state = Locked(State())

    /// Sets the waiting continuation. The outcome may be known already.
    func begin(_ continuation: CheckedContinuation<Result<Response, CKError>, Never>) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    /// Sets the tasks to cancel at the end, which may have been reached already.
    func manage(_ tasks: [Task<Void, Never>]) {
        let isOver = state.withLock { state in
            if state.outcome == nil { state.tasks = tasks }
            return state.outcome != nil
        }
        if isOver { tasks.forEach { $0.cancel() } }
    }

    /// Ends the race, unless it has ended.
    func end(with outcome: Result<Response, CKError>) {
        let (continuation, tasks) = state.withLock { state in
            guard state.outcome == nil else {
                return (nil as CheckedContinuation<Outcome, Never>?, [] as [Task<Void, Never>])
            }
            state.outcome = outcome
            defer {
                state.continuation = nil
                state.tasks = []
            }
            return (state.continuation, state.tasks)
        }
        continuation?.resume(returning: outcome)
        tasks.forEach { $0.cancel() }
    }
}
