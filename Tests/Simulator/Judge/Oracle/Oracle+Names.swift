/// Natural keys, which name objects.
extension Oracle {
    /// Objects whose natural key was changed, and objects whose key another one was given. They may
    /// have become one, or have each other's names.
    func isRenamed(_ ident: String, _ edits: [Edit]) -> Bool {
        guard let key = history.kinds[ident]?.naturalKey else { return false }
        return edits.contains { $0.action == .update && !$0.isVague && $0.values[key] != nil }
            || !namesakes(of: ident, edits).isEmpty || areSeveral(edits, key)
    }

    /// Whether an object was created while one with another natural key may have had its identity, because
    /// a context had saved a deleted object again under that key. These are two objects.
    private func areSeveral(_ edits: [Edit], _ key: String) -> Bool {
        let insertions = edits.filter { $0.action == .insert }
        return insertions.contains { first in
            insertions.contains { later in
                first.id < later.id && first.values[key] != later.values[key]
                    && !edits.contains {
                        $0.action == .delete && $0.knows(first) && later.knows($0)
                    }
            }
        }
    }

    /// Whether the objects with one identity are different ones, because a deleted object was saved again under
    /// another natural key, and an edit that the deletion did not know brings back the deleted one, too.
    func areDifferent(_ copies: [Snapshot.Object], _ ident: String, _ edits: [Edit]) -> Bool {
        guard let key = history.kinds[ident]?.naturalKey else { return false }
        let creations = edits.filter { $0.action == .insert }
        let records = Dictionary(grouping: creations) { keyOfRecord($0, creations, edits, key) }
            .values.filter { $0.contains { mayBeThere($0, edits) } }
        return copies.count <= records.count
            && Dictionary(grouping: copies) { $0.values[key] }.allSatisfy { name, namesakes in
                namesakes.count
                    <= records.filter { $0.contains { $0.values[key] == name } }.count
            }
    }

    /// The value of the natural key from which the name of a new object's record is derived. An object that was
    /// deleted, and saved again before any of that was sent, keeps its record.
    private func keyOfRecord(
        _ creation: Edit, _ creations: [Edit], _ edits: [Edit], _ key: String
    ) -> Value? {
        // An object that has taken another one's place because of a constraint has that one's record.
        let hasOther = creations.contains {
            $0.takenPlace != nil && ($0.id == creation.id || creation.knows($0))
        }
        if hasOther { return creation.values[key] }
        let first = creations.first { former in
            let ends = edits.filter {
                $0.action == .delete && $0.knows(former) && creation.knows($0)
            }
            return !ends.isEmpty && ends.allSatisfy { !mayBeSent($0, before: creation) }
        }
        return (first ?? creation).values[key]
    }

    /// Whether a deletion may have been sent before its object was saved again.
    private func mayBeSent(_ deletion: Edit, before creation: Edit) -> Bool {
        deletion.place != creation.place || deletion.firstAttempt ?? .max <= creation.birth
    }

    /// Whether an object that was created may be there, because nobody has deleted it, or edits that its deletions
    /// did not know bring it back.
    private func mayBeThere(_ creation: Edit, _ edits: [Edit]) -> Bool {
        edits.allSatisfy { deletion in
            deletion.action != .delete || !deletion.knows(creation)
                || edits.contains {
                    $0.action == .update && $0.knows(creation) && mayUndo($0, deletion)
                }
        }
    }

    /// Whether an edit may bring an object back that somebody has deleted without knowing the edit.
    private func mayUndo(_ edit: Edit, _ deletion: Edit) -> Bool {
        guard isOfRecord(edit), collide(edit, deletion) else { return false }
        if edit.isVague || edit.isUnfounded || edit.mayLackAnswer { return true }
        switch policy(of: edit.ident) {
        case .serverRecordWins:
            // The edit loses if its device has met the deletion.
            return deletion.isUnfounded
                || deletion.arrival ?? .max >= edit.firstAttempt ?? edit.arrival ?? .max
        case .clientRecordWins:
            // The deletion wins if its device has met the edit.
            return edit.arrival ?? .max >= deletion.firstAttempt ?? deletion.arrival ?? .max
        default: return true
        }
    }

    /// The other objects that have ever had a natural key that this object has ever had.
    func namesakes(of ident: String, _ edits: [Edit]) -> Set<String> {
        guard let kind = history.kinds[ident], let key = kind.naturalKey else { return [] }
        let names = Set(edits.compactMap { $0.values[key] }).subtracting([Value.none])
        return Set(
            history.byIdent.keys.filter { other in
                other != ident && history.kinds[other] == kind
                    && history.edits(of: other).contains {
                        $0.values[key].map(names.contains) ?? false
                    }
            })
    }

