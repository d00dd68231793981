/// References that are nil because their destinations were deleted, and that lead to these again when they are back.
extension History {
    /// Records which references an update has lost because the same save has deleted their destinations, or has given
    /// these to other objects.
    ///
    /// - Parameters:
    ///   - deleted: The objects that the save has deleted.
    ///   - gone: The copies that it has deleted.
    ///   - owned: The destinations of all one-to-one relationships after the save.
    mutating func noteReleases(
        _ id: Int, deleted: Set<String>, gone: [Snapshot.Object], owned: Set<Value>
    ) {
        let edit = edits[id]
        let lost = edit.values.keys.filter { name in
            guard edit.values[name] == Value.none, case .object(let target)? = edit.replaced[name]
            else { return false }
            // Of several copies, the deleted one that had the object was its destination.
            return deleted.contains(target)
                || gone.contains { copy in
                    copy.ident == target
                        && copy.values.values.contains { $0.names.contains(edit.ident) }
                }
        }
        edits[id].released = Set(lost)
        edits[id].settled = referencesOnServer(removedBy: id).filter { name in
            unsettledWrites(of: name, before: edit).isEmpty
        }
        edits[id].isRelease = edit.values.allSatisfy { name, value in
            guard value == Value.none, let known = edit.replaced[name], case .object = known else {
                return false
            }
            return lost.contains(name) || name == "node" && owned.contains(known)
        }
    }

    /// The references that an edit has removed together with their destinations, and that the server has.
    func referencesOnServer(removedBy id: Int) -> Set<String> {
        let edit = edits[id]
        if edit.released.isEmpty { return [] }
        let records = copies[serverPlace][edit.ident] ?? []
        return edit.released.filter { name in
            records.contains { $0.values[name] == edit.replaced[name] }
        }
    }

    /// The earlier edits of a reference at the place of an edit of which the place did not know then whether the
    /// server had them.
    private func unsettledWrites(of name: String, before edit: Edit) -> [Edit] {
        edits(of: edit.ident).filter { other in
            guard other.place == edit.place, other.id < edit.id, other.values[name] != nil else {
                return false
            }
            let isAnswered = other.answer ?? .max <= edit.birth || !other.mayLackAnswer
            return !isAnswered || other.arrival ?? .max > edit.birth
        }
    }

    /// Whether the nil of a reference is an edit, though its destination was deleted, because the reference may have
    /// led to another object when its device and the server last agreed.
    private func isEdit(_ release: Edit, _ name: String) -> Bool {
        guard let first = unsettledWrites(of: name, before: release).first,
            let agreed = first.replaced[name], case .object = agreed
        else { return false }
        return agreed != release.replaced[name]
    }

    /// Whether the nil of a reference certainly is an edit: as long as any place showed it, the server did not get what
    /// the device had set before either.
    func isCertainlyEdit(_ release: Edit, _ name: String) -> Bool {
        let end = release.death(of: name) ?? .max
        return isEdit(release, name)
            && unsettledWrites(of: name, before: release).allSatisfy {
                $0.arrival ?? .max >= end
            }
    }

    /// Records that a device's pass has succeeded. A reference that is nil in the server's record now stays nil, even
    /// if its destination comes back.
    mutating func noteSentReleases(_ id: Int) {
        let edit = edits[id]
        if edit.released.isEmpty { return }
        edits[id].released = edit.released.filter { name in
            guard let value = edit.replaced[name] else { return false }
            if edit.givenBack.contains(name), edit.settled.contains(name) { return true }
            let isKept = keptReferences[edit.ident]?[name]?.contains(value) == true
            return isKept
                || !(copies[serverPlace][edit.ident] ?? []).contains {
                    $0.values[name] == Value.none
                }
        }
    }

    /// Records that a device shows an object again that its user has deleted, because its pass has met an edit which
    /// the server had before. If that pass is the first that could send the references which the deletion has
    /// removed, their removal cannot have been sent.
    mutating func giveBack(_ target: String, at place: Int) {
        let begin = begins[place]
        for edit in edits
        where edit.place == place && edit.firstAttempt == begin && !edit.isUnfounded {
            for name in edit.released where edit.replaced[name] == .object(target) {
                guard !isEdit(edit, name), let deletion = lostDeletion(of: edit, name),
                    edits(of: target).contains(where: { other in
                        other.action == .update && other.place != place && !other.isVague
                            && !deletion.mayKnow(other) && other.arrival ?? .max < begin
                    })
                else { continue }
                edits[edit.id].givenBack.insert(name)
            }
        }
    }

    /// The deletion that has removed a reference together with its destination, unless somebody has made the
    /// destination again while the reference was nil. Then that is not back because the deletion has lost.
    func lostDeletion(of release: Edit, _ name: String) -> Edit? {
        guard case .object(let target)? = release.replaced[name] else { return nil }
        let edits = edits(of: target)
        let deletion = edits.first {
            $0.action == .delete && $0.place == release.place && $0.id > release.id
        }
        guard let deletion else { return nil }
        let end = release.death(of: name) ?? .max
        let isMadeAgain = edits.contains {
            $0.action == .insert && $0.knows(deletion) && $0.birth < end
        }
        return isMadeAgain ? nil : deletion
    }
}
