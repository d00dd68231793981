/// References that a deletion has removed, and that come back if the deletion loses.
extension Oracle {
    /// Whether the nil of a reference only follows from the deletion of its destination, which has lost before the
    /// nil was certainly sent. The reference may lead to the destination again.
    func mayBeTakenBack(_ release: Edit, _ name: String) -> Bool {
        release.released.contains(name) && isBack(release, name)
    }

    /// Whether the nil of a reference only followed from the deletion of its destination, and nothing showed it any
    /// longer when another edit was made, because the deletion had lost.
    ///
    /// The user of that edit could never know of such a nil, which competes with no edit. It does not matter what has
    /// become of the destination since.
    func wasTakenBack(_ release: Edit, before later: Edit, _ name: String) -> Bool {
        release.released.contains(name) && release.death(of: name) ?? .max <= later.birth
            && history.lostDeletion(of: release, name) != nil
            && !history.isCertainlyEdit(release, name)
    }

    /// Whether the destination that a reference has lost together with its deletion is there, because that has lost.
    private func isBack(_ release: Edit, _ name: String) -> Bool {
        guard case .object(let target)? = release.replaced[name] else { return false }
        return final.byIdent[target] != nil && history.lostDeletion(of: release, name) != nil
    }

    /// Whether a reference may lead to an object again as if that had not been deleted.
    func mayLeadBack(
        _ name: String, _ value: Value, _ writes: [Edit], _ edits: [Edit]
    ) -> Bool {
        func isRelease(_ edit: Edit) -> Bool {
            edit.replaced[name] == value && mayBeTakenBack(edit, name)
        }
        guard case .object = value, last(of: writes, name).contains(where: isRelease) else {
            return false
        }
        let writes = writes.filter { !isRelease($0) }
        // What the user has edited in the same save still competes as part of a whole record.
        let edits = edits.filter { edit in
            !isRelease(edit) || !merges(edit.ident) && !edit.isRelease
        }
        return writes.contains { write in
            write.values[name] == value
                && isAllowed(write, writes, edits, name, evenIfReleased: true)
        }
    }

    /// Whether a reference has to lead to its destination again, because only a deletion that has lost had removed it,
    /// the server still had it, and nobody else has changed the reference or deleted anything.
    func hasToLeadBack(_ release: Edit, _ name: String, _ writes: [Edit]) -> Bool {
        guard release.givenBack.contains(name), release.settled.contains(name),
            mayBeTakenBack(release, name), place == nil || place == release.place,
            case .object(let target)? = release.replaced[name]
        else { return false }
        let isAlone = writes.allSatisfy { write in
            !write.isVague && !write.isUnfounded && (write.id == release.id || release.knows(write))
        }
        let isTouched = [release.ident, target].contains { ident in
            history.touched.contains(ident) || history.refused.contains(ident)
                || history.copied.contains(ident)
        }
        return isAlone && !isTouched && !hasDeletion(history.edits(of: release.ident))
            && history.edits(of: target).filter { $0.action == .delete }.count == 1
            && !(name == "node"
                && history.edits.contains {
                    $0.ident != release.ident && $0.values[name] == release.replaced[name]
                })
    }

    /// Whether an edit has only removed references that its device has given back before it could send this, so that
    /// there is nothing left that could compete with an edit.
    func isGivenBack(_ edit: Edit) -> Bool {
        edit.isRelease
            && edit.values.keys.allSatisfy { name in
                edit.givenBack.contains(name) && isBack(edit, name)
            }
    }
}
