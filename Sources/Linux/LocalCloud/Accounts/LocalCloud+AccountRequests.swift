import CloudKitService

/// The status of the account, its changes, and the registration for pushes.
extension LocalCloud {
    /// The status of the calling device's account.
    public func accountStatus(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AccountStatus {
        try await meetingFaults(RequestSummary(.accountStatus, context)) {
            _ throws(CloudKitServiceError) in
            try accounts.account(container: context.container, device: context.device).status
        }
    }

    /// An element for each change of the calling device's account.
    public func accountChanges(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let watch = AccountWatch(context: context, accounts: accounts)
        _ = try watch.isChanged()
        do {
            let observer = try signal.observe(ChangeSignal.accountsTopic) {
                // An account that cannot be read is checked again after the next signal.
                if (try? watch.isChanged()) == true { continuation.yield() }
            }
            continuation.onTermination = { [signal] _ in signal.end(observer) }
            if try watch.isChanged() { continuation.yield() }
        } catch {
            throw CloudKitServiceError(wrapping: error)
        }
        return stream
    }

    /// The pushes for the calling device.
    public func pushes(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AsyncStream<PushPayload> {
        do {
            return try await registrations.register(context)
        } catch {
            throw CloudKitServiceError(wrapping: error)
        }
    }
}
