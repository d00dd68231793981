import Seam3

/// What the versions of an object have that meet each other, besides what their users have written. A policy
/// that decides on whole records decides on all of it.
extension Oracle {
    /// Whether the version that an edit has made of an object has a write of a property.
    func isPartOfVersion(
        _ write: Edit, of edit: Edit, _ writes: [Edit], _ name: String
    ) -> Bool {
        guard edit.id == write.id || edit.knows(write, name) || isShown(write, by: edit, name)
        else { return false }
        // What nobody showed any longer when the edit was made is not part of its version.
        return !writes.contains { other in
            other.knows(write, name) && !other.isVague
                && !(other.replaced[name] == write.values[name] && mayBeTakenBack(other, name))
                && (other.death(of: name) ?? .max) > edit.birth
                && (other.id == edit.id || edit.knows(other, name))
        }
    }

    /// Whether an edit's place certainly showed a write's value, although it is not certain that it knew this
    /// write. So it is with an object that was made again, which may also be the one that was deleted.
    private func isShown(_ write: Edit, by edit: Edit, _ name: String) -> Bool {
        guard edit.mayKnow(write), let value = write.values[name], value != .none else {
            return false
        }
        return edit.shown[name] == value
    }

    /// Whether a version that may win against a later write has an older value, although its user knew a write in
    /// between, because that one had lost to a version with the older value.
    func mayHaveAgain(
        _ write: Edit, in rival: Edit, insteadOf later: Edit, _ writes: [Edit], _ edits: [Edit],
        _ name: String
    ) -> Bool {
        guard let value = write.values[name], rival.shown[name] == value,
            mayLose(later, name, later.values[name], to: rival, value),
            !isTakenBackUnsent(rival, edits)
        else { return false }
        let rest = writes.filter { !isOverruled($0, name, in: rival, edits) }
        return isPartOfVersion(write, of: rival, rest, name)
    }

    /// Whether the version of an edit lacks what another edit has made of a property, although its user knew that edit,
    /// because a version that did not know it had won as a whole.
    ///
    /// A pass knows everything that it has fetched, even what has lost. What its place showed tells what has won.
    func isOverruled(_ write: Edit, _ name: String, in edit: Edit, _ edits: [Edit]) -> Bool {
        guard let value = edit.shown[name], let lost = write.values[name], value != lost,
            edit.knows(write, name), edit.outOfSight[name]?.contains(write.id) != true
        else { return false }
        return edits.contains { winner in
            edit.knows(winner) && winner.action == .update && isOfRecord(winner)
                && winner.shown[name] == value && collide(write, winner)
                && mayLose(write, name, lost, to: winner, value)
        }
    }

    // MARK: - Adopted values

    /// Whether a value that is no edit, such as a nil that only follows from something else, may be part of the
    /// version to which a later write loses, although the user who made that version had not seen it.
    ///
    /// Such a value does not compete with an edit, so a device that meets it before it sends its own edit sends both
    /// in one record.
    func mayBeAdopted(
        _ write: Edit, by rival: Edit, insteadOf later: Edit, _ writes: [Edit], _ name: String
    ) -> Bool {
        guard write.isRelease || write.isOfMigration, collide(write, rival),
            rival.action == .update, !rival.isRelease, !rival.isOfMigration,
            // A nil is an edit if the reference had led elsewhere when the devices last agreed.
            rival.shown[name] ?? Value.none == write.replaced[name] ?? Value.none,
            // What its device has set itself holds.
            !writes.contains(where: {
                $0.place == rival.place && !write.mayKnow($0) && !$0.knows(write)
            }),
            mayLose(later, name, toVersionOf: rival),
            // A pass that runs within another one may meet what that has sent by then.
            let meeting = raced.contains(write.place)
                ? write.firstAttempt : write.meetings[rival.place],
            let attempt = write.firstAttempt, meeting < rival.arrival ?? .max
        else { return false }
        // The device has met the value alone, before others replaced it.
        return writes.allSatisfy { other in
            !other.knows(write) || other.isVague
                || attempt < other.firstAttempt ?? .max && meeting < other.arrival ?? .max
        }
    }

