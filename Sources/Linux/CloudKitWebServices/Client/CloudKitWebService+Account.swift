import Foundation

/// Users, and the web-auth token, which takes the place of an account on a device.
extension CloudKitWebService {
    /// `users/caller`. Its URL is always that of the public database.
    public func fetchCaller(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> UserDictionary {
        let user: UserDictionary = try await get(.caller, in: context.with(database: .public))
        if case .tokens(_, let session) = credentials.kind {
            await session.noteUser(user.userRecordName)
        }
        return user
    }

    /// Whether a user is signed in, which means that there is a token and the server accepts it.
    ///
    /// If nobody is, the user is asked to sign in, because no system does it: a store that waits for an
    /// account would otherwise wait forever. While the server is unreachable, an existing token counts as
    /// an account. The owner of a server-to-server key has no account.
    public func accountStatus(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AccountStatus {
        guard case .tokens(_, let session) = credentials.kind,
            await session.hasOrGetsToken
        else { return .noAccount }
        do throws(CloudKitServiceError) {
            _ = try await fetchCaller(in: context)
            return .available
        } catch {
            switch error.code {
            case .authenticationRequired, .authenticationFailed: return .noAccount
            case .accountTemporarilyUnavailable: return .temporarilyUnavailable
            case .cancelled, .badContainer, .clientError: throw error
            default: return await session.currentToken == nil ? .couldNotDetermine : .available
            }
        }
    }

    /// Yields an element each time a user signs in or the token becomes invalid.
    public func accountChanges(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AsyncStream<Void> {
        guard case .tokens(_, let session) = credentials.kind else {
            return AsyncStream { $0.finish() }
        }
        return await session.changes()
    }
}
