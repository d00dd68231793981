/// Edits of which nothing is left.
extension History {
    /// Edits that are no longer visible anywhere cannot come back.
    mutating func bury() {
        let all = copies
        for index in edits.indices where edits[index].death == nil {
            let edit = edits[index]
            let mayBeLost = !lostNames.isDisjoint(with: edit.values.keys)
            if isLink(edit.ident) || mayBeLost && edit.gone != nil { continue }
            if isSeen(edit, in: all) || mayBeInRequest(edit) { continue }
            if mayBeLost { edits[index].gone = time } else { edits[index].death = time }
        }
        for reference in missed where !all.contains(where: { shows($0, reference) }) {
            edits[reference.edit].faded[reference.name] = time
            missed.remove(reference)
        }
    }

    private func isSeen(_ edit: Edit, in all: [[String: [Snapshot.Object]]]) -> Bool {
        switch edit.action {
        case .delete: return [edit.place, serverPlace].contains { all[$0][edit.ident] == nil }
        case .insert: return all.contains { $0[edit.ident] != nil }
        case .update:
            return all.contains { place in
                (place[edit.ident] ?? []).contains { copy in
                    edit.values.contains { copy.values[$0.key] == $0.value }
                }
            } || isInFormerField(edit)
        }
    }

    /// Whether a request that is under way may have an edit that its device no longer shows.
    private func mayBeInRequest(_ edit: Edit) -> Bool {
        isUnderWay[edit.place] && edit.firstAttempt != nil && edit.answer == nil
            && edit.arrival == nil
    }
}
