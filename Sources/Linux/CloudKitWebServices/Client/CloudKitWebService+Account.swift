import Foundation

/// Users, and what takes the place of an account on a device: the web-auth token.
extension CloudKitWebService {
    /// `users/caller`. Its address is always that of the public database.
    public func fetchCaller(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> UserDictionary {
        let user: UserDictionary = try await get(.caller, in: context.with(database: .public))
        if case .tokens(_, let session) = credentials.kind {
            await session.noteUser(user.userRecordName)
        }
        return user
    }

    /// Whether somebody has signed in: the token is there and the server takes it.
    ///
    /// While the server cannot be reached, a token that is there counts as an account. The owner of a
    /// server-to-server key has none.
    public func accountStatus(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AccountStatus {
        guard case .tokens(_, let session) = credentials.kind,
            await session.currentToken != nil
        else { return .noAccount }
        do throws(CloudKitServiceError) {
            _ = try await fetchCaller(in: context)
            return .available
        } catch {
            switch error.code {
            case .authenticationRequired, .authenticationFailed: return .noAccount
            case .accountTemporarilyUnavailable: return .temporarilyUnavailable
            case .cancelled, .badContainer, .clientError: throw error
            default: return .available
            }
        }
    }

    /// An element each time that somebody signs in or the token is good no longer.
    public func accountChanges(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AsyncStream<Void> {
        guard case .tokens(_, let session) = credentials.kind else {
            return AsyncStream { $0.finish() }
        }
        return await session.changes()
    }
}
