import CloudKitService
import SeamSQLite

extension LocalCloud {
    /// Processes a request: faults, authorization, one transaction, pushes, faults.
    ///
    /// - Parameters:
    ///   - writes: Whether the request changes anything.
    ///   - body: Carries out the request in the transaction.
    func perform<T: Sendable>(
        _ request: RequestSummary, writes: Bool,
        _ body: @escaping @Sendable (RequestSession) throws -> T
    ) async throws(CloudKitServiceError) -> T {
        try await meetingFaults(request) { effects throws(CloudKitServiceError) in
            try await self.transact(request, effects: effects, writes: writes, body)
        }
    }

    /// Applies the faults for a request before and after it.
    func meetingFaults<T>(
        _ request: RequestSummary,
        _ body: ([Fault.Effect]) async throws(CloudKitServiceError) -> T
    ) async throws(CloudKitServiceError) -> T {
        guard !request.context.container.isEmpty else {
            throw CloudKitServiceError(.badContainer, reason: "The container has no identifier")
        }
        let effects = faults.effects(on: request)
        // Late pushes wait for requests, not for time.
        defer { pushDelivery.deliverLate() }
        try await effects.happen(at: .beforeCommit, request, options)
        let result = try await body(effects)
        try await effects.happen(at: .afterCommit, request, options)
        return result
    }

    private func transact<T: Sendable>(
        _ request: RequestSummary, effects: [Fault.Effect], writes: Bool,
        _ body: @escaping @Sendable (RequestSession) throws -> T
    ) async throws(CloudKitServiceError) -> T {
        let caller = try authorize(request.context, writes: writes)
        let store = store(for: request.context)
        let options = options
        let run = { @Sendable (connection: SQLiteConnection, isWriting: Bool) in
            try options.checkCount(request.itemCount)
            let session = try RequestSession(
                connection: connection, caller: caller, options: options, effects: effects,
                isWriting: isWriting)
            let result = try body(session)
            try session.finish()
            return (result, session.hasPushes)
        }
        do {
            let (result, hasPushes): (T, Bool)
            do {
                (result, hasPushes) =
                    writes
                    ? try await store.write { try run($0, true) }
                    : try await store.read { try run($0, false) }
            } catch is RequestSession.WriteNeeded {
                (result, hasPushes) = try await store.write { try run($0, true) }
            }
            if hasPushes { signal.post(topic: store.key) }
            return result
        } catch {
            throw CloudKitServiceError(wrapping: error)
        }
    }

    /// The file that holds a context's databases.
    func store(for context: RequestContext) -> ContainerStore {
        stores.store(container: context.container, environment: context.environment)
    }
}

extension CloudKitServiceError {
    /// The error that a client sees for any error.
    init(wrapping error: any Error) {
        switch error {
        case let error as CloudKitServiceError: self = error
        case let failure as ItemFailure: self = failure.requestError
        default: self.init(.internalError, reason: "\(error)")
        }
    }
}
