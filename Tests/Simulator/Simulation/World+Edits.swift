import CoreData
import Seam3

/// What users do.
extension World {
    /// Makes edits on a device, saves them, and sees that what is there then is what they make.
    func save(_ edits: [Edit], on device: Int, crashes: Bool) throws {
        guard owners[device] != nil else { return }
        var working = tables[device]
        var changes: [Change] = []
        for (position, edit) in edits.enumerated() {
            for change in resolve(edit, in: working, newName: "new \(position)") {
                working.apply(change)
                changes.append(change)
            }
        }
        guard !changes.isEmpty else { return }
        let names = try devices[device].save(changes)
        if crashes {
            try devices[device].captureFiles()
            try devices[device].crash()
        }
        for (old, new) in names { working.rename(old, to: new) }
        try takeOver(working, on: device)
    }

    /// Looks at what a save has made, and tells the oracle.
    func takeOver(_ expected: Table, on device: Int) throws {
        let before = tables[device]
        try look(at: device)
        guard tables[device].withoutPlaces == expected.withoutPlaces else {
            throw SimulationError.violation(
                "a save on device \(device) was to make\n  \(expected)\nand made\n  "
                    + "\(tables[device])")
        }
        guard let owner = owners[device] else { return }
        users[index(of: owner)].oracle.save(from: before, to: tables[device], on: device)
    }

    /// What an edit is about on a device with these objects; nothing if there are none.
    private func resolve(_ edit: Edit, in table: Table, newName: String) -> [Change] {
        func name(_ kind: Kind, _ number: Int) -> String? {
            let names = table.names(kind)
            return names.isEmpty ? nil : names[number % names.count]
        }
        switch edit {
        case .insert(let kind, let parent, let list):
            var changes: [Change] = [.insert(newName, kind, title: newText(.title))]
            guard kind == .item else { return changes }
            if let parent = parent.flatMap({ name(.item, $0) }) {
                changes.append(.move(newName, to: parent))
            }
            if let list = list.flatMap({ name(.list, $0) }) {
                changes.append(.place(newName, in: list, at: nil))
            }
            return changes
        case .set(let kind, let number, let field):
            return name(kind, number).map { [.set(field, of: $0, to: newText(field))] } ?? []
        case .clear(let kind, let number, let field):
            return name(kind, number).map { [.set(field, of: $0, to: nil)] } ?? []
        case .move(let number, let parentNumber):
            let parent = parentNumber.flatMap { name(.item, $0) }
            guard let item = name(.item, number), parent != item,
                parent != table.rows[item]?[Values.parent]
            else { return [] }
            return [.move(item, to: parent)]
        case .place(let number, let listNumber, let index):
            guard let item = name(.item, number) else { return [] }
            let old = table.rows[item]?[Values.list]
            guard let list = listNumber.flatMap({ name(.list, $0) }) else {
                return old == nil ? [] : [.place(item, in: nil, at: nil)]
            }
            let count = (table.members[list] ?? []).filter { $0 != item }.count
            return [.place(item, in: list, at: index % (count + 1))]
        case .tag(let number, let tagNumber):
            guard let item = name(.item, number), let tag = name(.tag, tagNumber) else { return [] }
            return [.tag(item, tag, table.rows[Values.linkName(item, tag)] == nil)]
        case .delete(let kind, let number):
            return name(kind, number).map { [.delete($0)] } ?? []
        }
    }

    /// The item that a number means on a device, among those that the oracle knows: what a policy
    /// makes in the midst of a synchronisation is left alone until it has been seen.
    func item(_ number: Int, in table: Table, _ oracle: Oracle) -> String? {
        let names = table.names(.item).filter { oracle.records[$0] != nil }
        return names.isEmpty ? nil : names[number % names.count]
    }
}
