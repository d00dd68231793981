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
}
