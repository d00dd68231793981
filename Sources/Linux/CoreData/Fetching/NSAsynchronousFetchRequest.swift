import FoundationGaps

/// What is called when an asynchronous fetch is done, with its result.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
    NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void

/// A fetch that runs later, on the context's queue.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// The fetch to run.
    public let fetchRequest: NSFetchRequest<ResultType>

    /// How many results are expected, for progress; 0 if nobody knows.
    open var estimatedResultCount: Int = 0

    private let completion: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - request: The fetch to run.
    ///   - blk: Called on the context's queue with the result.
    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
    ) {
        fetchRequest = request
        completion = blk
        super.init()
        affectedStores = request.affectedStores
    }

    /// What is called with the result.
    ///
    /// On Linux its result is a copy without the static type of the request's.
    open var completionBlock: NSPersistentStoreAsynchronousFetchResultCompletionBlock? {
        guard completion != nil || ResultType.self == (any NSFetchRequestResult).self else {
            return nil
        }
        let completion = completion
        let request = self
        return { result in
            let typed = NSAsynchronousFetchResult<ResultType>(
                request: request, context: result.managedObjectContext)
            typed.finalResult = result.finalResult?.compactMap { $0 as? ResultType }
            typed.operationError = result.operationError
            completion?(typed)
        }
    }

    /// Always `.fetchRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }
}

/// The result of an asynchronous fetch.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
    /// The request that this is the result of.
    public let fetchRequest: NSAsynchronousFetchRequest<ResultType>

    /// The results; nil until the fetch is done, and if it failed.
    open fileprivate(set) var finalResult: [ResultType]?

    init(request: NSAsynchronousFetchRequest<ResultType>, context: NSManagedObjectContext) {
        fetchRequest = request
        super.init(managedObjectContext: context)
    }
}

/// An asynchronous fetch request whatever its result type.
protocol AsynchronousFetching {
    func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSAsynchronousFetchRequest: AsynchronousFetching {
    /// Has the context's queue run the fetch, and returns its result, which is empty until then.
    func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let result = NSAsynchronousFetchResult(request: self, context: context)
        let progress = Progress(totalUnitCount: 1)
        result.progress = progress
        let work = Work(request: self, result: result)
        context.queue.async { context.runEvent { work.finish(in: context) } }
        return result
    }

    /// A request and its result on their way to the context's queue.
    ///
    /// Unchecked because both are used on that queue only from then on.
    private struct Work: @unchecked Sendable {
        let request: NSAsynchronousFetchRequest<ResultType>
        let result: NSAsynchronousFetchResult<ResultType>

        func finish(in context: NSManagedObjectContext) {
            if result.progress?.isCancelled == true {
                result.operationError = CocoaError(.userCancelled)
            } else {
                do {
                    result.finalResult = try context.fetchResults(of: request.fetchRequest)
                } catch {
                    result.operationError = error
                }
            }
            result.progress?.completedUnitCount = 1
            request.completion?(result)
        }
    }
}