    /// Whether a whole version of an object may win against an edit that it meets, and of which no copy is made.
    /// Versions that the app's block has combined are judged as such.
    private func mayLose(_ edit: Edit, _ name: String, toVersionOf other: Edit) -> Bool {
        switch policy(of: edit.ident) {
        case .serverRecordWins: return other.firstAttempt ?? .max < edit.arrival ?? .max
        case .clientRecordWins:
            // A device whose model lacks an attribute leaves what the server has.
            return edit.firstAttempt ?? .max < other.arrival ?? .max
                && !other.unknown.contains(name)
        default: return false
        }
    }

    // MARK: - Combined versions

    /// Whether a version for which the app has combined the server's record, which has a write, with a
    /// version that did not know the write may have both.
    func mayBeCombined(
        _ write: Edit, with rival: Edit, _ writes: [Edit], _ name: String
    ) -> Bool {
        guard policy(of: write.ident) == .clientTellsWhichWins, collide(write, rival),
            write.firstAttempt ?? .max < rival.arrival ?? .max
        else { return false }
        return writes.allSatisfy { other in
            !other.knows(write) || other.isVague
                || other.arrival ?? .max >= rival.arrival ?? .max
                || mayKeepText(of: write, name, in: rival, against: other)
        }
    }

    /// Whether a version that meets a later text on the server may bring an earlier one back. Its device may have
    /// met the earlier one before the server certainly had the later one, so the app's block may have given its
    /// version that text. The block takes the greatest text each time.
    private func mayKeepText(
        of write: Edit, _ name: String, in version: Edit, against later: Edit
    ) -> Bool {
        guard Self.decided.contains(name), let text = write.values[name],
            let latest = later.values[name],
            write.meetings[version.place] ?? .max < later.arrival ?? .max
        else { return false }
        let own = version.shown[name] ?? version.values[name] ?? Value.none
        return [own, latest].allSatisfy { Self.greater($0, text) == text }
    }

    /// Whether the app's block may have kept an older value of the server's record when the device of a
    /// rival met that record, although the user of a later write knew it.
    ///
    /// If the block has also taken a text from the rival's version, the record is one that the later write
    /// does not know. So the later write meets it as well, and can lose to the same older value. The rival need
    /// not be an edit of that property, because its version has what its device has changed before and not sent.
    func mayBeKept(
        _ write: Edit, against rival: Edit, insteadOf later: Edit, _ writes: [Edit],
        _ edits: [Edit], _ name: String
    ) -> Bool {
        guard policy(of: write.ident) == .clientTellsWhichWins,
            rival.firstAttempt ?? .max < later.arrival ?? .max,
            let own = ownWrite(of: name, in: rival, edits),
            [own, later].allSatisfy({ mayKeep(write, name, against: $0) })
        else { return false }
        return edits.contains { server in
            guard later.knows(server), server.firstAttempt ?? .max < own.arrival ?? .max else {
                return false
            }
            let isPart = isPartOfVersion(write, of: server, writes, name)
            guard isPart || mayBeCombined(write, with: server, writes, name) else { return false }
            // A combined version has the greater text of the two.
            let others = isPart ? [server] : [server, write]
            return Self.decided.contains { text in
                (givesWay(server, edits, text, to: rival)
                    || brings(text, rival, edits, against: server))
                    && others.allSatisfy { exceeds(text, of: rival, that: $0, edits) }
            }
        }
    }

    /// The last write of a property in the version of an edit, if the edit's device has made it.
    private func ownWrite(of name: String, in edit: Edit, _ edits: [Edit]) -> Edit? {
        let write = edits.last {
            ($0.id == edit.id || edit.knows($0)) && $0.values[name] != nil
        }
        return write?.place == edit.place ? write : nil
    }

    /// Whether the version of an edit has a text that its device has changed and may not have sent before it met
    /// another device's edit.
    private func brings(
        _ text: String, _ edit: Edit, _ edits: [Edit], against server: Edit
    ) -> Bool {
        guard let own = ownWrite(of: text, in: edit, edits), own.action == .update else {
            return false
        }
        return collide(server, own) && server.firstAttempt ?? .max < own.arrival ?? .max
    }

