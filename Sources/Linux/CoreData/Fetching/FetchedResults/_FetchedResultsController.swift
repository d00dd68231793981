import FoundationGaps

/// The parts of a fetched-results controller that do not depend on its result type.
///
/// A Linux-only class: `NSFetchedResultsController` has a generic parameter, which a delegate sees
/// as `any NSFetchRequestResult`. The members of this class are the same for every parameter.
open class _FetchedResultsController: NSObject {
    /// The context in which the objects are fetched and observed.
    public let managedObjectContext: NSManagedObjectContext

    /// The key path of the section name; nil for a single section.
    public let sectionNameKeyPath: String?

    /// The name of a section cache. There is none here.
    public let cacheName: String?

    /// Receives the changes of the results. Without a delegate, changes are not tracked.
    open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet { differenceReception = .unknown }
    }

    /// Whether the delegate implements the method for differences.
    private var differenceReception = DifferenceReception.unknown

    let criteria: () -> FetchCriteria
    private let fetch: () throws -> [NSManagedObject]
    private(set) var results: FetchedResults?
    private var observer: (any NSObjectProtocol)?

    init(
        context: NSManagedObjectContext, sectionNameKeyPath: String?, cacheName: String?,
        criteria: @escaping () -> FetchCriteria, fetch: @escaping () throws -> [NSManagedObject]
    ) {
        managedObjectContext = context
        self.sectionNameKeyPath = sectionNameKeyPath
        self.cacheName = cacheName
        self.criteria = criteria
        self.fetch = fetch
        super.init()
    }

    deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    /// Deletes a cache; does nothing, because there are none.
    open class func deleteCache(withName name: String?) {}

    // MARK: - Fetching

    /// Fetches the objects, and from then on tracks the changes of the context.
    ///
    /// - Throws: `CocoaError.coreData` (134060) if the order does not keep the objects of each
    ///   section together, and errors of the fetch.
    open func performFetch() throws {
        let fetched = sectioned(try fetch())
        try fetched.requireUnbrokenSections()
        results = fetched
        if observer == nil { observe() }
    }

    private func sectioned(_ objects: [NSManagedObject]) -> FetchedResults {
        FetchedResults(objects, sectionedBy: sectionNameKeyPath, indexTitle: sectionIndexTitle)
    }

    // MARK: - Sections

    /// The sections; nil before the first fetch.
    open var sections: [any NSFetchedResultsSectionInfo]? { results?.sections }

    /// The title of a section's name in an index.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        guard let delegate else { return sectionName.first.map { String($0).uppercased() } }
        return delegate.controller(shared, sectionIndexTitleForSectionName: sectionName)
    }

    /// The titles of an index over the sections; consecutive sections with the same title share
    /// one.
    open var sectionIndexTitles: [String] { indexEntries.map(\.title) }

    /// The section for an entry of the index: the first of those that share it.
    ///
    /// - Parameters:
    ///   - title: The title, which must be the one at `sectionIndex`.
    ///   - sectionIndex: An index in `sectionIndexTitles`.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        let entries = indexEntries
        guard entries.indices.contains(sectionIndex), entries[sectionIndex].title == title else {
            raise(
                .internalInconsistency,
                "Index title at \(sectionIndex) is not equal to '\(title)'")
        }
        return entries[sectionIndex].section
    }

    private var indexEntries: [(title: String, section: Int)] {
        var entries: [(title: String, section: Int)] = []
        for (index, section) in (results?.sections ?? []).enumerated() {
            guard let title = section.indexTitle, entries.last?.title != title else { continue }
            entries.append((title, index))
        }
        return entries
    }

    // MARK: - Following changes

    /// The controller as its observer refers to it.
    ///
    /// Unchecked because notifications of a context arrive on its queue, where the controller is
    /// used, and weak references are atomic.
    private struct WeakController: @unchecked Sendable {
        weak var controller: _FetchedResultsController?
    }

    private func observe() {
        let reference = WeakController(controller: self)
        observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: managedObjectContext,
            queue: nil
        ) { notification in
            reference.controller?.follow(notification)
        }
    }

    private func follow(_ notification: Notification) {
        guard let old = results, let userInfo = notification.userInfo else { return }
        if userInfo[NSInvalidatedAllObjectsKey] != nil {
            results = sectioned([])
            return
        }
        guard delegate != nil else { return }
        func objects(_ keys: [String]) -> ObjectSet {
            ObjectSet(keys.flatMap { userInfo[$0] as? Set<NSManagedObject> ?? [] })
        }
        let deleted = objects([NSDeletedObjectsKey, NSInvalidatedObjectsKey])
        let touched = objects([NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey])
            .filter { !deleted.contains($0) && isCandidate($0) }
        // Values of related objects are not followed, not even those that sections are named after.
        guard !touched.isEmpty || deleted.contains(where: old.contains) else { return }
        let new = merge(ObjectSet(touched), dropping: deleted, into: old)
        let changed = ObjectSet(touched.filter { old.contains($0) && new.contains($0) })
        let changes = FetchedResultsChanges(
            from: old, to: new, changed: changed, sortKeyChange: sortKeyChange)
        guard !changes.isEmpty else { return }
        announce(changes, from: old, to: new)
    }

    /// Whether an object belongs to the fetched entity.
    private func isCandidate(_ object: NSManagedObject) -> Bool {
        let criteria = criteria()
        guard let name = criteria.entity?.name ?? criteria.entityName else { return false }
        if object.entity.name == name { return true }
        guard criteria.includesSubentities else { return false }
        var parent = object.entity.superentity
        while let entity = parent {
            if entity.name == name { return true }
            parent = entity.superentity
        }
        return false
    }

    /// Whether the present event changed a value that the results are sorted by.
    private func sortKeyChange(_ object: NSManagedObject) -> FetchedResultsChanges.SortKeyChange {
        let changed = object.changedValuesForCurrentEvent()
        guard !changed.isEmpty else { return .unknown }
        let isChanged = (criteria().sortDescriptors ?? []).contains { descriptor in
            let path = descriptor.key ?? ""
            return changed[String(path.prefix { $0 != "." })] != nil
        }
        return isChanged ? .changed : .unchanged
    }

    /// The results, with changed objects tested again and placed in order.
    private func merge(
        _ touched: ObjectSet, dropping deleted: ObjectSet, into old: FetchedResults
    ) -> FetchedResults {
        let criteria = criteria()
        var objects = old.objects.filter { !touched.contains($0) && !deleted.contains($0) }
        let matching = touched.filter { object in
            guard object.managedObjectContext === managedObjectContext else { return false }
            // Firing a fault shows whether it still has a row.
            object.fireFault()
            return !object.isDeleted && (criteria.predicate?.evaluate(with: object) ?? true)
        }
        guard let descriptors = criteria.sortDescriptors, !descriptors.isEmpty else {
            let matches = ObjectSet(matching)
            objects = old.objects.filter { object in
                !deleted.contains(object) && (!touched.contains(object) || matches.contains(object))
            }
            return sectioned(objects + matching.filter { !old.contains($0) })
        }
        let sort = ObjectSort(descriptors)
        if matching.count > max(8, objects.count / 16) {
            objects = sort.sorted(objects + matching)
        } else {
            for object in matching {
                objects.insert(object, at: sort.place(of: object, in: objects))
            }
        }
        return sectioned(objects)
    }

    /// Notifies the delegate: with one difference if it receives differences and there are no
    /// sections, otherwise of single changes.
    private func announce(
        _ changes: FetchedResultsChanges, from old: FetchedResults, to new: FetchedResults
    ) {
        guard let delegate else { return }
        if sectionNameKeyPath == nil, differenceReception != .unimplemented {
            results = new
            differenceReception = .implemented
            // The protocol's default implementation notes that the delegate does not implement the
            // method.
            delegate.controller(shared, didChangeContentWith: difference(from: old, to: new))
            if differenceReception == .implemented { return }
            results = old
        }
        announceSingly(changes, of: new, to: delegate)
    }

    private func difference(
        from old: FetchedResults, to new: FetchedResults
    ) -> CollectionDifference<NSManagedObjectID> {
        new.objects.map(\.objectID).difference(from: old.objects.map(\.objectID))
            .inferringMoves()
    }

    /// Notes that the delegate does not implement the method for differences.
    func noteUnimplementedDifference() {
        differenceReception = .unimplemented
    }

    private enum DifferenceReception {
        case unknown
        case implemented
        case unimplemented
    }

    /// Reports sections first, then objects. The results are replaced after the "will change" call.
    private func announceSingly(
        _ changes: FetchedResultsChanges, of new: FetchedResults,
        to delegate: any NSFetchedResultsControllerDelegate
    ) {
        let controller = shared
        delegate.controllerWillChangeContent(controller)
        results = new
        for (index, section) in changes.deletedSections {
            delegate.controller(
                controller, didChange: section, atSectionIndex: index, for: .delete)
        }
        for (index, section) in changes.insertedSections {
            delegate.controller(
                controller, didChange: section, atSectionIndex: index, for: .insert)
        }
        for change in changes.objects {
            delegate.controller(
                controller, didChange: change.object, at: change.old, for: change.type,
                newIndexPath: change.new)
        }
        delegate.controllerDidChangeContent(controller)
    }

    /// The controller as its delegate sees it, with the result type of Apple's Swift API.
    ///
    /// The cast changes only the static type. It is sound because the generic subclass stores
    /// nothing that depends on its parameter, and its members for this type use no other.
    var shared: NSFetchedResultsController<any NSFetchRequestResult> {
        Unmanaged.fromOpaque(Unmanaged.passUnretained(self).toOpaque()).takeUnretainedValue()
    }
}
