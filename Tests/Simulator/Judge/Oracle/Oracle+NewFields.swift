/// Attributes that some devices store in another field.
///
/// A device that had the former model follows the former field, and takes over what devices without the new
/// model write there. Those do not see the new field.
extension Oracle {
    /// The field in which a device has come to store an object's attribute; nil if its model has not moved it.
    private func field(of name: String, at place: Int, _ ident: String) -> History.NewField? {
        history.newField(of: name, at: place, ident)
    }

    // MARK: - What a device sees

    /// Whether a device whose pass is judged may see what an edit has written. A device without the
    /// new field sees nothing of it. If the edit's device has got this field since it first tried
    /// to send the edit, what the server has had in the former field decides.
    func mayBeRead(_ edit: Edit, _ name: String) -> Bool {
        guard let place, field(of: name, at: place, edit.ident) == nil else { return true }
        return !history.mayBeInNewField(edit, name)
            || !history.isInNewField(edit, name) && history.wasInFormerField(edit, name)
    }

    /// Whether the device whose pass is judged does not see all of an attribute yet, because it does not have
    /// the new field, or has not got everything from it.
    func isHalfSeen(_ name: String, of ident: String) -> Bool {
        guard let place, history.hasMoved(name, ident) else { return false }
        return field(of: name, at: place, ident) == nil
            || history.isCatchingUp(name, at: place, ident)
    }

    /// Whether a device that has just got the new field shows what the server had there before, instead of a
    /// value that was written to the former field. Another device takes the latter over. Before its first
    /// successful pass it may also show what it had of the former field, instead of another device's value in
    /// the new one.
    func isBehind(_ ident: String, _ name: String, _ value: Value, _ writes: [Edit]) -> Bool {
        guard let place, let field = field(of: name, at: place, ident),
            history.isCatchingUp(name, at: place, ident)
        else { return false }
        if field.firstPass == nil, field.shown[ident]?.contains(value) == true,
            last(of: writes, name).allSatisfy({
                $0.place != place && history.mayBeInNewField($0, name)
            })
        {
            return true
        }
        let begin = max(field.since, field.firstPass ?? history.time)
        return history.inNewField(name, of: ident, field.since...begin).contains(value)
            && last(of: writes, name).contains { history.mayBeInFormerField($0, name) }
    }

    /// Whether an edit writes a property that another one has written unseen, because that was in a field which
    /// the edit's device did not read.
    func isOutOfSight(_ other: Edit, of edit: Edit, _ name: String) -> Bool {
        edit.values[name] != nil && edit.outOfSight[name]?.contains(other.id) == true
    }

    /// Whether an attribute's contest is between two fields. No promise says which edit wins, and none is copied.
    func isAcrossFields(_ edit: Edit, _ name: String, _ edits: [Edit]) -> Bool {
        guard history.hasMoved(name, edit.ident) else { return false }
        let isFormer = history.mayBeInFormerField(edit, name)
        let isNew = history.mayBeInNewField(edit, name)
        return edits.contains { other in
            other.values[name] != nil && collide(edit, other, name)
                && (isFormer && history.mayBeInNewField(other, name)
                    || isNew && history.mayBeInFormerField(other, name))
        }
    }

    /// Whether all of the edits were made by devices that store their attributes in the same fields.
    func areInSameFields(_ edits: [Edit]) -> Bool {
        let moved = Set(edits.flatMap(\.values.keys)).filter { name in
            edits.contains { history.hasMoved(name, $0.ident) }
        }
        return moved.allSatisfy { name in
            edits.allSatisfy { !history.mayBeInNewField($0, name) }
                || edits.allSatisfy { history.isInNewField($0, name) }
        }
    }

    /// Whether a deletion may meet an edit in the new field that its user has not seen there, because its device
    /// has got the new field since.
    func mayMeetUnseen(_ deletion: Edit, _ edits: [Edit]) -> Bool {
        deletion.outOfSight.contains { name, ids in
            history.mayBeInNewField(deletion, name) && edits.contains { ids.contains($0.id) }
        }
    }

    /// Whether a deletion's device saw none of the edits, because they are of nothing but attributes that were
    /// written to a new field which it does not have, or that only a newer model has, or syncs. A device that gets
    /// this model later takes the first value that it meets for one that a migration has sent.
    func isBlind(_ deletion: Edit, to edits: [Edit]) -> Bool {
        edits.allSatisfy { edit in
            let names = ownNames(edit).filter { !isOutOfReach(edit, $0, of: deletion) }
            // Otherwise the edit's device has met the deletion.
            let time = names.isEmpty ? edit.firstAttempt : edit.arrival
            return edit.action == .update && edit.place != deletion.place
                && time ?? .max < deletion.arrival ?? .max
                && deletion.unknown.union(deletion.unread.keys).isSuperset(of: names)
        }
    }