    /// Whether a link that nobody made was made with another object, and not removed. That object may have become
    /// this one, because it was given the same natural key.
    func leadsToNamesake(_ link: String) -> Bool {
        let parts = link.split(separator: "|").map(String.init)
        return parts.indices.dropFirst().contains { index in
            let namesakes = namesakes(of: parts[index], history.edits(of: parts[index]))
            return namesakes.union(sharers(of: parts[index])).contains { other in
                var former = parts
                former[index] = other
                let edits = history.edits(of: former.joined(separator: "|"))
                return edits.contains { edit in
                    edit.action == .insert && !edits.contains { $0.knows(edit) }
                }
            }
        }
    }

    /// An object that was given a natural key and neither deleted nor renamed exists under that name. That is so,
    /// too, if a former object of its identity was deleted before.
    mutating func judgeNames() {
        for ident in history.byIdent.keys.sorted() {
            guard let key = history.kinds[ident]?.naturalKey else { continue }
            let edits = history.edits(of: ident)
            if edits.contains(where: \.isVague) { continue }
            for edit in edits where edit.named.contains(key) && isAfterDeletions(edit, edits, key) {
                guard let name = edit.values[key], name != Value.none else { continue }
                let isReplaced = edits.contains { other in
                    other.values[key] != nil
                        && (other.knows(edit) || isOfOneObject(edit, renamedBy: other))
                }
                let isContested = edits.contains { other in
                    other.action == .update && other.place != edit.place && !other.knows(edit)
                        && !edit.knows(other) && edit.action == .update && isOfRecord(other)
                }
                // The device that renamed it may have renamed another device's object with the
                // former name.
                let isOfOne = edits.contains {
                    $0.place != edit.place && isOfOneObject($0, renamedBy: edit)
                }
                if isReplaced || isContested || isOfOne || mayHaveGoneAsAnother(edit)
                    || mayLosePlace(edit) || mayBeRenamed(edit, key)
                {
                    continue
                }
                if final.objects.values.contains(where: {
                    $0.kind.naturalKey == key && $0.values[key] == name
                }) {
                    continue
                }
                violations.append(
                    Violation(
                        "name lost", "nothing is named \(name); \(Self.story(edits, key))"))
            }
        }
    }

    /// Whether an edit has created an object after the server certainly had all deletions of its identity, if
    /// there are any, and nobody has given an object of that identity a natural key without one knowing the other.
    private func isAfterDeletions(_ edit: Edit, _ edits: [Edit], _ key: String) -> Bool {
        if !hasDeletion(edits) { return true }
        return edit.action == .insert
            && edits.allSatisfy { other in
                if other.action == .delete {
                    return edit.knows(other) && other.arrival ?? .max <= edit.birth
                }
                return other.values[key] == nil || other.id == edit.id || edit.knows(other)
                    || other.knows(edit)
            }
    }

    /// Whether a named object had become another device's object of that name by the time it was
    /// renamed.
    private func isOfOneObject(_ edit: Edit, renamedBy other: Edit) -> Bool {
        guard edit.action == .insert, other.action == .update, let attempt = edit.firstAttempt
        else { return false }
        return attempt < other.arrival ?? .max
    }

    /// Whether a new object may have become one with another one of that name, which somebody has
    /// renamed or deleted since.
    func mayHaveGoneAsAnother(_ creation: Edit) -> Bool {
        guard creation.action == .insert, let attempt = creation.firstAttempt,
            let key = history.kinds[creation.ident]?.naturalKey
        else { return false }
        return namesakes(of: creation.ident, [creation]).contains { ident in
            let edits = history.edits(of: ident)
            return edits.contains { naming in
                naming.values[key] == creation.values[key] && naming.place != creation.place
                    && mayMakeRecord(naming, key)
                    && edits.contains { end in
                        end.knows(naming) && attempt < end.arrival ?? .max
                            && (end.action == .update && end.values[key] != nil
                                || mayDelete(end, creation, key))
                    }
            }
        }
    }

    /// Whether a deletion may win against an object that has become one with the deleted one. Its user
    /// knew the object, or the object brought nothing but the name, or the policy says so.
    private func mayDelete(_ deletion: Edit, _ creation: Edit, _ key: String) -> Bool {
        deletion.action == .delete
            && (!editSurvivesDeletion(of: creation.ident)
                || history.edits(of: creation.ident).allSatisfy {
                    deletion.seen.contains($0.id) || $0.named.isSubset(of: [key])
                })
    }

    // MARK: - Objects in another one's place

    /// The objects whose record an object has, or that have its record, because one of them has taken the other's
    /// place in the file, where a device that did not know this has edited the other one. The policy decides on the
    /// two versions of the record, and at least one of them is there.
    func sharers(of ident: String) -> Set<String> {
        Set(takings(with: ident).flatMap { [$0.ident, $0.takenPlace ?? ident] })
            .subtracting([ident])
    }

