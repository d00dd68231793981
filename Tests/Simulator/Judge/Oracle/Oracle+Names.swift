/// Natural keys, which name objects.
extension Oracle {
    /// Objects whose natural key was changed, and objects whose key another one was given. They may
    /// have become one, or have each other's names.
    func isRenamed(_ ident: String, _ edits: [Edit]) -> Bool {
        guard let key = history.kinds[ident]?.naturalKey else { return false }
        return edits.contains { $0.action == .update && !$0.isVague && $0.values[key] != nil }
            || !namesakes(of: ident, edits).isEmpty
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

    /// An object that was given a natural key and neither deleted nor renamed exists under that
    /// name.
    mutating func judgeNames() {
        for ident in history.byIdent.keys.sorted() {
            guard let key = history.kinds[ident]?.naturalKey else { continue }
            let edits = history.edits(of: ident)
            if edits.contains(where: { $0.action == .delete || $0.isVague }) { continue }
            for edit in edits where edit.named.contains(key) {
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
                if isReplaced || isContested || isOfOne { continue }
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

    /// Whether a named object had become another device's object of that name by the time it was
    /// renamed.
    private func isOfOneObject(_ edit: Edit, renamedBy other: Edit) -> Bool {
        guard edit.action == .insert, other.action == .update, let attempt = edit.firstAttempt
        else { return false }
        return attempt < other.arrival ?? .max
    }
}
