import CloudKitService
import Foundation

/// Tells whether the account of a device has changed since the last time.
final class AccountWatch: @unchecked Sendable {
    private let context: RequestContext
    private let accounts: AccountStore
    // Unchecked because `last` is touched under `lock` only.
    private let lock = NSLock()
    private var last: AccountStore.Account?

    init(context: RequestContext, accounts: AccountStore) {
        self.context = context
        self.accounts = accounts
    }

    func isChanged() throws(CloudKitServiceError) -> Bool {
        let account = try accounts.account(
            container: context.container, device: context.device)
        lock.lock()
        defer { lock.unlock() }
        defer { last = account }
        return last != account
    }
}
