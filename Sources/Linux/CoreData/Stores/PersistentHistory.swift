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

/// A point in the history of a coordinator's stores. Only a store makes one.
open class NSPersistentHistoryToken: NSObject, NSCopying {
    /// The token itself: it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Asks stores for the history of their changes, or to forget it.
///
/// It is handed to the stores as it is; a store that keeps no history throws
/// `CocoaError.persistentStoreUnsupportedRequestType`.
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// Which part of the history a request means.
    enum Range {
        case afterDate(Date)
        case afterToken(NSPersistentHistoryToken?)
        case afterTransaction(NSPersistentHistoryTransaction?)
        case fetch(NSFetchRequest<any NSFetchRequestResult>)
        case beforeDate(Date)
        case beforeToken(NSPersistentHistoryToken?)
        case beforeTransaction(NSPersistentHistoryTransaction?)
    }

    private(set) var range = Range.afterToken(nil)

    /// What the request returns; transactions with their changes unless set.
    open var resultType: NSPersistentHistoryResultType = .transactionsAndChanges

    /// A fetch of transactions or changes that limits the history.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    /// Creates a request for the whole history.
    public required override init() {
        super.init()
    }

    private class func request(_ range: Range) -> Self {
        let request = Self()
        request.range = range
        return request
    }

    /// The token that the request was made with.
    open var token: NSPersistentHistoryToken? {
        switch range {
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

/// One save in a history. A store returns a subclass.
open class NSPersistentHistoryTransaction: NSObject {
    /// When the save was.
    open var timestamp: Date { Date(timeIntervalSinceReferenceDate: 0) }
    /// What the save changed.
    open var changes: [NSPersistentHistoryChange]? { nil }
    /// The number of the save; larger for later ones.
    open var transactionNumber: Int64 { 0 }
    /// The identifier of the store.
    open var storeID: String { "" }
    /// The program that saved.
    open var bundleID: String { "" }
    /// The process that saved.
    open var processID: String { "" }
    /// The name of the context that saved.
    open var contextName: String? { nil }
    /// The author of the save, see `NSManagedObjectContext.transactionAuthor`.
    open var author: String? { nil }
    /// The point in the history after the save.
    open var token: NSPersistentHistoryToken { NSPersistentHistoryToken() }

    /// The entity of transactions; nil, as no store here keeps them as objects.
    open class var entityDescription: NSEntityDescription? { nil }
    /// A fetch of transactions; nil, as no store here keeps them as objects.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { nil }
    /// The entity of transactions; nil, as no store here keeps them as objects.
    open class func entityDescription(
        with context: NSManagedObjectContext
    ) -> NSEntityDescription? { nil }

    /// The changes as `NSManagedObjectContext.mergeChanges(fromContextDidSave:)` takes them.
    open func objectIDNotification() -> Notification {
        var objectIDs: [String: Set<NSManagedObjectID>] = [:]
        for change in changes ?? [] {
            let key =
                switch change.changeType {
                case .insert: NSInsertedObjectIDsKey
                case .update: NSUpdatedObjectIDsKey
                case .delete: NSDeletedObjectIDsKey
                }
            objectIDs[key, default: []].insert(change.changedObjectID)
        }
        return Notification(
            name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: objectIDs)
    }
}

/// One changed object in a history.
open class NSPersistentHistoryChange: NSObject {
    /// The number of the change.
    public let changeID: Int64
    /// The changed object.
    public let changedObjectID: NSManagedObjectID
    /// What happened to it.
    public let changeType: NSPersistentHistoryChangeType
    /// What is left of a deleted object's values.
    public let tombstone: [AnyHashable: Any]?
    /// The save that changed it.
    open var transaction: NSPersistentHistoryTransaction? { nil }
    /// The properties that an update changed.
    public let updatedProperties: Set<NSPropertyDescription>?

    /// Creates a change; a Linux-only initialiser, for stores that keep a history.
    public init(
        _changeID changeID: Int64, of objectID: NSManagedObjectID,
        type: NSPersistentHistoryChangeType, tombstone: [AnyHashable: Any]? = nil,
        updatedProperties: Set<NSPropertyDescription>? = nil
    ) {
        self.changeID = changeID
        changedObjectID = objectID
        changeType = type
        self.tombstone = tombstone
        self.updatedProperties = updatedProperties
        super.init()
    }

    /// The entity of changes; nil, as no store here keeps them as objects.
    open class var entityDescription: NSEntityDescription? { nil }
    /// A fetch of changes; nil, as no store here keeps them as objects.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { nil }
    /// The entity of changes; nil, as no store here keeps them as objects.
    open class func entityDescription(
        with context: NSManagedObjectContext
    ) -> NSEntityDescription? { nil }
}

/// The result of a history request. A store returns a subclass.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
    /// A Boolean, a number, IDs, transactions or changes, as the request asked.
    open var result: Any? { nil }

    /// What the result is.
    open var resultType: NSPersistentHistoryResultType { .statusOnly }
}

extension NSPersistentStoreCoordinator {
    /// The present point in the history of stores; nil, as no store here keeps one.
    public func currentPersistentHistoryToken(
        fromStores stores: [Any]?
    ) -> NSPersistentHistoryToken? { nil }
}
