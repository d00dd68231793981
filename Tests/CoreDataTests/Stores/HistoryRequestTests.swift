import CoreData
import Testing

/// A store with a history of one transaction.
private final class HistoryStore: NSIncrementalStore {
    static let storeType = "HistoryStore"

    static let register: Void = NSPersistentStoreCoordinator.registerStoreClass(
        HistoryStore.self, forStoreType: storeType)

    private(set) var requests: [NSPersistentHistoryChangeRequest] = []

    override var type: String { Self.storeType }

    override func loadMetadata() throws {}

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        guard let request = request as? NSPersistentHistoryChangeRequest else {
            throw CocoaError(.persistentStoreUnsupportedRequestType)
        }
        requests.append(request)
        return HistoryResult(of: request, by: context?.transactionAuthor)
    }
}

private final class HistoryResult: NSPersistentHistoryResult {
    private let request: NSPersistentHistoryChangeRequest
    private let author: String?

    init(of request: NSPersistentHistoryChangeRequest, by author: String?) {
        self.request = request
        self.author = author
        super.init()
    }

    override var resultType: NSPersistentHistoryResultType { request.resultType }

    override var result: Any? {
        request.resultType == .count ? 1 : [HistoryTransaction(author)]
    }
}

private final class HistoryTransaction: NSPersistentHistoryTransaction {
    private let storedAuthor: String?
    private let storedToken = NSPersistentHistoryToken()

    init(_ author: String?) {
        storedAuthor = author
        super.init()
    }

    override var author: String? { storedAuthor }
    override var token: NSPersistentHistoryToken { storedToken }
}

/// History requests to stores.
@Suite struct HistoryRequestTests {
    private let context: NSManagedObjectContext
    private let store: HistoryStore

    init() throws {
        _ = HistoryStore.register
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        let added = try coordinator.addPersistentStore(
            ofType: HistoryStore.storeType, configurationName: nil,
            at: URL(fileURLWithPath: "/history/\(UUID().uuidString)"))
        store = try #require(added as? HistoryStore)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = "importer"
    }

    private func execute(
        _ request: NSPersistentHistoryChangeRequest
    ) throws -> NSPersistentHistoryResult? {
        try context.execute(request) as? NSPersistentHistoryResult
    }

    @Test("Every form of request goes to the store unchanged, and its result comes back")
    func forms() throws {
        let date = Date.distantPast
        let token = NSPersistentHistoryToken()
        let transaction = HistoryTransaction(nil)
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Transaction")
        let requests = [
            NSPersistentHistoryChangeRequest.fetchHistory(after: date), .fetchHistory(after: token),
            .fetchHistory(after: transaction), .fetchHistory(withFetch: fetch),
            .deleteHistory(before: date), .deleteHistory(before: token),
            .deleteHistory(before: transaction),
        ]
        for request in requests {
            let result = try execute(request)
            #expect(result?.resultType == .transactionsAndChanges)
            #expect(store.requests.last === request)
        }
        #expect(
            requests.map(\.token)
                == [nil, token, transaction.token, nil, nil, token, transaction.token])
        #expect(requests[3].fetchRequest === fetch)
    }

    @Test("The store decides the type of result that a request asks for")
    func resultType() throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.resultType = .count
        #expect(try execute(request)?.result as? Int == 1)
    }

    @Test("A store knows the author of a context's transactions")
    func author() throws {
        let result = try execute(.fetchHistory(after: Date.distantPast))
        let transactions = result?.result as? [NSPersistentHistoryTransaction]
        #expect(transactions?.map(\.author) == ["importer"])
    }
}
