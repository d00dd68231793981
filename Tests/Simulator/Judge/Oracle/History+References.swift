/// References that are nil for a while, because what they need has not arrived yet, and references to one
/// of several objects with the same identity.
extension History {
    /// The value of a reference that an edit has set. It may reach the server after the rest of the edit,
    /// because its destination, or the former owner of that, has to arrive there first.
    struct Reference: Hashable {
        let edit: Int
        let name: String
    }

    /// Records an edit after which properties are nil, as they were before.
    mutating func clearAgain(_ names: Set<String>, of ident: String, at place: Int) {
        let values = Dictionary(uniqueKeysWithValues: names.map { ($0, Value.none) })
        add(place, ident, .update, values, named: names)
    }

    /// A time during which the server did not have an object that it had before.
    struct Absence {
        let since: Int
        var end = Int.max
    }

    /// Records which objects the server has lost, and which ones it has again.
    mutating func noteAbsences(_ before: Set<String>, _ after: Set<String>) {
        for ident in before.subtracting(after) {
            absences[ident, default: []].append(Absence(since: time))
        }
        for ident in after.subtracting(before) {
            guard let last = absences[ident]?.indices.last else { continue }
            absences[ident]?[last].end = time
        }
    }

    /// Whether a reference leads to another one of several objects with the same identity. At the other
    /// end of a one-to-one relationship, that is no edit.
    static func isOtherCopy(
        _ name: String, of id: String, _ before: Snapshot, _ after: Snapshot
    ) -> Bool {
        guard before.destinations[id]?[name] != nil || after.destinations[id]?[name] != nil,
            name != "cover"
        else { return false }
        return before.destination(name, of: id) != after.destination(name, of: id)
    }

    /// Whether an order is another one with some members removed.
    static func follows(_ order: Value, from other: Value) -> Bool {
        guard case .ordered(let now) = order, case .ordered(let then) = other, now.count > 1 else {
            return false
        }
        return now == then.filter(now.contains)
    }

    /// Whether anything ever referred to an object.
    func hasReferrer(_ ident: String) -> Bool {
        edits.contains { edit in
            edit.ident != ident
                && (isLink(edit.ident)
                    ? edit.ident.split(separator: "|").dropFirst().contains { $0 == ident }
                    : edit.values.values.contains { $0.names.contains(ident) })
        }
    }

    /// Whether an edit may have reached a place. What a device has not begun to send is nowhere else,
    /// even if another place shows the same value.
    func mayBe(_ edit: Edit, at place: Int) -> Bool {
        [place, serverPlace].contains(edit.place) || edit.firstAttempt != nil || edit.isVague
    }

    /// The edits of an object that a pass may have brought to a place.
    func perhapsKnown(_ ident: String, at place: Int) -> Set<Int> {
        (perhapsKnown[place][ident] ?? []).union(perhapsShown(ident, at: place))
    }

    /// The edits of which a place shows all values, and which its last pass may have received, even if that has not
    /// ended yet. Other edits may have written the same values, so the place does not certainly know these.
    private func perhapsShown(_ ident: String, at place: Int) -> Set<Int> {
        let shown = copies[place][ident] ?? []
        if shown.isEmpty { return [] }
        let edits = edits(of: ident).filter { edit in
            let values = edit.values.filter { !Self.decidedElsewhere.contains($0.key) }
            return edit.action != .delete && edit.place != place && !values.isEmpty
                && (edit.place == serverPlace || edit.firstAttempt != nil)
                && (isUnderWay[place] || edit.firstAttempt ?? edit.birth < begins[place])
                && shown.contains { copy in values.allSatisfy { copy.values[$0] == $1 } }
        }
        return Set(edits.map(\.id))
    }

