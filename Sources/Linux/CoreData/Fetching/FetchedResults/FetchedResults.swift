import FoundationGaps

/// Sorted objects in sections: what a fetched-results controller shows at one moment.
struct FetchedResults {
    /// One section: neighbours with the same name.
    struct Section: NSFetchedResultsSectionInfo {
        let name: String
        let indexTitle: String?
        let members: [NSManagedObject]

        var numberOfObjects: Int { members.count }
        var objects: [Any]? { members }
    }

    let objects: [NSManagedObject]
    let sections: [Section]
    private let indexPaths: [ObjectIdentifier: IndexPath]

    /// Puts sorted objects into sections.
    ///
    /// - Parameters:
    ///   - objects: The objects in order.
    ///   - keyPath: Whose value names an object's section; nil for a single section.
    ///   - indexTitle: What stands for a section's name in an index.
    init(
        _ objects: [NSManagedObject], sectionedBy keyPath: String?,
        indexTitle: (String) -> String?
    ) {
        self.objects = objects
        var sections: [Section] = []
        var indexPaths: [ObjectIdentifier: IndexPath] = [:]
        indexPaths.reserveCapacity(objects.count)
        var start = 0
        let names = keyPath.map { keyPath in objects.map { Self.name($0, keyPath) } }
        while start < objects.count {
            let name = names?[start] ?? ""
            var end = objects.count
            if let names { end = names[start...].firstIndex { $0 != name } ?? names.endIndex }
            for (item, object) in objects[start..<end].enumerated() {
                indexPaths[ObjectIdentifier(object)] = IndexPath(
                    item: item, section: sections.count)
            }
            sections.append(
                Section(
                    name: name, indexTitle: keyPath == nil ? nil : indexTitle(name),
                    members: Array(objects[start..<end])))
            start = end
        }
        // Without a section key path there is one section, even if it is empty.
        if sections.isEmpty, keyPath == nil {
            sections.append(Section(name: "", indexTitle: nil, members: []))
        }
        self.sections = sections
        self.indexPaths = indexPaths
    }

    /// Fails if a section occurs twice: the sort descriptors do not keep its objects together.
    func requireUnbrokenSections() throws {
        var seen = Set<String>()
        var start = 0
        for section in sections {
            guard seen.insert(section.name).inserted else {
                let reason =
                    "The fetched object at index \(start) has an out of order section name "
                    + "'\(section.name). Objects must be sorted by section name'"
                throw CocoaError(
                    .coreData,
                    userInfo: ["reason": reason, NSLocalizedFailureReasonErrorKey: reason])
            }
            start += section.members.count
        }
    }

    func indexPath(of object: NSManagedObject) -> IndexPath? {
        indexPaths[ObjectIdentifier(object)]
    }

    func contains(_ object: NSManagedObject) -> Bool {
        indexPaths[ObjectIdentifier(object)] != nil
    }

    private static func name(_ object: NSManagedObject, _ keyPath: String) -> String {
        object.value(forKeyPath: keyPath).map { "\($0)" } ?? ""
    }
}

/// What leads from one state of a controller's results to the next.
struct FetchedResultsChanges {
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
    ///   - old: The state before.
    ///   - new: The state after.
    ///   - changed: The objects of both whose values may have changed. Only they can have moved.
    ///   - reordered: Those of them that count as moved wherever they are, because a value that
    ///     the results are sorted by was changed.
    init(
        from old: FetchedResults, to new: FetchedResults, changed: ObjectSet,
        reordered: [NSManagedObject]
    ) {
        let oldNames = Set(old.sections.map(\.name))
        let newNames = Set(new.sections.map(\.name))
        deletedSections = old.sections.enumerated().filter { !newNames.contains($0.element.name) }
            .map { ($0.offset, $0.element) }
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
        var moved = Self.moved(from: old, to: new, changed: changed)
        for object in reordered { moved.append(object) }
        for object in new.objects where changed.contains(object) && old.contains(object) {
            changes.append(
                ObjectChange(
                    object: object, type: moved.contains(object) ? .move : .update,
                    old: old.indexPath(of: object), new: new.indexPath(of: object)))
        }
        objects = changes
    }

    /// The changed objects that are in another section, or elsewhere among the objects that
    /// were and are there.
    private static func moved(
        from old: FetchedResults, to new: FetchedResults, changed: ObjectSet
    ) -> ObjectSet {
        let oldPlaces = places(in: old, staying: new, changed: changed)
        let newPlaces = places(in: new, staying: old, changed: changed)
        return ObjectSet(
            changed.filter { object in
                guard let from = old.indexPath(of: object), let to = new.indexPath(of: object)
                else { return false }
                return old.sections[from.section].name != new.sections[to.section].name
                    || oldPlaces[ObjectIdentifier(object)] != newPlaces[ObjectIdentifier(object)]
            })
    }

    /// Where changed objects stand: after how many unchanged ones, and after how many changed
    /// ones since the last of these.
    private static func places(
        in results: FetchedResults, staying other: FetchedResults, changed: ObjectSet
    ) -> [ObjectIdentifier: [Int]] {
        var places: [ObjectIdentifier: [Int]] = [:]
        var (unchanged, since) = (0, 0)
        for object in results.objects where other.contains(object) {
            if changed.contains(object) {
                places[ObjectIdentifier(object)] = [unchanged, since]
                since += 1
            } else {
                unchanged += 1
                since = 0
            }
        }
        return places
    }
}
