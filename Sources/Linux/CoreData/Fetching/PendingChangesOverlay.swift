import FoundationGaps

/// Combines the results of a fetch with a context's unsaved changes.
///
/// The store's results reflect what is saved. Then deleted objects are removed, changed ones are
/// tested again, and matching new objects are added. Limit and offset apply to the combined
/// results; the store gets a limit that is larger by the number of its results that may be removed.
struct PendingChangesOverlay {
    private let context: NSManagedObjectContext
    private let request: NSFetchRequest<any NSFetchRequestResult>
    private let inserted: [NSManagedObject]
    private let updated: [NSManagedObject]
    private let deleted: [NSManagedObject]

    /// Nil if the unsaved changes do not affect the request.
    init?(of context: NSManagedObjectContext, for request: NSFetchRequest<any NSFetchRequestResult>)
    {
        guard request.includesPendingChanges, request.resultType != .dictionaryResultType,
            context.hasChanges, let entity = request.entity
        else { return nil }
        let concerned = { (object: NSManagedObject) in
            request.includesSubentities
                ? object.entity.isKindOf(entity: entity) : object.entity === entity
        }
        self.context = context
        self.request = request
        inserted = context.inserted.filter(concerned)
        updated = context.updated.filter(concerned)
        deleted = context.deleted.filter(concerned)
        if inserted.isEmpty && updated.isEmpty && deleted.isEmpty { return nil }
    }

    /// The results of the request, with the changes applied.
    func results(from source: any RowSource) throws -> ResultArray {
        let objects = try window(merge(savedResults(from: source)))
        switch request.resultType {
        case .countResultType: return ResultArray([NSNumber(value: objects.count)])
        case .managedObjectIDResultType: return ResultArray(objects.map(\.objectID))
        default: return ResultArray(objects)
        }
    }

    private func savedResults(from source: any RowSource) throws -> [NSManagedObject] {
        let saved = request.erased()
        saved.resultType =
            request.resultType == .managedObjectResultType
            ? .managedObjectResultType : .managedObjectIDResultType
        if saved.fetchLimit > 0 {
            saved.fetchLimit = [max(0, saved.fetchOffset), updated.count, deleted.count]
                .reduce(saved.fetchLimit) { $0.addingWithinBounds($1) }
        }
        saved.fetchOffset = 0
        saved.includesPendingChanges = false
        return try source.results(of: saved, in: context).results.compactMap { result in
            switch result {
            case let object as NSManagedObject: object
            case let objectID as NSManagedObjectID: context.object(with: objectID)
            default: nil
            }
        }
    }

    /// Keeps the store's order for unchanged objects, and inserts the others at their places.
    private func merge(_ saved: [NSManagedObject]) -> [NSManagedObject] {
        let changed = updated + inserted
        let moved = Set((changed + deleted).map(ObjectIdentifier.init))
        var objects = saved.filter { !moved.contains(ObjectIdentifier($0)) }
        let additions = changed.filter { request.predicate?.evaluate(with: $0) ?? true }
        guard let descriptors = request.sortDescriptors, !descriptors.isEmpty else {
            let places = Set(saved.map(ObjectIdentifier.init))
            let dropped = Set(deleted.map(ObjectIdentifier.init))
            let staying = Set(additions.map(ObjectIdentifier.init))
            objects = saved.filter { object in
                let identifier = ObjectIdentifier(object)
                return !dropped.contains(identifier)
                    && (!moved.contains(identifier) || staying.contains(identifier))
            }
            return objects + additions.filter { !places.contains(ObjectIdentifier($0)) }
        }
        let sort = ObjectSort(descriptors)
        if additions.count > objects.count / 16 {
            return sort.sorted(objects + additions)
        }
        for object in additions {
            objects.insert(object, at: sort.place(of: object, in: objects))
        }
        return objects
    }

    private func window(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        let rest = objects.dropFirst(max(0, request.fetchOffset))
        return request.fetchLimit > 0 ? Array(rest.prefix(request.fetchLimit)) : Array(rest)
    }
}

extension Int {
    /// The sum of two non-negative numbers, limited to the largest number.
    func addingWithinBounds(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}

/// Sorts objects by sort descriptors.
struct ObjectSort {
    private let descriptors: [NSSortDescriptor]

    init(_ descriptors: [NSSortDescriptor]) {
        self.descriptors = descriptors
    }

    /// Whether one object comes before another.
    private func precedes(_ left: Any, _ right: Any) -> Bool {
        for descriptor in descriptors {
            switch descriptor.compare(left, to: right) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        return false
    }

    /// The sorted objects; equal ones keep their order.
    func sorted<T>(_ objects: [T]) -> [T] {
        objects.enumerated().sorted { left, right in
            if precedes(left.element, right.element) { return true }
            if precedes(right.element, left.element) { return false }
            return left.offset < right.offset
        }.map(\.element)
    }

    /// The index of an object in a sorted list: after all that are not greater.
    func place(of object: NSManagedObject, in objects: [NSManagedObject]) -> Int {
        var low = 0
        var high = objects.count
        while low < high {
            let middle = (low + high) / 2
            if precedes(object, objects[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
