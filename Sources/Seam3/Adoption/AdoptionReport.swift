import CoreData

/// Counts what happens to the objects and values of a file that is adopted.
final class AdoptionReport {
    private struct Key: Hashable {
        let entity: String
        let property: String?
    }

    private var entries: [Key: SMAdoption.Entry] = [:]

    private func change(
        _ entity: String, _ property: String?, _ body: (inout SMAdoption.Entry) -> Void
    ) {
        let key = Key(entity: entity, property: property)
        var entry = entries[key] ?? SMAdoption.Entry(entity: entity, property: property)
        body(&entry)
        entries[key] = entry
    }

    /// Notes objects or values that were taken over.
    func noteTaken(_ entity: String, _ property: String? = nil, count: Int = 1) {
        change(entity, property) {
            $0.foundCount += count
            $0.takenCount += count
        }
    }

    /// Notes objects or values that were left out.
    func noteLeftOut(
        _ entity: String, _ property: String? = nil, count: Int = 1, because reason: String
    ) {
        guard count > 0 else { return }
        change(entity, property) {
            $0.foundCount += count
            $0.add(reason)
        }
    }

    /// Notes that objects or values that were taken over have been changed.
    func noteChanged(
        _ entity: String, _ property: String? = nil, count: Int = 1, because reason: String
    ) {
        guard count > 0 else { return }
        change(entity, property) {
            $0.changedCount += count
            $0.add(reason)
        }
    }

    /// Notes that objects or values that were taken over are lost after all.
    func noteRemoved(
        _ entity: String, _ property: String?, count: Int, because reason: String
    ) {
        change(entity, property) {
            $0.takenCount -= count
            $0.changedCount = min($0.changedCount, $0.takenCount)
            $0.add(reason)
        }
    }

    /// Notes something about the objects of an entity that were taken over.
    func note(_ entity: String, _ remark: String) {
        change(entity, nil) { $0.add(remark) }
    }

    /// The entries by entity, objects before their properties.
    var sorted: [SMAdoption.Entry] {
        entries.values.sorted {
            ($0.entity, $0.property ?? "") < ($1.entity, $1.property ?? "")
        }
    }

    // MARK: - Migration

    /// Notes entities and properties that the current model does not have, or defines differently.
    func noteMigration(from old: [NSEntityDescription], to new: [NSEntityDescription]) {
        let matches = VersionMatches(of: new.map(\.versionedName), with: old.map(\.versionedName))
        var successors: [String: NSEntityDescription] = [:]
        for entity in new {
            if let former = matches.oldNames[entity.name ?? ""] { successors[former] = entity }
        }
        let known = Dictionary(old.map { ($0.name ?? "", $0) }) { first, _ in first }
        for entry in sorted where entry.takenCount > 0 {
            guard let entity = known[entry.entity] else { continue }
            guard let successor = successors[entry.entity] else {
                noteRemoved(
                    entry.entity, entry.property, count: entry.takenCount,
                    because: "the app's model has no such entity")
                continue
            }
            noteMigration(of: entry, of: entity, to: successor)
        }
    }

    private func noteMigration(
        of entry: SMAdoption.Entry, of entity: NSEntityDescription,
        to successor: NSEntityDescription
    ) {
        // The name may be the path to an element of a composite attribute.
        guard let name = entry.property,
            let property = entity.propertiesByName[name.components(separatedBy: ".")[0]]
        else { return }
        func isSameKind(_ other: NSPropertyDescription) -> Bool {
            !other.isTransient
                && (other is NSAttributeDescription) == (property is NSAttributeDescription)
        }
        func noteRemoved() {
            self.noteRemoved(
                entry.entity, name, count: entry.takenCount,
                because: "the app's model has no such property")
        }
        let candidates = successor.propertiesByName.values.filter(isSameKind)
        let matches = VersionMatches(
            of: candidates.map(\.versionedName),
            with: entity.propertiesByName.values.filter(isSameKind).map(\.versionedName))
        guard let match = candidates.first(where: { matches.oldNames[$0.name] == property.name })
        else {
            return noteRemoved()
        }
        guard let old = property as? NSAttributeDescription,
            let new = match as? NSAttributeDescription
        else { return }
        let oldNames = AttributeElement.oldNames(of: new, from: old)
        guard
            let newElement = AttributeElement.all(of: new).first(where: {
                oldNames[$0.name] == name
            }),
            let oldElement = AttributeElement.all(of: old).first(where: { $0.name == name })
        else { return noteRemoved() }
        if newElement.attribute.attributeType != oldElement.attribute.attributeType {
            noteChanged(
                entry.entity, name, count: entry.takenCount,
                because: "the attribute has another type in the app's model")
        }
    }
}
