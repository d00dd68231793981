import FoundationGaps

/// Sorted objects in sections: the state of a fetched-results controller at one time.
struct FetchedResults {
    /// One section: consecutive objects with the same section name.
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

    /// Divides sorted objects into sections.
    ///
    /// - Parameters:
    ///   - objects: The sorted objects.
    ///   - keyPath: The key path of the section name; nil for a single section.
    ///   - indexTitle: Returns the index title of a section name.
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

    /// Fails if a section occurs twice, because the sort descriptors do not keep its objects
    /// together.
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
