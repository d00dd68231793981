/// What the user of one device sees, and what edits make of it by the rules of Core Data: a plain
/// model of the application's data that knows nothing of stores.
struct Table: Equatable {
    /// All objects and links by name.
    var rows: [String: Values] = [:]
    /// The members of each list in their order.
    var members: [String: [String]] = [:]

    /// The names of the objects of a kind, in an order that only depends on them.
    func names(_ kind: Kind) -> [String] {
        rows.filter { $0.value[Values.kind] == kind.rawValue }.keys.sorted()
    }

    mutating func insert(_ name: String, _ kind: Kind, title: String) {
        var values = Values(kind)
        values[Field.title.rawValue] = title
        rows[name] = values
        if kind == .list { members[name] = [] }
    }

    mutating func set(_ field: Field, of name: String, to text: String?) {
        rows[name]?[field.rawValue] = text
    }

    mutating func move(_ item: String, to parent: String?) {
        rows[item]?[Values.parent] = parent
    }

    /// Puts an item into a list, or into none.
    ///
    /// - Parameter index: The place; nil for the end.
    mutating func place(_ item: String, in list: String?, at index: Int?) {
        if let old = rows[item]?[Values.list] { members[old]?.removeAll { $0 == item } }
        rows[item]?[Values.list] = list
        guard let list, var items = members[list] else { return }
        items.insert(item, at: index ?? items.count)
        members[list] = items
    }

    mutating func tag(_ item: String, _ tag: String, _ isTagged: Bool) {
        rows[Values.linkName(item, tag)] =
            isTagged ? Values(linking: item, with: tag) : nil
    }

    mutating func delete(_ name: String) {
        let items = members.removeValue(forKey: name) ?? []
        if let list = rows[name]?[Values.list] { members[list]?.removeAll { $0 == name } }
        rows[name] = nil
        for (other, values) in rows {
            if values[Values.parent] == name { rows[other]?[Values.parent] = nil }
            if values[Values.list] == name { rows[other]?[Values.list] = nil }
            if values.isLink, values[Values.source] == name || values[Values.target] == name {
                rows[other] = nil
            }
        }
        for item in items { delete(item) }
    }

    /// Renames an object that has got its record name.
    mutating func rename(_ old: String, to new: String) {
        var renamed = Table()
        func name(_ name: String) -> String { name == old ? new : name }
        for (key, values) in rows {
            var values = values
            for reference in [Values.parent, Values.list, Values.source, Values.target] {
                values[reference] = values[reference].map(name)
            }
            let key =
                values.isLink
                ? Values.linkName(values[Values.source] ?? "", values[Values.target] ?? "")
                : name(key)
            renamed.rows[key] = values
        }
        for (list, items) in members { renamed.members[name(list)] = items.map(name) }
        self = renamed
    }

    /// Without the places that the store has chosen.
    var withoutPlaces: Table {
        var table = self
        for name in rows.keys { table.rows[name]?[Values.place] = nil }
        return table
    }
}
