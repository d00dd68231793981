/// Edits that need not count any longer when another one meets them.
extension Oracle {
    /// Whether an object finally has the values that it had for a deletion's device. Changes that have cancelled
    /// out in between are not edits.
    func comesToNothing(_ edit: Edit, _ edits: [Edit], for deletions: [Edit]) -> Bool {
        // A value that was lost to damage may never have been sent.
        let names = ownNames(edit).subtracting(edit.lost)
        let isTakenBack = isTakenBackUnsettled(edit, names, edits)
        return deletions.filter { collide($0, edit) }.allSatisfy { deletion in
            edits.allSatisfy { other in
                other.action != .delete || !edit.knows(other) || deletion.knows(other)
                    || isTakenBack || isUndone(other, for: edit, edits)
                    || hasLost(other, for: edit, edits)
                    || isUnnoticed(other, for: edit, edits, by: deletion)
            }
                && names.allSatisfy { name in
                    let last = edits.last { $0.place == edit.place && $0.values[name] != nil }
                    guard let last, let value = last.values[name] else { return false }
                    let known = values(of: name, knownTo: deletion, edits)
                    return known.contains(value)
                        || isUndone(name, last, edits, known, before: deletion)
                        || known.isEmpty && isNewDefault(name, last, edits, to: deletion)
                        || isBack(name, from: edit, to: last, edits)
                        || leadsToNothing(name, last) || mayGiveWay(name, last, before: deletion)
                        || endsInRelease(name, from: edit, to: last, edits)
                        || endsInKnownRelease(
                            name, from: edit, to: last, edits, known, before: deletion)
                        || mayLookLikeRelease(name, last, known, before: deletion)
                        || mayFollowDeletion(name, last, known, of: deletion)
                        || hasLostDestination(name, from: edit, to: last, known, before: deletion)
                }
        }
    }

    /// Whether an edit has only undone a deletion, and another deletion of the object knew all that it brings back. One
    /// that is made again elsewhere with the same name has another record.
    func isUndoneInVain(_ edit: Edit, _ edits: [Edit]) -> Bool {
        edit.isUndoing
            && edits.contains { other in
                other.action == .delete && collide(other, edit)
                    && comesToNothing(edit, edits, for: [other])
            }
    }

    /// Whether the place of an update had what it had received before, or had only lost that destination, before the
    /// update certainly was on the server.
    ///
    /// Then it does not matter which deletions the update knows, and when the server had them. What has brought the
    /// object back is another edit.
    private func isTakenBackUnsettled(
        _ edit: Edit, _ names: Set<String>, _ edits: [Edit]
    ) -> Bool {
        edit.action == .update
            && names.allSatisfy { name in
                let last = edits.last { $0.place == edit.place && $0.values[name] != nil }
                guard let last, edit.arrival ?? .max > last.birth else { return false }
                let value = received(name, before: last, edits)
                return value != nil
                    && (value == last.values[name]
                        || last.isRelease && value == last.replaced[name])
            }
    }

    /// Whether the device of a deletion that an edit knows has made the object again before the server certainly had
    /// the deletion, perhaps with this edit. To others, the object was never gone.
    private func isUndone(_ deletion: Edit, for edit: Edit, _ edits: [Edit]) -> Bool {
        let again = edits.first { other in
            other.action == .insert && other.place == deletion.place && other.knows(deletion)
                && edit.knows(other)
        }
        guard again != nil || edit.place == deletion.place else { return false }
        return deletion.arrival ?? .max > (again ?? edit).birth
    }

    /// Whether another device's edit has won against a deletion that an edit knows, and the server has had the object
    /// all the time in between. To others, the object was never gone.
    private func hasLost(_ deletion: Edit, for edit: Edit, _ edits: [Edit]) -> Bool {
        let isContested = edits.contains { winner in
            winner.action != .delete && isOfRecord(winner) && !winner.isVague
                && edit.knows(winner) && collide(winner, deletion)
        }
        return isContested
            && !history.absences[deletion.ident, default: []].contains { absence in
                absence.since <= edit.birth && deletion.birth < absence.end
            }
    }

