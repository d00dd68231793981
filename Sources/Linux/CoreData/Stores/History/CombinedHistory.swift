import FoundationGaps

/// A point in the histories of several stores.
final class CombinedHistoryToken: NSPersistentHistoryToken {
    /// The stores' own tokens, by the stores' identifiers.
    let parts: [String: NSPersistentHistoryToken]

    init(_ parts: [String: NSPersistentHistoryToken]) {
        self.parts = parts
        super.init()
    }

    override class var supportsSecureCoding: Bool { true }

    required init?(coder: NSCoder) {
        let classes = [NSDictionary.self, NSString.self, NSPersistentHistoryToken.self]
        let stored = coder.decodeObject(of: classes, forKey: "parts")
        guard let stored = stored as? [String: NSPersistentHistoryToken] else { return nil }
        parts = stored
        super.init()
    }

    override func encode(with coder: NSCoder) {
        coder.encode(NSDictionary(dictionary: parts), forKey: "parts")
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CombinedHistoryToken else { return false }
        return parts == other.parts
    }

    override var hash: Int { parts.hashValue }
}

// MARK: - Asking several stores

extension NSPersistentStoreCoordinator {
    /// The answer of stores to a history request. Stores that keep no history are left out if another one
    /// keeps one.
    func history(
        _ request: NSPersistentHistoryChangeRequest, of stores: [NSPersistentStore],
        with context: NSManagedObjectContext
    ) throws -> Any {
        let parts = parts(of: request, for: stores)
        if parts.count == 1, let part = parts.first {
            return try rowStore(part.store).execute(part.request, with: context)
        }
        var results: [Any] = []
        var refusal: (any Error)?
        for (store, part) in parts {
            do {
                results.append(try rowStore(store).execute(part.withoutOffset(), with: context))
            } catch let error as CocoaError
                where error.code == .persistentStoreUnsupportedRequestType
            {
                refusal = refusal ?? error
            }
        }
        if results.isEmpty, let refusal { throw refusal }
        return HistoryRequestResult(
            request.resultType,
            request.combined(results.map { ($0 as? NSPersistentHistoryResult)?.result }))
    }

    /// The requests to the stores that a token is about; to all stores if there is none, or if it is none of
    /// theirs, which each of them reports.
    private func parts(
        of request: NSPersistentHistoryChangeRequest, for stores: [NSPersistentStore]
    ) -> [(store: NSPersistentStore, request: NSPersistentHistoryChangeRequest)] {
        let token = request.token
        if let token = token as? CombinedHistoryToken {
            return stores.compactMap { store in
                let part = token.parts[store.identifier]
                // Nobody has read the history of a store that was added since.
                if part == nil, request.deletesHistory { return nil }
                return (store, request.replacingToken(by: part))
            }
        }
        let owners = stores.filter { store in token.map(store.keepsHistory(of:)) ?? false }
        return (owners.isEmpty ? stores : owners).map { ($0, request) }
    }
}

extension NSPersistentStore {
    /// Whether a token is about the store's history.
    fileprivate func keepsHistory(of token: NSPersistentHistoryToken) -> Bool {
        if let history = (self as? InMemoryStore)?.history {
            return (token as? InMemoryHistoryToken)?.positions[history.storeID] != nil
        }
        return (self as? any HistoryKeepingStore)?.hasIssued(token) ?? false
    }
}

extension NSPersistentHistoryChangeRequest {
    /// The results of several stores as one.
    fileprivate func combined(_ results: [Any?]) -> Any {
        switch resultType {
        case .statusOnly: return results.succeeded
        case .count: return results.sum
        case .objectIDs: return results.objectIDs
        case .changesOnly:
            let changes = results.flatMap { $0 as? [NSPersistentHistoryChange] ?? [] }
            return resultsFetch?.arranged(changes) ?? changes
        case .transactionsOnly, .transactionsAndChanges:
            let transactions = results.flatMap { $0 as? [NSPersistentHistoryTransaction] ?? [] }
                .sorted { $0.timestamp < $1.timestamp }
            return resultsFetch?.arranged(transactions) ?? transactions
        }
    }
}