    /// The edits of these objects from which an object may have values.
    func editsOfSharers(of ident: String) -> [Edit] {
        takings(with: ident).flatMap { creation -> [Edit] in
            guard let taken = creation.takenPlace, taken != ident else {
                return history.edits(of: creation.ident)
            }
            let edits = history.edits(of: taken)
            // What the object has replaced does not come back, unless the app's block chooses it, or the device has
            // forgotten what was there.
            let mayReturn =
                policy(of: ident) == .clientTellsWhichWins || creation.isUnfounded
                || edits.contains(where: \.isVague)
            let end = end(of: taken, by: creation)
            return edits.filter { mayReturn || end?.knows($0) != true }
        }
    }

    /// The creations with which an object has taken another one's place, or another one has taken its place, if they
    /// compete with an edit.
    private func takings(with ident: String) -> [Edit] {
        guard history.kinds[ident]?.naturalKey != nil else { return [] }
        return history.edits.filter { creation in
            guard let taken = creation.takenPlace, [creation.ident, taken].contains(ident) else {
                return false
            }
            return [creation.ident, taken].contains { final.byIdent[$0] != nil }
                && !rivals(ofPlaceTakenBy: creation).isEmpty
        }
    }

    /// The edits of the object whose place another one has taken, by devices that did not know this. They may have
    /// made the object themselves.
    private func rivals(ofPlaceTakenBy creation: Edit) -> [Edit] {
        guard let taken = creation.takenPlace, let end = end(of: taken, by: creation) else {
            return []
        }
        return history.edits(of: taken).filter {
            $0.action != .delete && isOfRecord($0) && collide($0, end)
        }
    }

    /// The deletion of an object by the save in which another one has taken its place.
    private func end(of taken: String, by creation: Edit) -> Edit? {
        history.edits(of: taken).first {
            $0.action == .delete && $0.place == creation.place && $0.birth > creation.birth
        }
    }

    /// Whether a new object that has taken another one's place in the file may have lost that to another device's
    /// edit of the other object. The two are versions of one record. If properties are merged, it is the new
    /// object, which this device alone has made of it.
    func mayLosePlace(_ creation: Edit) -> Bool {
        guard let taken = creation.takenPlace, let end = end(of: taken, by: creation),
            !merges(creation.ident),
            history.edits(of: creation.ident).allSatisfy({
                $0.action != .insert || !$0.knows(creation)
            })
        else { return false }
        return rivals(ofPlaceTakenBy: creation).contains { rival in
            // Somebody who knew it may have deleted the other object since.
            let isThere =
                final.byIdent[taken] != nil
                || history.edits(of: taken).contains { $0.action == .delete && $0.knows(rival) }
            guard isThere, mayUndo(rival, end) else { return false }
            // The app's block returns the version that was on the server.
            return policy(of: taken) != .clientTellsWhichWins || rival.isVague
                || rival.firstAttempt ?? rival.arrival ?? .max <= end.arrival ?? .max
        }
    }

    /// Whether a new object has become one with another one of the same name, which a device that did not know this
    /// has renamed. If properties are merged, that is the only change of the name.
    private func mayBeRenamed(_ creation: Edit, _ key: String) -> Bool {
        guard merges(creation.ident), let taken = creation.takenPlace,
            let end = end(of: taken, by: creation), end.shown[key] == creation.values[key]
        else { return false }
        return rivals(ofPlaceTakenBy: creation).contains { rename in
            guard rename.action == .update, !rename.isVague, rename.place != creation.place,
                let name = rename.values[key], name != creation.values[key]
            else { return false }
            return final.objects.values.contains {
                $0.kind == history.kinds[creation.ident] && $0.values[key] == name
            }
        }
    }

    /// The values of the natural key from one of which the name of an object's record is derived.
    func keysOfRecord(of ident: String) -> Set<Value> {
        guard let key = history.kinds[ident]?.naturalKey else { return [] }
        let namings = history.edits(of: ident).filter { !$0.isVague && mayMakeRecord($0, key) }
        return Set(namings.compactMap { $0.values[key] }).subtracting([Value.none])
    }

    /// Whether an object may have the record of a name that is not the one of its identity. A context has saved
    /// it again under that name after its deletion, or it was sent with that name first, and by then the record
    /// of its former name was another device's.
    private func mayMakeRecord(_ naming: Edit, _ key: String) -> Bool {
        if naming.action == .insert { return true }
        let edits = history.edits(of: naming.ident)
        guard naming.action == .update,
            let creation = edits.last(where: {
                $0.action == .insert && $0.place == naming.place && naming.knows($0)
            }), naming.birth < creation.arrival ?? .max
        else { return false }
        let isReplaced = edits.contains {
            ($0.action == .delete || $0.values[key] != nil) && $0.place == naming.place
                && $0.knows(naming) && $0.birth < naming.firstAttempt ?? .max
        }
        if isReplaced { return false }
        return history.edits.contains { other in
            other.action == .insert && other.place != naming.place
                && !naming.seen.contains(other.id)
                && history.kinds[other.ident] == history.kinds[naming.ident]
                && other.values[key] == creation.values[key]
                && other.firstAttempt ?? .max < creation.arrival ?? .max
        }
    }
}