    /// Whether the device of a deletion cannot tell that the object was deleted elsewhere before an edit, and made anew.
    ///
    /// It has forgotten or never learned which version of the record it knew, and the new one, which has the same record,
    /// has exactly the values that its user saw, or those before its own edits that the server did not certainly have.
    private func isUnnoticed(
        _ other: Edit, for edit: Edit, _ edits: [Edit], by deletion: Edit
    ) -> Bool {
        guard deletion.hasForgottenVersion || hasNeverLearnedVersion(deletion, edits),
            other.place != deletion.place
        else { return false }
        let life = edits.filter {
            $0.action != .delete && $0.knows(other) && !deletion.knows($0)
        }
        let hasKey = history.kinds[edit.ident]?.naturalKey != nil
        guard hasKey || life.allSatisfy({ $0.action != .insert || $0.isUndoing }) else {
            return false
        }
        let isMet = life.contains { again in
            again.action == .insert && (again.id == edit.id || edit.knows(again))
                && again.firstAttempt ?? again.arrival ?? .max < deletion.answer ?? .max
        }
        let unsent = edits.filter { own in
            own.place == deletion.place && own.action == .update && deletion.knows(own)
                && own.arrival ?? .max > deletion.birth
        }
        let received = unsent.reversed().reduce(deletion.shown) { $0.merging($1.replaced) { $1 } }
        return isMet
            && [deletion.shown, received].contains { known in
                Self.ownValues(life).allSatisfy { known[$0.key] == $0.value }
            }
    }

    /// Whether the device of a deletion has made the object itself, and the response to that may have been lost. It has
    /// seen no other device's edit of it since, and no pass has succeeded.
    private func hasNeverLearnedVersion(_ deletion: Edit, _ edits: [Edit]) -> Bool {
        let known = edits.filter(deletion.knows)
        return known.allSatisfy {
            $0.place == deletion.place && $0.answer ?? .max > deletion.birth
        }
            && known.contains {
                $0.action == .insert && $0.lostAnswer ?? .max <= deletion.birth
            }
    }

    /// Whether another device has replaced an edit by a value that a deletion's device knew, possibly before the
    /// deletion met the edit. It cannot tell such a value from the earlier one.
    func isUndone(
        _ name: String, _ edit: Edit, _ edits: [Edit], _ known: Set<Value>, before deletion: Edit
    ) -> Bool {
        edits.contains { later in
            later.place != edit.place && knows(later, edit, name) && !later.isVague
                && later.values[name].map(known.contains) ?? false
                && later.firstAttempt ?? later.arrival ?? .max < deletion.arrival ?? .max
        }
    }

    /// The values of a property that a deletion's device showed, may have received, or had before its own edits that
    /// the server did not certainly have. What the device meets is compared with one of these.
    private func values(of name: String, knownTo deletion: Edit, _ edits: [Edit]) -> Set<Value> {
        let writes = edits.filter { $0.values[name] != nil }
        let shown =
            deletion.shown[name] ?? writes.last(where: deletion.knows)?.values[name]
        let others = writes.compactMap { edit in
            if !deletion.knows(edit) { return deletion.mayKnow(edit) ? edit.values[name] : nil }
            let isSent = edit.place != deletion.place || edit.arrival ?? .max <= deletion.birth
            return isSent ? nil : edit.replaced[name]
        }
        return Set(others).union([shown].compactMap { $0 })
    }

    /// Whether an edit has the default of a property that nothing has that a deletion knows of the object,
    /// because the property is new in the model of the edit's device.
    private func isNewDefault(
        _ name: String, _ edit: Edit, _ edits: [Edit], to deletion: Edit
    ) -> Bool {
        guard edit.values[name] == initial(name, of: edit.ident) else { return false }
        return edits.contains { deletion.knows($0) && $0.action == .insert }
    }

