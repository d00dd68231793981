import Seam3

/// What the versions of an object have that meet each other, besides what their users have written. A policy
/// that decides on whole records decides on all of it.
extension Oracle {
    /// Whether the version that an edit has made of an object has a write of a property.
    func isPartOfVersion(
        _ write: Edit, of edit: Edit, _ writes: [Edit], _ name: String
    ) -> Bool {
        guard edit.id == write.id || edit.knows(write, name) else { return false }
        // What nobody showed any longer when the edit was made is not part of its version.
        return !writes.contains { other in
            other.knows(write, name) && !other.isVague
                && (other.death(of: name) ?? .max) > edit.birth
                && (other.id == edit.id || edit.knows(other, name))
        }
    }

    // MARK: - Combined versions

    /// Whether a version for which the app has combined the server's record, which has a write, with a
    /// version that did not know the write may have both.
    func mayBeCombined(_ write: Edit, with rival: Edit, _ writes: [Edit]) -> Bool {
        guard policy(of: write.ident) == .clientTellsWhichWins, collide(write, rival),
            write.firstAttempt ?? .max < rival.arrival ?? .max
        else { return false }
        return !writes.contains { other in
            other.knows(write) && !other.isVague && (other.arrival ?? .max) < rival.arrival ?? .max
        }
    }

    // MARK: - Values that come back

    /// Whether an older value may be there instead of a later write although no version that still has it has
    /// met the later write: this one has lost to another write, and that one to a version with the older value.
    func mayComeBack(
        _ write: Edit, insteadOf later: Edit, _ writes: [Edit], _ edits: [Edit], _ name: String
    ) -> Bool {
        guard let old = write.values[name], let lost = later.values[name] else { return false }
        return writes.contains { winner in
            guard winner.action == .update, !winner.isVague, winner.knows(write, name),
                collide(later, winner), let value = winner.values[name],
                mayLose(later, lost, to: winner, value, name)
            else { return false }
            return edits.contains { edit in
                edit.action == .update && edit.values[name] == nil && isOfRecord(edit)
                    && collide(winner, edit) && isPartOfVersion(write, of: edit, writes, name)
                    && mayLose(winner, value, to: edit, old, name)
            }
        }
    }

    /// Whether a value in an edit's version may lose to the value in another device's version, under a policy
    /// by which the device that comes later does not always lose.
    private func mayLose(
        _ edit: Edit, _ value: Value, to other: Edit, _ otherValue: Value, _ name: String
    ) -> Bool {
        switch policy(of: edit.ident) {
        case .clientRecordWins: return edit.firstAttempt ?? .max < other.arrival ?? .max
        case .clientTellsWhichWins:
            return Self.decided.contains(name) && Self.greater(value, otherValue) == otherValue
        default: return false
        }
    }
}
