import FoundationGaps

/// The kinds of changes in a history.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// It was inserted.
    case insert = 0
    /// It was changed.
    case update = 1
    /// It was deleted.
    case delete = 2
}

/// The kinds of results of a history request.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// Whether it succeeded.
    case statusOnly = 0
    /// The IDs of the objects.
    case objectIDs = 1
    /// How many there are.
    case count = 2
    /// The transactions without their changes.
    case transactionsOnly = 3
    /// The changes without their transactions.
    case changesOnly = 4
    /// The transactions with their changes.
    case transactionsAndChanges = 5
}

/// A request to read or delete the history of stores' changes.
///
/// It is passed to the stores unchanged; a store without a history throws
/// `CocoaError.persistentStoreUnsupportedRequestType`. The in-memory store keeps a history if the
/// option `NSPersistentHistoryTrackingKey` is set.
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// The part of the history that a request is about, and whether it is to be deleted; a
    /// Linux-only type.
    public enum _Range {
        /// After a time.
        case afterDate(Date)
        /// After a token; the whole history if nil.
        case afterToken(NSPersistentHistoryToken?)
        /// After a transaction; the whole history if nil.
        case afterTransaction(NSPersistentHistoryTransaction?)
        /// The transactions or changes that match a fetch request.
        case fetch(NSFetchRequest<any NSFetchRequestResult>)
        /// Delete: before a time.
        case beforeDate(Date)
        /// Delete: before a token.
        case beforeToken(NSPersistentHistoryToken?)
        /// Delete: before a transaction.
        case beforeTransaction(NSPersistentHistoryTransaction?)
    }

    /// The part of the history; Linux-only, for stores. Apple's framework reveals it only to its
    /// own stores.
    public private(set) final var _range = _Range.afterToken(nil)

    /// What the request returns; by default transactions with their changes.
    open var resultType: NSPersistentHistoryResultType = .transactionsAndChanges

    /// A fetch of transactions or changes that limits the history.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    /// Creates a request for the whole history.
    public required override init() {
        super.init()
    }

    private class func request(_ range: _Range) -> Self {
        let request = Self()
        request._range = range
        return request
    }

    /// The token of the request.
    open var token: NSPersistentHistoryToken? {
        switch _range {
        case .afterToken(let token), .beforeToken(let token): token
        case .afterTransaction(let transaction), .beforeTransaction(let transaction):
            transaction?.token
        default: nil
        }
    }

    /// Reads the history after a time.
    open class func fetchHistory(after date: Date) -> Self { request(.afterDate(date)) }

    /// Reads the history after a token; the whole history if nil.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self {
        request(.afterToken(token))
    }

    /// Reads the history after a transaction; the whole history if nil.
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
        request(.afterTransaction(transaction))
    }

    /// Reads the transactions or changes that match a fetch request.
    open class func fetchHistory(
        withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
    ) -> Self {
        let request = request(.fetch(fetchRequest))
        request.fetchRequest = fetchRequest
        return request
    }

    /// Deletes the history before a time.
    open class func deleteHistory(before date: Date) -> Self { request(.beforeDate(date)) }

    /// Deletes the history before a token.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
        request(.beforeToken(token))
    }

    /// Deletes the history before a transaction.
    open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
        request(.beforeTransaction(transaction))
    }
}

// MARK: - Several stores

extension NSPersistentHistoryChangeRequest {
    /// Whether the request deletes history.
    final var deletesHistory: Bool {
        switch _range {
        case .beforeDate, .beforeToken, .beforeTransaction: true
        default: false
        }
    }

    /// The same request about another point in the history.
    final func replacingToken(by token: NSPersistentHistoryToken?) -> Self {
        let copy = copy(deletesHistory ? .beforeToken(token) : .afterToken(token))
        copy.fetchRequest = fetchRequest
        return copy
    }

    /// The request to each of several stores, whose results are arranged by ``resultsFetch`` as a whole.
    final func withoutOffset() -> Self {
        guard let fetch = resultsFetch, fetch.fetchOffset > 0 else { return self }
        let copy = copy(_range)
        let part = fetch.erased()
        if fetch.fetchLimit > 0 {
            part.fetchLimit = fetch.fetchLimit.addingWithinBounds(fetch.fetchOffset)
        }
        part.fetchOffset = 0
        copy.fetchRequest = part
        return copy
    }

    private func copy(_ range: _Range) -> Self {
        let copy = Self.request(range)
        copy.resultType = resultType
        copy.affectedStores = affectedStores
        return copy
    }

    /// The fetch request, if it is one of what the result consists of.
    final var resultsFetch: NSFetchRequest<any NSFetchRequestResult>? {
        let isAboutChanges = fetchRequest?.entityName == HistoryEntities.change.name
        switch resultType {
        case .changesOnly: return isAboutChanges ? fetchRequest : nil
        case .transactionsOnly, .transactionsAndChanges: return isAboutChanges ? nil : fetchRequest
        default: return nil
        }
    }
}

extension NSFetchRequest {
    /// Transactions or changes in the order and the window of the request.
    final func arranged<T>(_ values: [T]) -> [T] {
        let rest = values._sorted(using: sortDescriptors ?? []).dropFirst(max(0, fetchOffset))
        return Array(fetchLimit > 0 ? rest.prefix(fetchLimit) : rest)
    }
}