    /// Whether an edit has set a reference to an object whose deletion the server had before it certainly
    /// had the reference. The reference may have become nil before it was sent.
    ///
    /// That is so even if another device's edit has brought the object back since, provided that the reference's
    /// device may have synced while the server did not have the object.
    private func leadsToNothing(_ name: String, _ edit: Edit) -> Bool {
        guard case .object(let target)? = edit.values[name] else { return false }
        let (edits, arrival) = (history.edits(of: target), edit.arrival ?? .max)
        return edits.contains { deletion in
            guard deletion.action == .delete, !edit.seen.contains(deletion.id),
                deletion.arrival ?? .max < arrival
            else { return false }
            if final.byIdent[target] == nil { return true }
            let isKept = edits.contains {
                $0.place == edit.place && isOfRecord($0) && collide($0, deletion)
            }
            return !isKept
                && history.absences[target, default: []].contains { absence in
                    absence.since < arrival && edit.firstAttempt ?? .max < absence.end
                }
        }
    }

    /// Whether a series of edits has given an object a destination that somebody has deleted since, so that the
    /// server did not have it when the device of a deletion could first meet any of them. The object may not have
    /// had a destination on that device.
    ///
    /// Then all that is left of them is a nil that follows from the deletion of the destination, and this device had
    /// nil, too.
    private func hasLostDestination(
        _ name: String, from first: Edit, to last: Edit, _ known: Set<Value>, before deletion: Edit
    ) -> Bool {
        guard case .object(let target)? = last.values[name], known.contains(Value.none) else {
            return false
        }
        let (meeting, answer) = (first.meetings[deletion.place] ?? .max, deletion.answer ?? .max)
        // If the edits' device meets the deletion instead, it knows better.
        guard first.firstAttempt ?? .max < answer, meeting <= answer else { return false }
        let isDeleted = history.edits(of: target).contains {
            $0.action == .delete && $0.birth < meeting
        }
        return isDeleted
            && history.absences[target, default: []].contains { absence in
                // If the destination is back, the reference may show again unless nothing has it any longer.
                absence.since <= meeting && last.birth < absence.end
                    && (meeting < absence.end || last.death(of: name) ?? .max <= meeting)
            }
    }

    /// Whether a series of edits, none of which its place has tried to send, has given a property back the
    /// value that the place had received before.
    private func isBack(_ name: String, from first: Edit, to last: Edit, _ edits: [Edit]) -> Bool {
        first.firstAttempt ?? .max > last.birth
            && received(name, before: last, edits) == last.values[name]
    }

    /// Whether the place of an edit has given the object back what the edit has changed before it tried to send that.
    func isTakenBackUnsent(_ edit: Edit, _ edits: [Edit]) -> Bool {
        let names = ownNames(edit)
        return !names.isEmpty
            && names.allSatisfy { name in
                let last = edits.last { $0.place == edit.place && $0.values[name] != nil }
                return last.map { isBack(name, from: edit, to: $0, edits) } ?? false
            }
    }

    /// The value of a property that the place of an edit had received before a series of edits that ends
    /// with this one, and none of which the server certainly had. They may include a deletion that was undone.
    ///
    /// If it is not known who wrote that, as the default of a property that is new in the place's model, what the first
    /// of them has replaced tells.
    func received(_ name: String, before edit: Edit, _ edits: [Edit]) -> Value? {
        let unsent = Set(
            edits.filter { other in
                let isRestoring =
                    other.action == .insert
                    && edits.contains {
                        $0.action == .delete && $0.place == other.place && other.knows($0)
                    }
                return other.place == edit.place && (other.action == .update || isRestoring)
                    && (other.arrival ?? .max) > edit.birth
            }.map(\.id))
        let writes = edits.filter { $0.values[name] != nil }
        let last = writes.last { edit.knows($0) && !unsent.contains($0.id) }
        if let first = writes.first(where: { unsent.contains($0.id) }),
            first.action == .update, first.unseen[name] == nil, let shown = first.replaced[name],
            last.map({ mayHaveGone($0, withDeletionKnownTo: first, edits) }) ?? true
        {
            return shown
        }
        return last?.values[name]
    }

