import FoundationGaps

/// What happened to an object in a history.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// It was inserted.
    case insert = 0
    /// It was changed.
    case update = 1
    /// It was deleted.
    case delete = 2
}

/// What a history request returns.
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

/// Asks stores for the history of their changes, or to forget it.
///
/// It is handed to the stores as it is; a store that keeps no history throws
/// `CocoaError.persistentStoreUnsupportedRequestType`. The in-memory store keeps one with the option
/// `NSPersistentHistoryTrackingKey`.
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// Which part of the history a request means, and whether it is to be forgotten; a Linux-only type.
    public enum _Range {
        /// After a time.
        case afterDate(Date)
        /// After a token; all of it for nil.
        case afterToken(NSPersistentHistoryToken?)
        /// After a transaction; all of it for nil.
        case afterTransaction(NSPersistentHistoryTransaction?)
        /// What a fetch of transactions or changes describes.
        case fetch(NSFetchRequest<any NSFetchRequestResult>)
        /// To be forgotten: before a time.
        case beforeDate(Date)
        /// To be forgotten: before a token.
        case beforeToken(NSPersistentHistoryToken?)
        /// To be forgotten: before a transaction.
        case beforeTransaction(NSPersistentHistoryTransaction?)
    }

    /// Which part of the history the request means; Linux-only, for stores. Apple's tells only its own
    /// stores.
    public private(set) final var _range = _Range.afterToken(nil)

    /// What the request returns; transactions with their changes unless set.
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

    /// The token that the request was made with.
    open var token: NSPersistentHistoryToken? {
        switch _range {
        case .afterToken(let token), .beforeToken(let token): token
        case .afterTransaction(let transaction), .beforeTransaction(let transaction):
            transaction?.token
        default: nil
        }
    }

    /// The history after a time.
    open class func fetchHistory(after date: Date) -> Self { request(.afterDate(date)) }

    /// The history after a token; all of it for nil.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self {
        request(.afterToken(token))
    }

    /// The history after a transaction; all of it for nil.
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
        request(.afterTransaction(transaction))
    }

    /// The history that a fetch of transactions or changes describes.
    open class func fetchHistory(
        withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
    ) -> Self {
        let request = request(.fetch(fetchRequest))
        request.fetchRequest = fetchRequest
        return request
    }

    /// Forgets the history before a time.
    open class func deleteHistory(before date: Date) -> Self { request(.beforeDate(date)) }

    /// Forgets the history before a token.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
        request(.beforeToken(token))
    }

    /// Forgets the history before a transaction.
    open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
        request(.beforeTransaction(transaction))
    }
}
