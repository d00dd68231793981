import Foundation

/// How much one user may ask of a server.
///
/// An allowance that was not used is kept for one minute, so that a client may send at once what it
/// may send in a minute.
public struct WebServiceAllowance: Hashable, Sendable {
    /// The requests in a minute.
    public var requests: Int
    /// The bytes in a minute, of what the user sends and of what is sent to the user.
    public var bytes: Int64

    /// Creates an allowance.
    public init(requests: Int, bytes: Int64) {
        self.requests = requests
        self.bytes = bytes
    }
}

/// What is left of each account's allowance.
actor AllowanceLedger {
    private struct Balance {
        var requests: Double
        var bytes: Double
        var date: Date
    }

    private let allowance: WebServiceAllowance?
    private let clock: @Sendable () -> Date
    private var balances: [String: Balance] = [:]
    private var lastCleaning: Date

    private static let period: TimeInterval = 60

    init(_ allowance: WebServiceAllowance?, clock: @escaping @Sendable () -> Date) {
        self.allowance = allowance
        self.clock = clock
        lastCleaning = clock()
    }

    /// Takes a request from an account's allowance.
    ///
    /// - Throws: `THROTTLED` with the seconds until there is something left.
    func take(from account: String) throws(CloudKitServiceError) {
        guard let allowance else { return }
        var balance = balance(of: account, allowance)
        let wait = Swift.max(
            (1 - balance.requests) / Double(allowance.requests),
            (1 - balance.bytes) / Double(allowance.bytes))
        guard wait <= 0 else {
            throw CloudKitServiceError(
                .throttled, reason: "You have sent too many requests, or too many bytes",
                retryAfter: (wait * Self.period).rounded(.up))
        }
        balance.requests -= 1
        balances[account] = balance
    }

    /// Takes bytes that were received or are to be sent. The balance may become negative.
    func take(bytes: Int64, from account: String) {
        guard let allowance, bytes > 0 else { return }
        var balance = balance(of: account, allowance)
        balance.bytes -= Double(bytes)
        balances[account] = balance
    }

    private func balance(of account: String, _ allowance: WebServiceAllowance) -> Balance {
        let now = clock()
        removeFull(allowance, now)
        guard let balance = balances[account] else {
            return Balance(
                requests: Double(allowance.requests), bytes: Double(allowance.bytes), date: now)
        }
        return refilled(balance, allowance, now)
    }

    private func refilled(
        _ balance: Balance, _ allowance: WebServiceAllowance, _ now: Date
    ) -> Balance {
        let share = Swift.max(0, now.timeIntervalSince(balance.date)) / Self.period
        let (requests, bytes) = (Double(allowance.requests), Double(allowance.bytes))
        return Balance(
            requests: min(requests, balance.requests + share * requests),
            bytes: min(bytes, balance.bytes + share * bytes), date: now)
    }

    /// Forgets the accounts that have used nothing for a while, once in a period.
    private func removeFull(_ allowance: WebServiceAllowance, _ now: Date) {
        guard abs(now.timeIntervalSince(lastCleaning)) >= Self.period else { return }
        lastCleaning = now
        balances = balances.filter { _, balance in
            let present = refilled(balance, allowance, now)
            return present.requests < Double(allowance.requests)
                || present.bytes < Double(allowance.bytes)
        }
    }
}
