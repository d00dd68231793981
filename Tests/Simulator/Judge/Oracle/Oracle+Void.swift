/// Edits that need not count any longer when another one meets them.
extension Oracle {
    /// Whether another object has won the destination of an edit, possibly before a deletion of the edit's
    /// object arrived at the edit's device. The end that gives way is not an edit.
    func mayGiveWay(_ name: String, _ edit: Edit, before deletion: Edit) -> Bool {
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

    // MARK: - Values that are sent again

    /// The values that devices send again because they get a model that stores an attribute in another field,
    /// and that an update or a deletion by a device with this model may meet as other edits.
    func valuesSentAgain(toMeet edit: Edit) -> Set<Value> {
        guard edit.action == .delete || edit.action == .update && !ownNames(edit).isEmpty else {
            return []
        }
        let met = history.sentAgain[edit.ident, default: []].filter { sent in
            // Otherwise the other device has met the edit.
            sent.place != edit.place && sent.firstAttempt ?? .max < edit.arrival ?? .max
                && (isNew(sent, to: edit) || isUnknown(sent, to: edit))
                && !hasReplaced(sent.value, sent.name, edit)
        }
        return Set(met.map(\.value))
    }

    /// Whether an edit has replaced a property's value, or an edit has that it knows and its own device made.
    /// A device that sends this value again has not edited it, so that the edit holds. It need not hold if its
    /// device has tried to send it to the former field: then the device may have forgotten what it replaced.
    private func hasReplaced(_ value: Value, _ name: String, _ edit: Edit) -> Bool {
        guard let field = field(of: name, at: edit.place, edit.ident) else { return false }
        return history.edits(of: edit.ident).contains { other in
            other.place == edit.place && (other.id == edit.id || edit.knows(other))
                && other.replaced[name] == value && other.firstAttempt ?? .max > field.since
        }
    }

    /// Judges a property that devices have stored in different fields. Only the value that the last edit has
    /// replaced may not be there again, because others can only have sent it again.
    mutating func judgeLoose(
        _ ident: String, _ name: String, _ value: Value, _ writes: [Edit], _ edits: [Edit]
    ) {
        tally.undecided += 1
        let lost = writes.first { last in
            last.action == .update && !last.isVague && last.values[name] != value
                && writes.allSatisfy { $0.id == last.id || last.knows($0) }
                && hasReplaced(value, name, last) && !isExcused(last, edits, name)
        }
        guard let lost, merges(ident) || !history.touched.contains(ident) else { return }
        violations.append(
            Violation(
                "value lost",
                "\(ident).\(name) is \(value), which edit \(lost.id) has replaced;"
                    + " \(Self.story(edits, name))"))
    }

    /// Whether the device of an edit had the model before the device that sends a value again, and had not
    /// received this value.
    private func isNew(_ sent: History.SentAgain, to edit: Edit) -> Bool {
        guard let shown = edit.inNewFields[sent.name] else { return false }
        return shown.since < sent.birth && !shown.values.contains(sent.value)
            && edit.lastPass ?? 0 <= sent.arrival ?? .max
    }

    /// Whether an update changes an attribute whose value is sent again, by a device that has the model, but
    /// has neither received this value in the new field nor sent it there. It may have shown the value,
    /// because it had received it in the former field.
    private func isUnknown(_ sent: History.SentAgain, to update: Edit) -> Bool {
        guard update.action == .update, update.values[sent.name] != nil,
            let field = update.inNewFields[sent.name]
        else { return false }
        return !history.sentAgain[update.ident, default: []].contains { known in
            guard known.name == sent.name, known.value == sent.value, let arrival = known.arrival
            else { return false }
            return known.place == update.place
                ? arrival <= update.birth : max(arrival, field.since) < update.lastPass ?? 0
        }
    }

    /// Whether a deletion's device saw none of the edits, because they are of nothing but attributes that a
    /// version of the model stores in another field, and were written to the field that it does not read.
    func isBlind(_ deletion: Edit, to edits: [Edit]) -> Bool {
        edits.allSatisfy { edit in
            // Otherwise the edit's device has met the deletion.
            guard edit.action == .update, edit.place != deletion.place,
                let attempt = edit.firstAttempt, attempt < deletion.arrival ?? .max
            else { return false }
            return ownNames(edit).allSatisfy { name in
                let isNew = field(of: name, at: edit.place, edit.ident)?.since ?? .max < attempt
                return isNew != (deletion.inNewFields[name] != nil)
            }
        }
    }

    /// The field in which a device has come to store an object's attribute; nil if its model has not moved it.
    private func field(
        of name: String, at place: Int, _ ident: String
    ) -> History.NewField? {
        guard let field = history.newFields[place][name],
            history.kinds[ident].map(field.kinds.contains) ?? false
        else { return nil }
        return field
    }

    // MARK: - Updates without a response

    /// Whether the device of an update that got no response may take it for one that has not arrived,
    /// although another edit was made knowing it. Then the two contest each other.
    ///
    /// That is so if the record that it gets has none of the values that were sent, but an earlier one, and
    /// other properties have changed. If nothing else has changed, another device has set the values back.
    func mayCountAsUnsent(_ update: Edit, to edit: Edit) -> Bool {
        guard losesAnswers, update.action == .update, !update.isVague,
            edit.place != update.place, edit.knows(update), let attempt = update.firstAttempt,
            isMet(edit, by: update),
            // The server's version wins in any case.
            policy(of: update.ident) != .serverRecordWins
        else { return false }
        let edits = history.edits(of: update.ident)
        // Those of its device that have had no response by then may have been sent with it.
        let waiting = edits.filter { other in
            other.place == update.place && other.action == .update && !other.isVague
                && other.firstAttempt.map { $0 <= attempt } ?? false
                && other.answer ?? .max > attempt
        }
        let starts = Set(waiting.compactMap(\.firstAttempt))
        return edits.contains { later in
            later.place != update.place && later.knows(update) && isMet(later, by: update)
                && starts.contains { start in
                    isSetBack(waiting.filter { $0.firstAttempt ?? 0 >= start }, by: later, edits)
                }
        }
    }

    /// Whether an edit may have been on the server before the device of an update got a response.
    private func isMet(_ edit: Edit, by update: Edit) -> Bool {
        (edit.firstAttempt ?? edit.arrival ?? .max) < update.answer ?? .max
    }

    private func isSetBack(_ sent: [Edit], by later: Edit, _ edits: [Edit]) -> Bool {
        guard let last = sent.last else { return false }
        let ids = Set(sent.map(\.id))
        let values = Self.ownValues(sent)
        let before = Self.ownValues(edits.filter { last.knows($0) && !ids.contains($0.id) })
        let after = Self.ownValues(edits.filter { $0.id == later.id || later.knows($0) })
        return values.allSatisfy { after[$0.key] != $0.value }
            && values.keys.contains { after[$0] == before[$0] }
            && (mayHaveMoved(later.ident, unknownTo: last)
                || after.contains { values[$0.key] == nil && before[$0.key] != $0.value })
    }

    /// The values in an object's own record after edits.
    private static func ownValues(_ edits: [Edit]) -> [String: Value] {
        edits.reduce(into: [:]) { $0.merge($1.values) { $1 } }
            .filter { !History.elsewhere.contains($0.key) && $0.key != "cover" }
    }
}
