/// The pairs of a to-one relationship that is its own inverse.
///
/// Both ends of a pair are in records, and nothing says which of them a user has set. So a pair that contests another
/// edit may stay or go, but all places show the same pairs, and nobody has two partners.
extension Oracle {
    /// A pair that a user has made or removed stands unless another edit of one of its objects contests that.
    ///
    /// Only the end is judged: as long as one of two records waits, others may decide on it.
    mutating func judgePartner(_ ident: String, _ value: Value, _ edits: [Edit]) {
        if place != nil { return }
        guard let last = lastPairing(of: ident, edits), let wanted = last.values["partner"],
            wanted == Value.none ? isFinal(last) : isMutual(last, wanted)
        else {
            tally.undecided += 1
            return
        }
        tally.exact += 1
        if value == wanted { return }
        violations.append(
            Violation(
                "pair lost",
                "\(ident).partner is \(value), and was last made \(wanted);"
                    + " \(Self.story(edits, "partner"))"))
    }

    /// The edit of an object's pair that is the last one for everybody and that no other edit contests.
    private func lastPairing(of ident: String, _ edits: [Edit]) -> Edit? {
        let heads = last(of: edits.filter { $0.values["partner"] != nil }, "partner")
        guard heads.count == 1, let head = heads.first, !isExcused(head, edits, "partner"),
            !history.touched.contains(ident), !history.refused.contains(ident)
        else { return nil }
        return head
    }

    /// Whether the last edit of the other object has made the same pair.
    private func isMutual(_ pairing: Edit, _ partner: Value) -> Bool {
        guard case .object(let other) = partner, final.byIdent[other]?.count == 1,
            let edits = lastLife(history.edits(of: other))
        else { return false }
        return lastPairing(of: other, edits)?.values["partner"] == .object(pairing.ident)
    }

    /// Whether nothing can restore the pair that an edit has removed. The former partner's own record still has the pair if
    /// a deletion of it has lost, or if another edit contests its removal there.
    private func isFinal(_ removal: Edit) -> Bool {
        let present = removal.replaced["partner"]?.names.filter { final.byIdent[$0] != nil } ?? []
        return present.allSatisfy { partner in
            guard history.lostDeletion(of: removal, "partner") == nil,
                let edits = lastLife(history.edits(of: partner))
            else { return false }
            return lastPairing(of: partner, edits) != nil
        }
    }
}
