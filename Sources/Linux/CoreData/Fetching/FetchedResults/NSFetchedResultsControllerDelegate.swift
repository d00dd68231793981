import FoundationGaps

/// How a fetched-results controller's results changed.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// An object or a section is new.
    case insert = 1
    /// An object or a section is gone.
    case delete = 2
    /// An object is at another place, and may have changed.
    case move = 3
    /// An object changed where it is.
    case update = 4
}

/// A section of a fetched-results controller's results.
public protocol NSFetchedResultsSectionInfo {
    /// The value of the section key path that the objects share, as text.
    var name: String { get }

    /// What stands for the section in an index.
    var indexTitle: String? { get }

    /// How many objects there are.
    var numberOfObjects: Int { get }

    /// The objects in their order.
    var objects: [Any]? { get }
}

/// Hears how the results of a fetched-results controller change.
///
/// Apple's methods are optional; here each has an implementation for delegates that do without.
/// A delegate that takes differences is told nothing else where there are no sections.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// One object was inserted, deleted, moved or changed.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - anObject: The object.
    ///   - indexPath: Where it was before all changes; nil for a new one.
    ///   - type: What happened.
    ///   - newIndexPath: Where it is after all changes; nil for a deleted one.
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

    /// All changes were reported.
    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// The changes of a controller without sections as one difference.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// What stands for a section in an index: the first letter of its name unless implemented.
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

    /// Has the controller tell its changes one by one instead.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.noteUnimplementedDifference()
    }

    /// The first letter of the name, as a capital.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        sectionName.first.map { String($0).uppercased() }
    }
}
