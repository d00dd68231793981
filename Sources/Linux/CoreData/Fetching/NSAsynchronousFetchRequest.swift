import FoundationGaps

/// Called with the result when an asynchronous fetch is done.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
    NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void

/// A fetch that runs later, on the context's queue.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// The fetch to run.
    public let fetchRequest: NSFetchRequest<ResultType>

    /// The expected number of results, for progress; 0 if unknown.
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

    /// Called with the result.
    ///
    /// On Linux the result is a copy without the request's static result type.
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
    /// The request of this result.
    public let fetchRequest: NSAsynchronousFetchRequest<ResultType>

    /// The results; nil until the fetch is done, and if it failed.
    open fileprivate(set) var finalResult: [ResultType]?

    init(request: NSAsynchronousFetchRequest<ResultType>, context: NSManagedObjectContext) {
        fetchRequest = request
        super.init(managedObjectContext: context)
    }
}

/// An asynchronous fetch request of any result type.
protocol AsynchronousFetching {
    func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSAsynchronousFetchRequest: AsynchronousFetching {
    /// Starts the fetch on the context's queue, and returns its result, which is empty until the
    /// fetch is done.
    func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let result = NSAsynchronousFetchResult(request: self, context: context)
        let progress = Progress(totalUnitCount: 1)
        result.progress = progress
        let work = Work(request: self, result: result)
        context.queue.async { context.runEvent { work.finish(in: context) } }
        return result
    }

    /// A request and its result, which are passed to the context's queue.
    ///
    /// Unchecked because both are used only on that queue from then on.
    private struct Work: @unchecked Sendable {
        let request: NSAsynchronousFetchRequest<ResultType>
        let result: NSAsynchronousFetchResult<ResultType>

        func finish(in context: NSManagedObjectContext) {
            if result.progress?.isCancelled == true {
                result.operationError = CocoaError(.userCancelled)
            } else {
                do {
                    context.fetchesAsynchronously = true
                    defer { context.fetchesAsynchronously = false }
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
