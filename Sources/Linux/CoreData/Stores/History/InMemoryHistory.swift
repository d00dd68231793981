import FoundationGaps

/// The history of an in-memory store's saves.
final class InMemoryHistory {
    let storeID: String
    private var transactions: [RecordedTransaction] = []
    /// The number of the last save, deleted from the history or not.
    private(set) var lastNumber: Int64 = 0
    /// The number up to which saves have been deleted.
    private var forgottenNumber: Int64 = 0
    private var lastChangeID: Int64 = 0

    init(storeID: String) {
        self.storeID = storeID
    }

    // MARK: - Recording

    /// Records a save. The objects still have the previous values as their committed ones.
    func record(_ request: NSSaveChangesRequest, by context: NSManagedObjectContext?) {
        lastNumber += 1
        let transaction = RecordedTransaction(
            number: lastNumber, storeID: storeID, contextName: context?.name,
            author: context?.transactionAuthor)
        let changes: [(NSPersistentHistoryChangeType, ObjectSet?)] = [
            (.insert, request.inserted), (.update, request.updated), (.delete, request.deleted),
        ]
        for (type, objects) in changes {
            for object in objects?.objects ?? [] {
                lastChangeID += 1
                transaction.recorded.append(
                    RecordedChange(
                        lastChangeID, type, of: object, in: transaction))
            }
        }
        transactions.append(transaction)
    }

    // MARK: - Answering

    /// The result of a request to read or delete history.
    ///
    /// - Throws: `CocoaError` with the code 134301 if a token belongs to deleted history or to
    ///   another store.
    func result(of request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
        switch request._range {
        case .beforeDate(let date):
            return try forget(request) { $0.timestamp < date }
        case .beforeToken(let token):
            let number = try number(of: token) ?? 0
            return try forget(request) { $0.transactionNumber < number }
        case .beforeTransaction(let transaction):
            let number = transaction?.transactionNumber ?? 0
            return try forget(request) { $0.transactionNumber < number }
        case .afterDate(let date):
            return found(request) { $0.timestamp > date }
        case .afterToken(let token):
            let number = try number(of: token) ?? 0
            return found(request) { $0.transactionNumber > number }
        case .afterTransaction(let transaction):
            let number = try number(of: transaction?.token) ?? 0
            return found(request) { $0.transactionNumber > number }
        case .fetch:
            return found(request) { _ in true }
        }
    }

    private func number(of token: NSPersistentHistoryToken?) throws -> Int64? {
        guard let token else { return nil }
        guard let number = (token as? InMemoryHistoryToken)?.positions[storeID],
            number >= forgottenNumber,
            number <= lastNumber
        else {
            let reason = "The token is not one of the store's history, or is too old."
            throw CocoaError(
                CocoaError.Code(rawValue: NSPersistentHistoryTokenExpiredError),
                userInfo: ["reason": reason, NSLocalizedFailureReasonErrorKey: reason])
        }
        return number
    }

    private func forget(
        _ request: NSPersistentHistoryChangeRequest, _ isOld: (RecordedTransaction) -> Bool
    ) throws -> NSPersistentHistoryResult {
        let old = transactions.filter(isOld)
        forgottenNumber = max(forgottenNumber, old.last?.transactionNumber ?? 0)
        transactions.removeAll(where: isOld)
        let value: Any =
            request.resultType == .count ? old.map(\.recorded.count).reduce(0, +) : true
        return HistoryRequestResult(request.resultType == .count ? .count : .statusOnly, value)
    }

    private func found(
        _ request: NSPersistentHistoryChangeRequest, _ isMeant: (RecordedTransaction) -> Bool
    ) -> NSPersistentHistoryResult {
        let type = request.resultType
        var transactions: [NSPersistentHistoryTransaction] = self.transactions.filter(isMeant)
        var changes: [NSPersistentHistoryChange]?
        if let fetch = request.fetchRequest {
            if fetch.entityName == HistoryEntities.change.name {
                changes = Self.results(of: fetch, among: transactions.flatMap { $0.changes ?? [] })
                let numbers = Set(changes?.compactMap { $0.transaction?.transactionNumber } ?? [])
                transactions = transactions.filter { numbers.contains($0.transactionNumber) }
            } else {
                transactions = Self.results(of: fetch, among: transactions)
            }
        }
        let meant = changes ?? transactions.flatMap { $0.changes ?? [] }
        let value: Any =
            switch type {
            case .statusOnly: true
            case .count: meant.count
            case .objectIDs: meant.map(\.changedObjectID)
            case .changesOnly: meant
            case .transactionsOnly: transactions.map { TransactionWithoutChanges($0) }
            case .transactionsAndChanges: transactions
            }
        return HistoryRequestResult(type, value)
    }

