import FoundationGaps

/// Keeps the sorted results of a fetch up to date with a context's changes, in sections, and
/// reports the changes to a delegate.
///
/// A delegate receives the controller itself, as `NSFetchedResultsController<any
/// NSFetchRequestResult>`, so `===` works. Casting it back with `as?` fails, because its run-time
/// type is the original one; on Apple's systems it succeeds.
open class NSFetchedResultsController<ResultType>: _FetchedResultsController {
    private let storedRequest: NSPersistentStoreRequest

    /// Creates a controller.
    ///
    /// - Parameters:
    ///   - fetchRequest: A request with sort descriptors. They may be empty, which leaves the order
    ///     to the store, but not nil. If there are sections, the first descriptor must keep the
    ///     objects of each section together.
    ///   - context: The context in which the objects are fetched and observed.
    ///   - sectionNameKeyPath: The key path of the section name; nil for a single section.
    ///   - name: The name of a section cache. There is none here.
    public init(
        fetchRequest: NSFetchRequest<ResultType>,
        managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?, cacheName name: String?
    ) {
        guard fetchRequest.sortDescriptors != nil else {
            raise(
                .invalidArgument,
                "An instance of NSFetchedResultsController requires a fetch request with sort "
                    + "descriptors")
        }
        storedRequest = fetchRequest
        super.init(
            context: context, sectionNameKeyPath: sectionNameKeyPath, cacheName: name,
            criteria: { fetchRequest.criteria },
            fetch: {
                try context.fetchResults(of: fetchRequest).compactMap { $0 as? NSManagedObject }
            })
    }
}

extension NSFetchedResultsController {
    /// The request.
    public var fetchRequest: NSFetchRequest<ResultType> {
        guard let request = storedRequest as? NSFetchRequest<ResultType> else {
            raise(.internalInconsistency, "The controller's request is of another type.")
        }
        return request
    }

    /// The objects in order; nil before the first fetch.
    public var fetchedObjects: [ResultType]? {
        results?.objects.compactMap { $0 as? ResultType }
    }

    /// The object at an index path, which must exist.
    public func object(at indexPath: IndexPath) -> ResultType {
        guard let object = requireObject(at: indexPath) as? ResultType else {
            raise(.invalidArgument, "The object at \(indexPath) is no \(ResultType.self).")
        }
        return object
    }

    /// The index path of an object; nil if it is not among the results.
    public func indexPath(forObject object: ResultType) -> IndexPath? {
        (object as? NSManagedObject).flatMap { results?.indexPath(of: $0) }
    }
}

extension NSFetchedResultsController where ResultType == any NSFetchRequestResult {
    /// A copy of the request, without the static type of its results.
    public var fetchRequest: NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.criteria = criteria()
        return request
    }

    /// The objects in order; nil before the first fetch.
    public var fetchedObjects: [any NSFetchRequestResult]? { results?.objects }

    /// The object at an index path, which must exist.
    public func object(at indexPath: IndexPath) -> any NSFetchRequestResult {
        requireObject(at: indexPath)
    }

    /// The index path of an object; nil if it is not among the results.
    public func indexPath(forObject object: any NSFetchRequestResult) -> IndexPath? {
        (object as? NSManagedObject).flatMap { results?.indexPath(of: $0) }
    }
}

extension _FetchedResultsController {
    fileprivate func requireObject(at indexPath: IndexPath) -> NSManagedObject {
        let sections = results?.sections ?? []
        guard indexPath.count == 2, sections.indices.contains(indexPath.section) else {
            raise(.invalidArgument, "no section at index \(indexPath) in sections list")
        }
        let members = sections[indexPath.section].members
        guard members.indices.contains(indexPath.item) else {
            raise(
                .invalidArgument,
                "no object at index \(indexPath.item) in section at index \(indexPath.section)")
        }
        return members[indexPath.item]
    }
}
