/// References that are nil in the end, which may or may not follow from what has happened to their destinations.
extension Oracle {
    /// Whether a series of edits, none of which its place has tried to send, has ended with the loss of the
    /// destination that the place had received before. In between it may have been another one.
    func endsInRelease(_ name: String, from first: Edit, to last: Edit, _ edits: [Edit]) -> Bool {
        guard last.isRelease, first.firstAttempt ?? .max > last.birth,
            let lost = last.replaced[name]
        else { return false }
        return received(name, before: last, edits) == lost
    }

    /// Whether a series of edits, sent or not, has ended with the loss of a destination, which is no edit, and the
    /// deletion's device cannot tell this from the loss of the one that its user saw there. That is the same one, or
    /// has gone to another object, too.
    ///
    /// What came before counts if the deletion has met it alone, and it has made something else of the reference.
    func endsInKnownRelease(
        _ name: String, from first: Edit, to last: Edit, _ edits: [Edit], _ known: Set<Value>,
        before deletion: Edit
    ) -> Bool {
        func isKnownLoss(_ edit: Edit) -> Bool {
            edit.isRelease && edit.replaced[name].map(known.contains) ?? false
        }
        guard last.isRelease,
            isKnownLoss(last) || isTaken(name, known, from: first, to: last, before: deletion)
                || mayFollowTaking(name, last, known, of: deletion)
        else { return false }
        let series = edits.filter { edit in
            edit.place == last.place && edit.values[name] != nil
                && (first.id...last.id).contains(edit.id)
        }
        return zip(series, series.dropFirst()).allSatisfy { edit, next in
            edit.values[name].map(known.contains) ?? false || isKnownLoss(edit)
                || !isMetAlone(edit, without: next, by: deletion)
                || isUndone(name, edit, edits, known, before: deletion)
        }
    }

    /// Whether a deletion and an edit have certainly met before the next edit of the same device could be sent.
    private func isMetAlone(_ edit: Edit, without next: Edit, by deletion: Edit) -> Bool {
        let arrival = deletion.arrival ?? .max
        let isThere = edit.arrival ?? .max < deletion.firstAttempt ?? .max
        let meeting = isThere ? arrival : max(arrival, edit.answer ?? .max)
        return meeting < next.firstAttempt ?? .max
    }

    /// Whether an edit has only taken an object from a destination that a deletion's user saw there, and the edit's
    /// device has then given that to another object, or another device has, possibly before the deletion met the edit.
    ///
    /// The records are the same as if the object had given way to the other one, and that is not an edit.
    func mayLookLikeRelease(
        _ name: String, _ edit: Edit, _ known: Set<Value>, before deletion: Edit
    ) -> Bool {
        guard edit.values[name] == Value.none, !edit.isRelease else { return false }
        return isTaken(name, known, from: edit, to: edit, before: deletion)
            || mayFollowTaking(name, edit, known, of: deletion)
    }

    /// Whether the device of a series of edits has given another object a destination that a deletion's user saw,
    /// after the first of them, and possibly before the deletion met the last. What it has taken back before sending
    /// it does not count.
    private func isTaken(
        _ name: String, _ known: Set<Value>, from first: Edit, to last: Edit, before deletion: Edit
    ) -> Bool {
        guard name == "node" else { return false }
        let destinations = known.subtracting([Value.none])
        let meeting = max(deletion.arrival ?? .max, last.answer ?? .max)
        return history.edits.contains { taker in
            taker.ident != first.ident && taker.place == first.place && !taker.isVague
                && taker.birth > first.birth && taker.firstAttempt ?? .max <= meeting
                && taker.death(of: name) ?? .max >= taker.firstAttempt ?? .max
                && taker.values[name].map(destinations.contains) ?? false
        }
    }

    /// Whether an edit has only taken an object from a destination that a deletion's user saw there, and that another
    /// device has deleted, possibly before the deletion's device met the edit.
    ///
    /// The records that this device meets are the same as if the reference were nil because of that. The edit's
    /// device knows better, so this does not apply if the deletion was settled before the edit was sent.
    func mayFollowDeletion(
        _ name: String, _ edit: Edit, _ known: Set<Value>, of deletion: Edit
    ) -> Bool {
        let meeting = deletion.answer ?? .max
        return mayFollowLoss(name, edit, known, of: deletion) { destination, isLoss in
            guard case .object(let target) = destination else { return false }
            // A deletion may have lost to an edit before the server had it.
            let isGone = history.absences[target, default: []].contains {
                $0.since <= meeting && edit.birth < $0.end
            }
            return isGone
                && history.edits(of: target).contains { $0.action == .delete && isLoss($0) }
        }
    }

    /// The same if a device has given the destination to another object without knowing the edit, or after it.
    private func mayFollowTaking(
        _ name: String, _ edit: Edit, _ known: Set<Value>, of deletion: Edit
    ) -> Bool {
        name == "node"
            && mayFollowLoss(name, edit, known, of: deletion) { destination, isLoss in
                guard case .object = destination else { return false }
                return history.edits.contains { taker in
                    taker.ident != edit.ident && taker.values[name] == destination
                        && isLoss(taker)
                }
            }
    }

    private func mayFollowLoss(
        _ name: String, _ edit: Edit, _ known: Set<Value>, of deletion: Edit,
        _ isLost: (_ destination: Value, _ isLoss: (Edit) -> Bool) -> Bool
    ) -> Bool {
        let meeting = deletion.answer ?? .max
        func isMet(_ other: Edit) -> Bool { other.firstAttempt ?? other.arrival ?? .max < meeting }
        guard edit.values[name] == Value.none, isMet(edit) else { return false }
        func isLoss(_ other: Edit) -> Bool {
            other.place != deletion.place && !other.isVague && !edit.seen.contains(other.id)
                && isMet(other)
        }
        return known.contains { isLost($0, isLoss) }
    }
}