    /// The transactions or changes that match a fetch request.
    private static func results<T>(
        of fetch: NSFetchRequest<any NSFetchRequestResult>, among values: [T]
    ) -> [T] {
        fetch.arranged(values.filter { fetch.predicate?.evaluate(with: $0) ?? true })
    }
}

// MARK: - What is recorded

private final class RecordedTransaction: NSPersistentHistoryTransaction {
    private let number: Int64
    private let store: String
    private let name: String?
    private let savedBy: String?
    private let date = Date()
    var recorded: [RecordedChange] = []

    init(number: Int64, storeID: String, contextName: String?, author: String?) {
        self.number = number
        store = storeID
        name = contextName
        savedBy = author
        super.init()
    }

    override var timestamp: Date { date }
    override var changes: [NSPersistentHistoryChange]? { recorded }
    override var transactionNumber: Int64 { number }
    override var storeID: String { store }
    override var bundleID: String {
        Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    }
    override var processID: String { ProcessInfo.processInfo.processName }
    override var contextName: String? { name }
    override var author: String? { savedBy }
    override var token: NSPersistentHistoryToken {
        InMemoryHistoryToken(positions: [store: number])
    }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A transaction for results without changes.
private final class TransactionWithoutChanges: NSPersistentHistoryTransaction {
    private let whole: NSPersistentHistoryTransaction

    init(_ whole: NSPersistentHistoryTransaction) {
        self.whole = whole
        super.init()
    }

    override var timestamp: Date { whole.timestamp }
    override var transactionNumber: Int64 { whole.transactionNumber }
    override var storeID: String { whole.storeID }
    override var bundleID: String { whole.bundleID }
    override var processID: String { whole.processID }
    override var contextName: String? { whole.contextName }
    override var author: String? { whole.author }
    override var token: NSPersistentHistoryToken { whole.token }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}

private final class RecordedChange: NSPersistentHistoryChange {
    private let number: Int64
    private let objectID: NSManagedObjectID
    private let type: NSPersistentHistoryChangeType
    private let values: [AnyHashable: Any]?
    private let properties: Set<NSPropertyDescription>?
    private weak var owner: NSPersistentHistoryTransaction?

    init(
        _ number: Int64, _ type: NSPersistentHistoryChangeType, of object: NSManagedObject,
        in transaction: NSPersistentHistoryTransaction
    ) {
        self.number = number
        self.type = type
        objectID = object.objectID
        owner = transaction
        properties =
            type == .update
            ? Set(object.changedIndexes().map { object.layout.properties[$0] }) : nil
        values = type == .delete ? Self.tombstone(of: object) : nil
        super.init()
    }

    /// The saved values of the attributes that a tombstone preserves.
    private static func tombstone(of object: NSManagedObject) -> [AnyHashable: Any]? {
        let preserved = object.layout.attributes.filter(\.preservesValueInHistoryOnDeletion)
        guard !preserved.isEmpty else { return nil }
        var values: [AnyHashable: Any] = [:]
        for attribute in preserved {
            let row = object.committed?.attributes ?? object.attributes
            if let value = row[attribute.valueIndex].object { values[attribute.name] = value }
        }
        return values
    }

    override var changeID: Int64 { number }
    override var changedObjectID: NSManagedObjectID { objectID }
    override var changeType: NSPersistentHistoryChangeType { type }
    override var tombstone: [AnyHashable: Any]? { values }
    override var transaction: NSPersistentHistoryTransaction? { owner }
    override var updatedProperties: Set<NSPropertyDescription>? { properties }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}

final class HistoryRequestResult: NSPersistentHistoryResult {
    private let type: NSPersistentHistoryResultType
    private let value: Any

    init(_ type: NSPersistentHistoryResultType, _ value: Any) {
        self.type = type
        self.value = value
        super.init()
    }

    override var resultType: NSPersistentHistoryResultType { type }
    override var result: Any? { value }
}
