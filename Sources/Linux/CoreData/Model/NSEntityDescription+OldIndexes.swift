import FoundationGaps

/// The indexes of models from before Xcode 9: a check box of a property, and lists of names.
extension NSEntityDescription {
    /// Adds the fetch indexes that `isIndexed` and `compoundIndexes` represent, unless there is one
    /// over the same properties. They have the names that Xcode gives them.
    final func addIndexesOfOldModels() {
        let single = properties.filter { $0.entity === self && $0.isIndexed && !$0.isTransient }
            .map(\.name).sorted().map { [$0] }
        let compound = compoundIndexes.map { members in
            members.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }
        }
        for names in single + compound { addIndex(over: names) }
    }

    private func addIndex(over names: [String]) {
        let properties = names.compactMap { propertiesByName[$0] }
        let known = indexes.map { $0.elements.compactMap(\.propertyName) }
        let words = names.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let base = "by" + words.joined(separator: "And")
        let isToMany = properties.contains { ($0 as? NSRelationshipDescription)?.isToMany == true }
        guard !properties.isEmpty, properties.count == names.count, !isToMany,
            !known.contains(names)
        else { return }
        let taken = Set(indexes.map(\.name))
        let name = (["Index"] + (2...9).map { "Index\($0)" }).map { base + $0 }
            .first { !taken.contains($0) }
        guard let name else { return }
        let elements = properties.map {
            NSFetchIndexElementDescription(property: $0, collationType: .binary)
        }
        indexes.append(NSFetchIndexDescription(name: name, elements: elements))
    }
}