    /// Whether an edit has written an attribute to a new field that a deletion's device does not have, and has not
    /// emptied the former one, which is what the removal of a value does, too.
    private func isOutOfReach(_ edit: Edit, _ name: String, of deletion: Edit) -> Bool {
        guard deletion.inNewFields[name] == nil, history.mayBeInNewField(edit, name) else {
            return false
        }
        return edit.values[name] != Value.none || deletion.shown[name] == Value.none
            || !history.wasInFormerField(edit, name)
    }

    // MARK: - Values that are met

    /// The values in attributes' new fields that an edit of a device which gets this field may meet, and takes
    /// for other edits, although devices have only sent there what they had before.
    func valuesMet(by edit: Edit, _ name: String? = nil) -> Set<Value> {
        guard edit.action == .delete || edit.action == .update && !ownNames(edit).isEmpty else {
            return []
        }
        let names = history.newFields[edit.place].keys.filter { name == nil || name == $0 }
        return names.reduce(into: []) { values, name in
            guard let field = field(of: name, at: edit.place, edit.ident),
                let attempt = edit.firstAttempt, isMeeting(edit, name, field)
            else { return }
            let begin = max(attempt, field.since)
            let met = history.inNewField(
                name, of: edit.ident, begin...max(begin, edit.arrival ?? .max))
            values.formUnion(
                met.filter { value in
                    edit.values[name] != value && !hasReplaced(value, name, edit)
                        && (edit.action == .update || !wasShown(value, name, to: edit))
                })
        }
    }

    /// Whether an edit's device has received nothing from a new field when it sends the edit there. Then what is
    /// there meets an edit of the same property, or a deletion.
    private func isMeeting(_ edit: Edit, _ name: String, _ field: History.NewField) -> Bool {
        guard edit.action == .delete || edit.values[name] != nil else { return false }
        return edit.inNewFields[name] == nil
            ? edit.answer ?? .max > field.since : edit.lastPass ?? 0 < field.since
    }

    /// Whether a deletion's user saw a value.
    private func wasShown(_ value: Value, _ name: String, to deletion: Edit) -> Bool {
        if let shown = deletion.inNewFields[name] { return shown.contains(value) }
        let known = history.edits(of: deletion.ident).last {
            $0.values[name] != nil && deletion.knows($0)
        }
        return known?.values[name] == value
    }

    /// Whether an edit has replaced a property's value, or an edit has that it knows and its own device made.
    /// Then nobody has edited this value, so that the edit holds. It need not hold if its device has tried to
    /// send it to the former field: then the device may have forgotten what it replaced.
    private func hasReplaced(_ value: Value, _ name: String, _ edit: Edit) -> Bool {
        guard let field = field(of: name, at: edit.place, edit.ident) else { return false }
        return history.edits(of: edit.ident).contains { other in
            other.place == edit.place && (other.id == edit.id || edit.knows(other))
                && other.replaced[name] == value && other.firstAttempt ?? .max > field.since
        }
    }

    /// Whether the last edit of an attribute may have lost to a value that it has met in the new field, and a
    /// value may be what remains: this one, or one that was written to the former field, which devices take over.
    func mayHaveMet(_ value: Value, _ name: String, _ writes: [Edit]) -> Bool {
        let met = last(of: writes, name).map { valuesMet(by: $0, name) }
            .reduce(into: Set()) { $0.formUnion($1) }
        return met.contains(value)
            || !met.isEmpty
                && writes.contains {
                    $0.values[name] == value && history.mayBeInFormerField($0, name)
                }
    }

    // MARK: - What is edited with a moved attribute

    /// Whether an edit may be lost because its device sends it in one record with an attribute that
    /// meets another value in the new field. That is a conflict, in which the server's record may
    /// win.
    func mayBeLostWithMoved(_ edit: Edit, _ name: String) -> Bool {
        guard edit.action == .update, !history.newFields[edit.place].isEmpty,
            !history.hasMoved(name, edit.ident),
            [.serverRecordWins, .clientTellsWhichWins].contains(policy(of: edit.ident))
        else { return false }
        return history.edits(of: edit.ident).contains {
            $0.action == .update && maySendTogether($0, edit) && !valuesMet(by: $0).isEmpty
        }
    }

    /// Whether a device may have two edits to send at the same time.
    private func maySendTogether(_ first: Edit, _ second: Edit) -> Bool {
        let (earlier, later) = first.id < second.id ? (first, second) : (second, first)
        return first.place == second.place && earlier.answer ?? .max > later.birth
    }

    /// Whether the server's record, which has won against the device of a later write of a
    /// property, may have the value of an earlier one.
    func mayRemain(
        _ write: Edit, insteadOf later: Edit, _ writes: [Edit], _ name: String
    ) -> Bool {
        guard mayBeLostWithMoved(later, name) else { return false }
        let rest = writes.filter { !maySendTogether($0, later) }
        return last(of: rest, name).contains {
            $0.id == write.id || mayRemain(write, insteadOf: $0, rest, name)
        }
    }
}
