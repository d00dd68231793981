import CoreData
import Testing

@Suite struct AsynchronousFetchTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
        for label in ["b", "a", "c"] { _ = stack.insertClock(label) }
        try stack.context.save()
    }

    @Test("An asynchronous fetch calls its block with the results, on the queue")
    func asynchronous() async throws {
        let context = stack.context
        let labels = await withCheckedContinuation { continuation in
            context.perform {
                let fetch = NSFetchRequest<Clock>(entityName: "Clock")
                fetch.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
                let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
                    continuation.resume(returning: result.finalResult?.map(\.label))
                }
                _ = try? context.execute(request)
            }
        }
        #expect(labels == ["a", "b", "c"])
    }

    @Test("An asynchronous fetch reports its error")
    func asynchronousFailure() async throws {
        stack.database.with { $0.failure = CocoaError(.persistentStoreTimeout) }
        let context = stack.context
        let code = await withCheckedContinuation { continuation in
            context.perform {
                let fetch = NSFetchRequest<Clock>(entityName: "Clock")
                let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
                    continuation.resume(returning: (result.operationError as? CocoaError)?.code)
                }
                _ = try? context.execute(request)
            }
        }
        #expect(code == .persistentStoreTimeout)
    }

    @Test("An asynchronous fetch that is canceled before it runs reads nothing, and reports that")
    func asynchronousCancellation() async throws {
        let (context, database) = (stack.context, stack.database)
        let requests = database.with { $0.requests.count }
        let outcome: (code: CocoaError.Code?, hasResults: Bool) =
            await withCheckedContinuation { continuation in
                context.perform {
                    let fetch = NSFetchRequest<Clock>(entityName: "Clock")
                    let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
                        let code = (result.operationError as? CocoaError)?.code
                        continuation.resume(returning: (code, result.finalResult != nil))
                    }
                    let result = try? context.execute(request)
                    (result as? NSPersistentStoreAsynchronousResult)?.cancel()
                }
            }
        #expect(outcome.code == .userCancelled)
        #expect(!outcome.hasResults)
        #expect(database.with { $0.requests.count } == requests)
    }

    @Test("An asynchronous fetch has a progress, and its result is set when it is done")
    func asynchronousResult() async throws {
        let context = stack.context
        let count: Int? = await withCheckedContinuation { continuation in
            context.perform {
                let fetch = NSFetchRequest<Clock>(entityName: "Clock")
                nonisolated(unsafe) var started: NSAsynchronousFetchResult<Clock>?
                let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
                    #expect(result === started)
                    #expect(result.progress?.isFinished == true)
                    #expect(result.managedObjectContext === context)
                    continuation.resume(returning: result.finalResult?.count)
                }
                let result = try? context.execute(request)
                started = result as? NSAsynchronousFetchResult<Clock>
                #expect(started?.finalResult == nil)
                #expect(started?.operationError == nil)
                #expect(started?.fetchRequest === request)
            }
        }
        #expect(count == 3)
    }
}