    /// Whether the app's block prefers the text in an edit's version to a different one in the version of another.
    private func exceeds(_ name: String, of edit: Edit, that other: Edit, _ edits: [Edit]) -> Bool {
        guard let ours = text(name, of: edit, edits), let theirs = text(name, of: other, edits)
        else { return false }
        return ours != theirs && Self.greater(ours, theirs) == ours
    }

    /// Whether the app's block keeps the value of a write, which the server has, against another write. Of
    /// texts it takes the greater one.
    private func mayKeep(_ write: Edit, _ name: String, against other: Edit) -> Bool {
        guard let ours = other.values[name], let theirs = write.values[name] else { return false }
        return !Self.decided.contains(name) || Self.greater(ours, theirs) == theirs
    }

    /// Whether the app's block may have replaced a device's text by the one in another device's version,
    /// because that is the greater one.
    func givesWay(_ write: Edit, _ edits: [Edit], _ text: String, to edit: Edit) -> Bool {
        guard collide(write, edit), let theirs = write.values[text],
            // It was there when the edit came.
            write.firstAttempt ?? .max < edit.arrival ?? .max,
            let ours = self.text(text, of: edit, edits)
        else { return false }
        return ours != theirs && Self.greater(ours, theirs) == ours
    }

    /// The text that the version of an edit has.
    private func text(_ name: String, of edit: Edit, _ edits: [Edit]) -> Value? {
        edit.shown[name]
            ?? edits.last { ($0.id == edit.id || edit.knows($0)) && $0.values[name] != nil }?
            .values[name]
    }

    /// Whether an edit meets a text that the app's block may have taken from the version of another edit, in
    /// place of one that the edit's user knew. This user has not seen that text, so the other version contests
    /// the edit, even if nothing is left of what its user has edited.
    func meetsDecision(on other: Edit, _ edit: Edit, _ edits: [Edit]) -> Bool {
        guard policy(of: edit.ident) == .clientTellsWhichWins, other.action == .update,
            isOfRecord(other), isOfRecord(edit), !edit.knows(other), other.birth < edit.birth,
            other.firstAttempt ?? .max < edit.arrival ?? .max
        else { return false }
        return Self.decided.contains { name in
            let text = self.text(name, of: other, edits)
            return text != edit.replaced[name] ?? edit.shown[name]
                && edits.contains { edit.knows($0) && givesWay($0, edits, name, to: other) }
        }
    }

    // MARK: - Values that come back

    /// Whether an older value may be there instead of a later write although no version that still has it has
    /// met the later write: this one has lost to another version, and that one to a version with the older value.
    ///
    /// The version in between has another write of the property. Under `clientRecordWins`, its device may also
    /// have received the value that it has, and have changed something else.
    func mayComeBack(
        _ write: Edit, insteadOf later: Edit, _ writes: [Edit], _ edits: [Edit], _ name: String
    ) -> Bool {
        guard let old = write.values[name], let lost = later.values[name] else { return false }
        return edits.contains { winner in
            let value = winner.values[name]
            guard winner.action == .update, !winner.isVague, isOfRecord(winner),
                winner.knows(write, name), collide(later, winner),
                mayLose(later, name, lost, to: winner, value)
            else { return false }
            return edits.contains { edit in
                edit.action == .update && edit.values[name] == nil && isOfRecord(edit)
                    && collide(winner, edit) && isPartOfVersion(write, of: edit, writes, name)
                    && mayLose(winner, name, value, to: edit, old)
            }
        }
    }

    /// Whether a value in an edit's version may lose to the value in another device's version, under a policy by
    /// which the device that comes later does not always lose.
    private func mayLose(
        _ edit: Edit, _ name: String, _ value: Value?, to other: Edit, _ otherValue: Value?
    ) -> Bool {
        switch policy(of: edit.ident) {
        case .clientRecordWins: return edit.firstAttempt ?? .max < other.arrival ?? .max
        case .clientTellsWhichWins:
            guard let value, let otherValue else { return false }
            return Self.decided.contains(name) && Self.greater(value, otherValue) == otherValue
        default: return false
        }
    }
}