    /// Whether a value may have gone with a deletion by its own device, which had not certainly sent it. If the
    /// deletion has lost since, the object came back without it.
    private func mayHaveGone(
        _ write: Edit, withDeletionKnownTo next: Edit, _ edits: [Edit]
    ) -> Bool {
        edits.contains { deletion in
            deletion.action == .delete && deletion.place == write.place
                && next.place == write.place && next.knows(deletion) && deletion.knows(write)
                && write.arrival ?? .max > deletion.birth
        }
    }

    /// Whether the destination of a write was deleted or taken over before another write was made and
    /// before the server certainly had the first one, which is then nobody's rival.
    ///
    /// Nor is it one if the user of the other write saw nil there, which is all that is left of it, or if that
    /// user's device may have received it when the user already knew that the destination was deleted. The device
    /// could not show it.
    func isVoid(_ write: Edit, before later: Edit, _ name: String) -> Bool {
        guard let death = write.death(of: name), death <= later.birth,
            hasLostDestination(write, name, before: death)
        else { return false }
        return death <= write.arrival ?? .max || later.replaced[name] == Value.none
            || later.mayKnow(write) && knowsDeletion(later, ofDestinationOf: write, name)
    }

    private func knowsDeletion(
        _ edit: Edit, ofDestinationOf write: Edit, _ name: String
    ) -> Bool {
        guard case .object(let target)? = write.values[name] else { return false }
        return history.edits(of: target).contains {
            $0.action == .delete && edit.seen.contains($0.id)
        }
    }

    /// Whether another object has won the destination of an edit, possibly before a deletion of the edit's
    /// object arrived at the edit's device. The end that gives way is not an edit.
    private func mayGiveWay(_ name: String, _ edit: Edit, before deletion: Edit) -> Bool {
        guard name == "node", case .object? = edit.values[name] else { return false }
        let attempt = deletion.firstAttempt ?? .max
        // The deletion's device has met the edit on the server.
        if edit.arrival ?? .max < attempt, attempt < edit.death(of: name) ?? .max { return false }
        let meeting = max(deletion.arrival ?? .max, edit.firstAttempt ?? .max)
        return history.edits.contains { rival in
            guard rival.ident != edit.ident, rival.values[name] == edit.values[name],
                collide(rival, edit), !rival.isVague, !rival.seen.contains(edit.id),
                !edit.seen.contains(rival.id), let sent = rival.firstAttempt ?? rival.arrival
            else { return false }
            return sent <= meeting && hasWon(rival, name)
        }
    }

    /// Whether the destination of an edit is still its object's, or was until a user changed that.
    private func hasWon(_ edit: Edit, _ name: String) -> Bool {
        edit.death(of: name) == nil
            || history.edits(of: edit.ident).contains { later in
                later.knows(edit) && (later.action == .delete || later.values[name] != nil)
            }
    }

