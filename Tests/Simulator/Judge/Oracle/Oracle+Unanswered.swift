/// Updates whose device got no response.
extension Oracle {
    /// Whether the device of an update that got no response may take it for one that has not arrived,
    /// although another edit was made knowing it. Then the two contest each other.
    ///
    /// That is so if the zone's log of requests does not tell, and the record that the device gets has none of
    /// the values that were sent.
    func mayCountAsUnsent(_ update: Edit, to edit: Edit) -> Bool {
        guard update.mayLackAnswer, update.isOutOfLog, update.action == .update, !update.isVague,
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
                    isReplaced(waiting.filter { $0.firstAttempt ?? 0 >= start }, by: later, edits)
                }
        }
    }

    /// Whether an edit may have been on the server before the device of an update got a response.
    private func isMet(_ edit: Edit, by update: Edit) -> Bool {
        (edit.firstAttempt ?? edit.arrival ?? .max) < update.answer ?? .max
    }

    /// Whether nothing is left of edits that were sent when another device has made a later one.
    private func isReplaced(_ sent: [Edit], by later: Edit, _ edits: [Edit]) -> Bool {
        let values = Self.ownValues(sent)
        let after = Self.ownValues(edits.filter { $0.id == later.id || later.knows($0) })
        return !values.isEmpty && values.allSatisfy { after[$0.key] != $0.value }
    }

    /// The values in an object's own record after edits.
    static func ownValues(_ edits: [Edit]) -> [String: Value] {
        edits.reduce(into: [:]) { $0.merge($1.values) { $1 } }
            .filter { !History.elsewhere.contains($0.key) && $0.key != "cover" }
    }
}
