import FoundationGaps

/// Everything in a fetched-results controller that does not depend on the type of its results.
///
/// A Linux-only class: `NSFetchedResultsController` has a generic parameter that a delegate sees
/// as `any NSFetchRequestResult`. Members here mean the same whatever the parameter is.
open class _FetchedResultsController: NSObject {
    /// The context that the objects are fetched in and observed in.
    public let managedObjectContext: NSManagedObjectContext

    /// Whose value names an object's section; nil for a single section.
    public let sectionNameKeyPath: String?

    /// The name of a cache of sections. There is none here.
    public let cacheName: String?

    /// Hears how the results change. Without one, changes are not followed.
    open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet { differenceReception = .unknown }
    }

    /// Whether the delegate has a method of its own for differences.
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

    /// Fetches, and from then on follows the changes of the context.
    ///
    /// - Throws: `CocoaError.coreData` (134060) if the order of the objects does not keep those of
    ///   each section together, and whatever the fetch throws.
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

    /// What stands for a section's name in an index.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        guard let delegate else { return sectionName.first.map { String($0).uppercased() } }
        return delegate.controller(shared, sectionIndexTitleForSectionName: sectionName)
    }

    /// The titles of an index over the sections, one for neighbors that share it.
    open var sectionIndexTitles: [String] { indexEntries.map(\.title) }

    /// The section that an entry of the index leads to: the first of those that share it.
    ///
    /// - Parameters:
    ///   - title: The title, which must be the one at `sectionIndex`.
    ///   - sectionIndex: A place in `sectionIndexTitles`.
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

    /// A controller as its observer holds it.
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
        let new = merge(ObjectSet(touched), dropping: deleted, into: old)
        let changed = ObjectSet(touched.filter { old.contains($0) && new.contains($0) })
        let changes = FetchedResultsChanges(
            from: old, to: new, changed: changed, sortKeyChange: sortKeyChange)
        guard !changes.isEmpty else { return }
        announce(changes, from: old, to: new)
    }

    /// Whether an object is of the fetched entity.
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

    /// The results with changed objects tested again and put where they belong.
    private func merge(
        _ touched: ObjectSet, dropping deleted: ObjectSet, into old: FetchedResults
    ) -> FetchedResults {
        let criteria = criteria()
        var objects = old.objects.filter { !touched.contains($0) && !deleted.contains($0) }
        let matching = touched.filter { object in
            guard object.managedObjectContext === managedObjectContext else { return false }
            // Whether a fault still has a row shows when it fires.
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

    /// Tells the delegate: all in one difference if it takes that and there are no sections, else
    /// one change after the other.
    private func announce(
        _ changes: FetchedResultsChanges, from old: FetchedResults, to new: FetchedResults
    ) {
        guard let delegate else { return }
        if sectionNameKeyPath == nil, differenceReception != .unimplemented {
            results = new
            differenceReception = .implemented
            // The protocol's own implementation notes that the delegate has none.
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

    /// Notes that the delegate has no method for differences.
    func noteUnimplementedDifference() {
        differenceReception = .unimplemented
    }

    private enum DifferenceReception {
        case unknown
        case implemented
        case unimplemented
    }

    /// Tells sections first, then objects. The results are the new ones once will is told.
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

    /// The controller as its delegate sees it, with the result type that Apple's Swift gives it.
    ///
    /// The cast changes the static type only. It is sound because the generic subclass stores
    /// nothing that depends on its parameter, and its members for this type use no other.
    var shared: NSFetchedResultsController<any NSFetchRequestResult> {
        Unmanaged.fromOpaque(Unmanaged.passUnretained(self).toOpaque()).takeUnretainedValue()
    }
}
