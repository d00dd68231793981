import CoreData
import Testing

/// Who has edited what, and what they knew of each other's edits.
///
/// An edit is what a save has changed of what a device shows. Everything that an edit touches belongs to a *unit*, within
/// which edits can compete: an object, a pair of a many-to-many relationship, or the order of a list. If each edit of a unit
/// was made by somebody who knew the previous one, nobody disputes the last one, and its values are what all devices end up
/// with.
struct RelationHistory {
    private struct Value {
        let cell: String
        let unit: String
        var text: [String]
        /// Other units that must not be disputed either.
        var conditions: [String] = []
        /// The objects that are concerned.
        var names: Set<String>
        let check: Check
    }

    private enum Check { case property(name: String, key: String), pair(String, String), existence }

    private let kind: RelationKind
    private var editCount = 0
    /// The edits that a device certainly knows.
    private var known: [String: Set<Int>] = [:]
    private var pasts: [Set<Int>] = []
    private var atServer: Set<Int> = []
    private var touches: [String: [Int]] = [:]
    private var values: [String: Value] = [:]
    private var everDeleted: Set<String> = []
    private var undecided: Set<String> = []

    init(_ kind: RelationKind) { self.kind = kind }

    // MARK: - Syncs

    /// What the server certainly has.
    var server: Set<Int> { atServer }

    /// Notes a sync that succeeded.
    ///
    /// - Parameter start: What the server had when it began.
    mutating func noteSync(of device: String, since start: Set<Int>) {
        known[device, default: []].formUnion(start)
        atServer.formUnion(known[device] ?? [])
    }

    // MARK: - Edits

    /// Notes a save.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - before: What it showed before.
    ///   - after: What it shows now.
    ///   - isDecided: Whether the device knew what it shows when the user made the edit.
    mutating func noteEdit(
        on device: String, from before: RelationTable, to after: RelationTable,
        isDecided: Bool = true
    ) {
        let edit = editCount
        editCount += 1
        pasts.append(known[device] ?? [])
        known[device, default: []].insert(edit)
        for name in Set(before.objects.keys).union(after.objects.keys).sorted() {
            let isThere = after.objects[name] != nil
            if (before.objects[name] != nil) != isThere {
                noteExistence(isThere, of: name, edit)
            }
            let keys = Set((before.objects[name] ?? [:]).keys)
                .union((after.objects[name] ?? [:]).keys)
            for key in keys where before[name, key] != after[name, key] || !isThere {
                note(name, key, before[name, key], after[name, key], edit)
            }
            let isChanged = before.objects[name] != after.objects[name]
            if !isDecided, isChanged { undecided.insert(name) }
        }
        connect(edit, deleted: before.objects.keys.filter { after.objects[$0] == nil })
    }

    /// Makes the values of an edit depend on other units.
    ///
    /// If a deletion loses, references to its object are restored with it. If one object of a one-to-one relationship gets
    /// another partner, so may all.
    private mutating func connect(_ edit: Int, deleted: [String]) {
        guard kind.isOneToOne || !deleted.isEmpty else { return }
        let units = touches.filter { $0.value.last == edit }.map(\.key)
        for (cell, value) in values where touches[value.unit]?.last == edit {
            values[cell]?.conditions += kind.isOneToOne ? units : deleted
        }
    }

    private mutating func touch(_ unit: String, _ edit: Int) {
        if touches[unit]?.last != edit { touches[unit, default: []].append(edit) }
    }

    private mutating func noteExistence(_ isThere: Bool, of name: String, _ edit: Int) {
        touch(name, edit)
        if !isThere { everDeleted.insert(name) }
        values["\(name) exists"] = Value(
            cell: "\(name) exists", unit: name, text: [isThere ? "yes" : "no"], names: [name],
            check: .existence)
    }

    private mutating func note(
        _ name: String, _ key: String, _ before: [String], _ after: [String], _ edit: Int
    ) {
        guard kind.attribute == nil, kind.isToMany(key) else {
            touch(name, edit)
            values["\(name).\(key)"] = Value(
                cell: "\(name).\(key)", unit: name, text: after,
                conditions: kind.attribute == nil ? after : [],
                names: kind.attribute == nil ? Set([name] + after) : [name],
                check: .property(name: name, key: key))
            return
        }
        let members = Set(before).union(after)
        if kind.hasLinks {
            for member in members {
                // A move may compete with a removal.
                let isMoved = kind.isOrdered(key)
                guard isMoved || before.contains(member) != after.contains(member) else { continue }
                notePair(name, key, member, after.contains(member), edit)
            }
        } else if kind.isOrdered(key) {
            for member in members { touch(member, edit) }
        }
        guard kind.isOrdered(key) else { return }
        touch("\(name).\(key)", edit)
        values["\(name).\(key)"] = Value(
            cell: "\(name).\(key)", unit: "\(name).\(key)", text: after,
            conditions: after.map { kind.hasLinks ? pair(name, key, $0) : $0 },
            names: Set([name] + after), check: .property(name: name, key: key))
    }

    private func pair(_ name: String, _ key: String, _ member: String) -> String {
        let ends = key == "children" ? [name, member] : [member, name]
        return (kind.isOwnInverse ? ends.sorted() : ends).joined(separator: " and ")
    }

    private mutating func notePair(
        _ name: String, _ key: String, _ member: String, _ isThere: Bool, _ edit: Int
    ) {
        let unit = pair(name, key, member)
        touch(unit, edit)
        values[unit] = Value(
            cell: unit, unit: unit, text: [isThere ? "yes" : "no"], names: [name, member],
            check: key == "children" ? .pair(name, member) : .pair(member, name))
    }

    // MARK: - The end

    /// Whether each edit of a unit was made by somebody who knew the previous one.
    private func isUndisputed(_ unit: String) -> Bool {
        let edits = touches[unit] ?? []
        return zip(edits, edits.dropFirst()).allSatisfy { pasts[$1].contains($0) }
    }

    /// What a device shows otherwise than the last edit says, where nobody disputes it.
    func contradictions(of table: RelationTable) -> [String] {
        values.values.sorted { $0.cell < $1.cell }.compactMap { value in
            guard value.names.isDisjoint(with: undecided), isUndisputed(value.unit),
                value.conditions.allSatisfy(isUndisputed)
            else { return nil }
            let found: [String]
            switch value.check {
            case .existence:
                if value.text == ["yes"], !value.names.isDisjoint(with: everDeleted) { return nil }
                found = [value.names.allSatisfy { table.objects[$0] != nil } ? "yes" : "no"]
            case .property(let name, let key):
                guard value.names.isDisjoint(with: everDeleted) else { return nil }
                found = table[name, key]
            case .pair(let owner, let member):
                guard value.names.isDisjoint(with: everDeleted) else { return nil }
                found = [table[owner, "children"].contains(member) ? "yes" : "no"]
            }
            return found == value.text ? nil : "\(value.cell) is \(found), not \(value.text)"
        }
    }

    /// Whether nobody has deleted an object, and each of its edits was made with what the device showed.
    func wasNeverDeleted(_ name: String) -> Bool {
        !everDeleted.contains(name) && !undecided.contains(name)
    }

    /// How many values nobody disputes.
    var undisputedCount: Int {
        values.values.filter { value in
            value.names.isDisjoint(with: undecided.union(everDeleted)) && isUndisputed(value.unit)
                && value.conditions.allSatisfy(isUndisputed)
        }.count
    }
}
