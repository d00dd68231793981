import FoundationGaps

/// The kinds of changes in a fetched-results controller's results.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// An object or a section was inserted.
    case insert = 1
    /// An object or a section was deleted.
    case delete = 2
    /// An object was moved, and may have changed.
    case move = 3
    /// An object was changed without being moved.
    case update = 4
}

/// A section of a fetched-results controller's results.
public protocol NSFetchedResultsSectionInfo {
    /// The value of the section key path that the objects share, as a string.
    var name: String { get }

    /// The title of the section in an index.
    var indexTitle: String? { get }

    /// The number of objects.
    var numberOfObjects: Int { get }

    /// The objects in order.
    var objects: [Any]? { get }
}

/// Receives the changes of a fetched-results controller's results.
///
/// Apple's methods are optional; here each has a default implementation. If there are no sections,
/// a delegate that receives differences is not notified of single changes.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// One object was inserted, deleted, moved or changed.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - anObject: The object.
    ///   - indexPath: Its index path before all changes; nil for an inserted object.
    ///   - type: The kind of the change.
    ///   - newIndexPath: Its index path after all changes; nil for a deleted object.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?)

    /// A section was inserted or deleted.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// Changes are about to be reported.
    func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// All changes have been reported.
    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// The changes of a controller without sections, as one difference.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// The title of a section in an index; by default the first letter of its name.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

extension NSFetchedResultsControllerDelegate {
    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {}

    /// Does nothing.
    public func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}

    /// Does nothing.
    public func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}

    /// Makes the controller report single changes instead.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.noteUnimplementedDifference()
    }

    /// The first letter of the name, capitalized.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        sectionName.first.map { String($0).uppercased() }
    }
}