    /// Whether an edit, or an earlier one of its device, has taken the object from a destination that the user of
    /// a deletion or another edit still saw there, and the edit has given it one that another object has won since.
    ///
    /// Nothing shows the edit any longer, but the destination that the object had is gone, too. To the other
    /// device that is an edit like any other.
    func hasGivenUp(_ edit: Edit, unknownTo rival: Edit) -> Bool {
        guard edit.action == .update, edit.place != rival.place, edit.firstAttempt != nil,
            !edit.knows(rival), !rival.knows(edit), !rival.isOfCopy,
            case .object(let target)? = edit.values["node"],
            case .object(let seen)? = rival.replaced["node"] ?? rival.shown["node"],
            seen != target, edit.death(of: "node") != nil
        else { return false }
        let hasTaken = history.edits(of: edit.ident).contains { other in
            (other.id == edit.id || edit.knows(other)) && !rival.knows(other)
                && other.place == edit.place && other.replaced["node"] == .object(seen)
        }
        if !hasTaken { return false }
        // The deletion wins against what was certainly there before it.
        if rival.action == .delete, policy(of: edit.ident) == .clientRecordWins,
            edit.arrival ?? .max < rival.firstAttempt ?? .max
        {
            return false
        }
        return history.edits.contains { winner in
            winner.ident != edit.ident && winner.values["node"] == edit.values["node"]
                && collide(winner, edit) && !winner.isVague && hasWon(winner, "node")
        }
    }

    /// Whether what one of two edits has left of its object's destination contests the other one, although
    /// nothing showed it any longer when that was made.
    func contestGivenUp(_ first: Edit, _ second: Edit) -> Bool {
        first.action == .update && second.action == .update
            && (hasGivenUp(first, unknownTo: second) || hasGivenUp(second, unknownTo: first))
    }

    /// Whether the server may have removed the destination of an edit's object for another object, although it
    /// has refused the other one's change. The edit's device cannot know why, and takes that for an edit.
    func mayLackNode(_ edit: Edit) -> Bool {
        guard isOfRecord(edit), edit.action != .insert, !edit.isVague else { return false }
        let known = history.edits(of: edit.ident).filter { $0.id == edit.id || edit.knows($0) }
        let destinations = Set(known.compactMap { $0.values["node"] }).subtracting([Value.none])
        if destinations.isEmpty { return false }
        return history.edits.contains { rival in
            history.refused.contains(rival.ident) && rival.ident != edit.ident
                && rival.action == .update
                && rival.values["node"].map(destinations.contains) ?? false
                && rival.place != edit.place && rival.firstAttempt != nil
                && !edit.seen.contains(rival.id) && !rival.seen.contains(edit.id)
                && history.known[history.serverPlace][rival.ident]?.isEmpty == false
        }
    }

    /// Whether the object of a deletion may have lost its destination to another object that was deleted before the
    /// deletion's device met it. The device cannot know why, and takes that for an edit, against which deletions
    /// win under `clientRecordWins`.
    func mayHaveLostNode(_ deletion: Edit) -> Bool {
        guard policy(of: deletion.ident) != .clientRecordWins,
            case .object? = deletion.shown["node"]
        else { return false }
        return history.edits.contains { taker in
            guard taker.ident != deletion.ident, taker.place != deletion.place, !taker.isVague,
                taker.values["node"] == deletion.shown["node"],
                !deletion.seen.contains(taker.id),
                taker.firstAttempt ?? taker.arrival ?? .max < deletion.arrival ?? .max
            else { return false }
            return history.edits(of: taker.ident).contains { end in
                end.action == .delete && end.knows(taker) && end.place != deletion.place
                    && end.firstAttempt ?? end.arrival ?? .max < deletion.answer ?? .max
            }
        }
    }

    /// Whether the devices of the last deletions of an object cannot tell whether another device has deleted the
    /// object, too, and made it again. That would be an edit, against which deletions win under
    /// `clientRecordWins`.
    func mayMeetAnother(_ deletions: [Edit]) -> Bool {
        let last = deletions.filter { deletion in !deletions.contains { $0.knows(deletion) } }
        return !last.isEmpty
            && last.allSatisfy { $0.mayMeetAnother && policy(of: $0.ident) != .clientRecordWins }
    }

    /// The values in an object's own record after edits.
    static func ownValues(_ edits: [Edit]) -> [String: Value] {
        edits.reduce(into: [:]) { $0.merge($1.values) { $1 } }
            .filter { !History.decidedElsewhere.contains($0.key) }
    }
}
