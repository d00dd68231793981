import Foundation

/// The web courier: keeps pushes, by token, until they are fetched.
///
/// Each response has one push, which is then removed. A token expires if it is not used for a
/// while, and the oldest one is removed if there are too many.
actor WebCourier {
    private struct Mailbox {
        let context: RequestContext
        let account: String
        let session: UUID?
        var pushes: [PushPayload] = []
        var waiting: [(id: UUID, continuation: CheckedContinuation<PushPayload?, Never>)] = []
        var lastUse: Date
        var reader: Task<Void, Never>?
    }

    /// The maximum number of pushes kept for a token. A push only says that something has changed,
    /// so the oldest can be dropped.
    private static let capacity = 1_000

    static let unknownToken = CloudKitServiceError(.notFound, reason: "There is no such token")

    private let options: WebServiceRouterOptions
    private var mailboxes: [String: Mailbox] = [:]

    init(options: WebServiceRouterOptions) { self.options = options }

    /// A token that cannot be guessed.
    static func makeToken() -> String {
        var source = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(UInt64.random(in: .min ... .max, using: &source), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// The tokens that are in use.
    var tokens: [WebPushToken] {
        removeUnused()
        return mailboxes.values.map {
            WebPushToken(
                context: $0.context, lastUse: $0.lastUse, waitingPushes: $0.pushes.count,
                isWaitedFor: !$0.waiting.isEmpty)
        }
    }

    /// Starts keeping the pushes of a stream for a token.
    func open(
        _ token: String, _ pushes: AsyncStream<PushPayload>, for context: RequestContext,
        caller: WebServiceCaller
    ) {
        removeUnused()
        makeRoom(options.maximumPushTokensOfUser) { $0.account == caller.account }
        makeRoom(options.maximumPushTokens) { _ in true }
        let reader = Task { [weak self] in
            for await push in pushes { await self?.keep(push, for: token) }
        }
        mailboxes[token] = Mailbox(
            context: context, account: caller.account, session: caller.session,
            lastUse: options.clock(), reader: reader)
    }

    /// Removes the oldest token of some, if there are as many as there may be.
    private func makeRoom(_ maximum: Int, _ isCounted: (Mailbox) -> Bool) {
        let counted = mailboxes.filter { isCounted($0.value) }
        guard counted.count >= maximum,
            let oldest = counted.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return }
        close(oldest.key)
    }

    /// Removes the tokens that were made in a session.
    func close(session: UUID) {
        for (token, mailbox) in mailboxes where mailbox.session == session { close(token) }
    }

    /// Whether the token exists.
    func knows(_ token: String) -> Bool {
        removeUnused()
        return mailboxes[token] != nil
    }

    /// The next push for a token; nil if none comes in time.
    ///
    /// - Throws: `NOT_FOUND` if the token does not exist or has expired.
    func next(_ token: String) async throws(CloudKitServiceError) -> PushPayload? {
        guard knows(token) else { throw Self.unknownToken }
        mailboxes[token]?.lastUse = options.clock()
        if mailboxes[token]?.pushes.isEmpty == false {
            return mailboxes[token]?.pushes.removeFirst()
        }
        let id = UUID()
        let timer = Task { [wait = options.pushWait] in
            try await Task.sleep(for: .seconds(wait))
            giveUp(id, token)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: nil) }
                mailboxes[token]?.waiting.append((id, continuation))
            }
        } onCancel: {
            Task { await giveUp(id, token) }
        }
    }

    private func keep(_ push: PushPayload, for token: String) {
        guard var mailbox = mailboxes[token] else { return }
        if mailbox.waiting.isEmpty {
            mailbox.pushes.append(push)
            if mailbox.pushes.count > Self.capacity { mailbox.pushes.removeFirst() }
        } else {
            mailbox.waiting.removeFirst().continuation.resume(returning: push)
        }
        mailboxes[token] = mailbox
    }

    private func giveUp(_ id: UUID, _ token: String) {
        guard let index = mailboxes[token]?.waiting.firstIndex(where: { $0.id == id }) else {
            return
        }
        mailboxes[token]?.waiting.remove(at: index).continuation.resume(returning: nil)
    }

    private func removeUnused() {
        let limit = options.clock().addingTimeInterval(-options.pushTokenLifetime)
        for (token, mailbox) in mailboxes where mailbox.lastUse < limit { close(token) }
    }

    private func close(_ token: String) {
        guard let mailbox = mailboxes.removeValue(forKey: token) else { return }
        mailbox.reader?.cancel()
        for waiting in mailbox.waiting { waiting.continuation.resume(returning: nil) }
    }

    deinit {
        for mailbox in mailboxes.values { mailbox.reader?.cancel() }
    }
}
