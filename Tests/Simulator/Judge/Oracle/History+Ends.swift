/// Edits of which nothing is left.
extension History {
    /// Edits that are no longer visible anywhere cannot come back.
    mutating func bury() {
        let all = copies
        for index in edits.indices where edits[index].end == nil {
            let edit = edits[index]
            let mayBeLost = !lostNames.isDisjoint(with: edit.values.keys)
            if isLink(edit.ident) || mayBeLost && edit.gone != nil { continue }
            if edit.death == nil {
                if isSeen(edit, in: all) || mayBeInRequest(edit) { continue }
                if mayBeLost {
                    edits[index].gone = time
                    continue
                }
                edits[index].death = time
                edits[index].mayLeaveNil = edit.arrival == nil
            }
            if !edits[index].mayLeaveNil || !leavesNil(edit, in: all) { edits[index].end = time }
        }
        for edit in edits where edit.hasReturned && !isSeen(edit, in: all) {
            edits[edit.id].hasReturned = false
        }
        for reference in missed where !all.contains(where: { shows($0, reference) }) {
            edits[reference.edit].faded[reference.name] = time
            missed.remove(reference)
        }
    }

    private func isSeen(_ edit: Edit, in all: [[String: [Snapshot.Object]]]) -> Bool {
        switch edit.action {
        case .delete:
            return [edit.place, serverPlace].contains { place in
                all[place][edit.ident] == nil && !retired.contains(place)
            }
        case .insert: return all.contains { $0[edit.ident] != nil }
        case .update:
            return all.contains { place in
                (place[edit.ident] ?? []).contains { copy in
                    edit.values.contains { copy.values[$0.key] == $0.value }
                }
            } || isInFormerField(edit)
                || edit.values.contains { name, value in
                    keptReferences[edit.ident]?[name]?.contains(value) ?? false
                }
        }
    }

    /// Whether a request that is under way may have an edit that its device no longer shows.
    private func mayBeInRequest(_ edit: Edit) -> Bool {
        isUnderWay[edit.place] && edit.firstAttempt != nil && edit.answer == nil
            && edit.arrival == nil
    }

    /// Records which values of an object the server no longer has, and which updates another device shows because the
    /// answer to its pass may have had them, though no place has shown them in between.
    ///
    /// That is not so if the device knew a later write of the property.
    mutating func noteReturns(_ after: [Snapshot.Object], of ident: String, at place: Int) {
        let (before, all) = (copies[place][ident] ?? [], edits(of: ident))
        for edit in all where edit.action == .update {
            for (name, value) in edit.values {
                let isShown = after.contains { $0.values[name] == value }
                if isShown == before.contains(where: { $0.values[name] == value }) { continue }
                if place == serverPlace {
                    edits[edit.id].departures[name] = isShown ? nil : time
                } else if isShown, edit.death != nil, edit.place != place,
                    edit.departures[name] ?? 0 > begins[place],
                    !all.contains(where: { later in
                        later.values[name] != nil && later.knows(edit)
                            && known[place][ident]?.contains(later.id) == true
                    })
                {
                    edits[edit.id].hasReturned = true
                }
            }
        }
    }

    /// Whether a place shows nil for a reference that an edit has led from one object to another one, which was
    /// deleted. The nil counts as an edit if the reference had led to the first one when its device and the server
    /// last agreed.
    private func leavesNil(_ edit: Edit, in all: [[String: [Snapshot.Object]]]) -> Bool {
        guard edit.action == .update else { return false }
        let edits = edits(of: edit.ident)
        return edit.values.contains { name, value in
            let unsent = edits.first { other in
                other.place == edit.place && other.values[name] != nil
                    && (other.id == edit.id || edit.knows(other))
                    && other.arrival ?? .max > edit.birth
            }
            guard case .object(let target) = value, name != "cover",
                case .object(let former)? = unsent?.replaced[name], former != target,
                self.edits(of: target).contains(where: { $0.action == .delete })
            else { return false }
            return all.contains { place in
                (place[edit.ident] ?? []).contains { $0.values[name] == Value.none }
            }
        }
    }
}
