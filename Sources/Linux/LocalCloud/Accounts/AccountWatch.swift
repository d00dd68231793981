import CloudKitService
import Foundation

/// Detects whether a device's account has changed since the last check.
final class AccountWatch: @unchecked Sendable {
    private let context: RequestContext
    private let accounts: AccountStore
    // Unchecked because `last` is accessed only while `lock` is held.
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