    /// The edits that may be the last of a reference that a place shows as nil, because their destination
    /// is not there, or belongs to another object there.
    ///
    /// - Parameter evenIfCopied: Whether the place may have a copy of a destination that is not there.
    func hidden(
        _ name: String, of ident: String, at place: Int, _ all: Snapshot,
        evenIfCopied: Bool = false
    ) -> [Edit] {
        let known = known[place][ident] ?? []
        let edits = edits(of: ident)
        return edits.filter { edit in
            guard case .object(let target)? = edit.values[name], mayBe(edit, at: place),
                !edits.contains(where: {
                    known.contains($0.id) && $0.values[name] != nil && $0.knows(edit, name)
                })
            else { return false }
            return late[serverPlace].contains(Reference(edit: edit.id, name: name))
                || !all.objects.values.contains { $0.ident == target }
                || evenIfCopied && knowsDeletion(of: target, at: place)
                || ["node", "partner"].contains(name)
                    && all.objects.values.contains { $0.values[name] == .object(target) }
        }
    }

    private func knowsDeletion(of ident: String, at place: Int) -> Bool {
        edits(of: ident).contains {
            $0.action == .delete && known[place][ident]?.contains($0.id) == true
        }
    }

    /// The references, named like links, that a place shows as nil, perhaps because their destinations
    /// are not there.
    func waitingReferences(at place: Int) -> Set<String> {
        let all = shows(place)
        var waiting: Set<String> = []
        for object in all.objects.values {
            for name in object.kind.toOne.keys where object.values[name] == Value.none {
                let targets = hidden(name, of: object.ident, at: place, all, evenIfCopied: true)
                    .flatMap { $0.values[name]?.names ?? [] }
                waiting.formUnion(targets.map { Snapshot.link(name, object.ident, $0) })
            }
        }
        return waiting
    }

    /// The links that a place may have received, and does not show because an end has not arrived.
    func waitingLinks(at place: Int) -> Set<String> {
        let links = perhapsKnown[place].filter { link, ids in
            isLink(link) && ids.contains { edits[$0].action == .insert && edits[$0].place != place }
        }
        return Set(
            links.keys.filter { link in
                link.split(separator: "|").dropFirst().contains { end in
                    known[place][String(end), default: []].isEmpty
                }
            })
    }

    /// Records which references of an object a place shows, and, if it is the server, which ones it lacks, and which
    /// values have come or gone.
    mutating func note(_ copies: [Snapshot.Object], of ident: String, at place: Int) {
        noteReturns(copies, of: ident, at: place)
        let edits = edits(of: ident)
        for edit in edits where edit.place != place {
            for (name, value) in edit.values where name != "cover" {
                guard case .object = value else { continue }
                let reference = Reference(edit: edit.id, name: name)
                if copies.contains(where: { $0.values[name] == value }) {
                    late[place].remove(reference)
                    if place == serverPlace { arrived.insert(reference) }
                } else if place == serverPlace, !arrived.contains(reference),
                    known[place][ident]?.contains(edit.id) == true,
                    !edits.contains(where: {
                        $0.values[name] != nil && $0.knows(edit, name)
                            && known[place][ident]?.contains($0.id) == true
                    })
                {
                    isLate(reference, of: ident)
                }
            }
        }
    }

    /// Records that the server has an edit without its reference, and so has each device that knows the
    /// edit, has got it from the server, and does not show the reference.
    private mutating func isLate(_ reference: Reference, of ident: String) {
        let edit = edits[reference.edit]
        for place in known.indices where place != edit.place {
            guard known[place][ident]?.contains(edit.id) == true,
                place == serverPlace || !shows(copies[place], reference)
            else { continue }
            late[place].insert(reference)
        }
    }

    /// The references that have not arrived at a place, and that their own place still shows.
    func unseen(at place: Int, _ past: Set<Int>) -> [String: Set<Int>] {
        var unseen: [String: Set<Int>] = [:]
        for reference in late[place] where past.contains(reference.edit) {
            let edit = edits[reference.edit]
            guard shows(copies[edit.place], reference) else { continue }
            unseen[reference.name, default: []].insert(edit.id)
        }
        return unseen
    }

    func shows(_ copies: [String: [Snapshot.Object]], _ reference: Reference) -> Bool {
        let edit = edits[reference.edit]
        return copies[edit.ident]?.contains {
            $0.values[reference.name] == edit.values[reference.name]
        } ?? false
    }

    /// Records the references of seen edits that an edit's place did not show.
    mutating func noteMissed(by edit: Edit) {
        for (name, ids) in edit.unseen {
            missed.formUnion(ids.map { Reference(edit: $0, name: name) })
        }
    }
}
