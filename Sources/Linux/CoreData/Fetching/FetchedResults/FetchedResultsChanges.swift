import FoundationGaps

/// The changes from one state of a controller's results to the next.
struct FetchedResultsChanges {
    /// Whether the values that an object is sorted by have changed.
    enum SortKeyChange {
        case changed
        case unchanged
        /// The object was read again, and its previous values are unknown.
        case unknown
    }

    /// One object's change.
    struct ObjectChange {
        let object: NSManagedObject
        let type: NSFetchedResultsChangeType
        let old: IndexPath?
        let new: IndexPath?
    }

    let deletedSections: [(index: Int, section: FetchedResults.Section)]
    let insertedSections: [(index: Int, section: FetchedResults.Section)]
    let objects: [ObjectChange]

    var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && objects.isEmpty
    }

    /// Compares two states.
    ///
    /// - Parameters:
    ///   - old: The previous state.
    ///   - new: The new state.
    ///   - changed: The objects in both states whose values may have changed. Only they can have
    ///     moved.
    ///   - sortKeyChange: Whether a value that the results are sorted by has changed. If so, the
    ///     object counts as moved wherever it is.
    init(
        from old: FetchedResults, to new: FetchedResults, changed: ObjectSet,
        sortKeyChange: (NSManagedObject) -> SortKeyChange
    ) {
        let oldNames = Set(old.sections.map(\.name))
        let newNames = Set(new.sections.map(\.name))
        deletedSections = old.sections.enumerated().filter { !newNames.contains($0.element.name) }
            .map { ($0.offset, $0.element.emptied) }
        insertedSections = new.sections.enumerated()
            .filter { !oldNames.contains($0.element.name) }.map { ($0.offset, $0.element) }

        var changes: [ObjectChange] = []
        for object in old.objects where !new.contains(object) {
            changes.append(
                ObjectChange(
                    object: object, type: .delete, old: old.indexPath(of: object), new: nil))
        }
        for object in new.objects where !old.contains(object) {
            changes.append(
                ObjectChange(
                    object: object, type: .insert, old: nil, new: new.indexPath(of: object)))
        }
        let moved = Self.moved(from: old, to: new, changed: changed, sortKeyChange)
        for object in new.objects where changed.contains(object) && old.contains(object) {
            changes.append(
                ObjectChange(
                    object: object, type: moved.contains(object) ? .move : .update,
                    old: old.indexPath(of: object), new: new.indexPath(of: object)))
        }
        objects = changes
    }

    /// A changed object that may have kept its place.
    private struct Candidate {
        let object: NSManagedObject
        /// Its previous place among the changed objects.
        let oldRank: Int
        /// The cost of reporting it as moved.
        let weight: Int
    }

    /// The changed objects with a different sort key or section and, among the others, those whose
    /// removal leaves the rest in order.
    private static func moved(
        from old: FetchedResults, to new: FetchedResults, changed: ObjectSet,
        _ sortKeyChange: (NSManagedObject) -> SortKeyChange
    ) -> ObjectSet {
        guard !changed.isEmpty else { return ObjectSet() }
        let oldPlaces = places(in: old, staying: new, changed: changed)
        let newPlaces = places(in: new, staying: old, changed: changed)
        var moved = ObjectSet()
        var candidates: [Candidate] = []
        for object in new.objects where changed.contains(object) {
            guard let from = old.indexPath(of: object), let to = new.indexPath(of: object),
                let oldPlace = oldPlaces[ObjectIdentifier(object)],
                let newPlace = newPlaces[ObjectIdentifier(object)]
            else { continue }
            let change = sortKeyChange(object)
            if change == .changed
                || old.sections[from.section].name != new.sections[to.section].name
                || oldPlace.gap != newPlace.gap
            {
                moved.append(object)
            } else {
                candidates.append(
                    Candidate(
                        object: object, oldRank: oldPlace.rank,
                        weight: change == .unchanged ? 1 << 32 : 1))
            }
        }
        let staying = Self.heaviestIncreasing(candidates)
        for (candidate, stays) in zip(candidates, staying) where !stays {
            moved.append(candidate.object)
        }
        return moved
    }

    /// The places of changed objects: the numbers of unchanged and of changed objects before each.
    private static func places(
        in results: FetchedResults, staying other: FetchedResults, changed: ObjectSet
    ) -> [ObjectIdentifier: (gap: Int, rank: Int)] {
        var places: [ObjectIdentifier: (gap: Int, rank: Int)] = [:]
        var (gap, rank) = (0, 0)
        for object in results.objects where other.contains(object) {
            if changed.contains(object) {
                places[ObjectIdentifier(object)] = (gap, rank)
                rank += 1
            } else {
                gap += 1
            }
        }
        return places
    }

    /// The heaviest subset of objects whose previous order is rising; they are given in their new
    /// order.
    private static func heaviestIncreasing(_ candidates: [Candidate]) -> [Bool] {
        let ranks = candidates.map(\.oldRank)
        if zip(ranks, ranks.dropFirst()).allSatisfy({ $0 < $1 }) {
            return candidates.map { _ in true }
        }
        // A tree of maxima: for each rank the best subset that ends at it or before.
        let size = (ranks.max() ?? 0) + 2
        var best = [(weight: Int, index: Int)](repeating: (0, -1), count: size)
        var previous = [Int](repeating: -1, count: candidates.count)
        var end = (weight: 0, index: -1)
        for (index, candidate) in candidates.enumerated() {
            var found = (weight: 0, index: -1)
            var position = candidate.oldRank
            while position > 0 {
                if best[position].weight > found.weight { found = best[position] }
                position -= position & -position
            }
            previous[index] = found.index
            let sum = (weight: found.weight + candidate.weight, index: index)
            if sum.weight > end.weight { end = sum }
            position = candidate.oldRank + 1
            while position < size {
                if best[position].weight < sum.weight { best[position] = sum }
                position += position & -position
            }
        }
        var stays = [Bool](repeating: false, count: candidates.count)
        var index = end.index
        while index >= 0 {
            stays[index] = true
            index = previous[index]
        }
        return stays
    }
}

extension FetchedResults.Section {
    /// The section in the form in which its deletion is reported.
    fileprivate var emptied: FetchedResults.Section {
        FetchedResults.Section(name: name, indexTitle: indexTitle, members: [])
    }
}
