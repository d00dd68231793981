import Seam3

extension SMSyncConflictResolutionPolicy {
    /// Whether each property is taken from the side that changed it.
    var mergesByProperty: Bool {
        [.mergeByProperty, .mergeByPropertyClientWins, .mergeByPropertyClientTells].contains(self)
    }
}

/// Judges which final results the promises allow.
///
/// It knows the edits and what each editor had seen, the table of the conflict policies, and what
/// must never happen. An edit by somebody who had seen all others is final. Edits that did not know
/// each other are contested and follow the policy. Everything that this leaves open is allowed.
struct Oracle {
    let history: History
    /// The store's policy.
    let policy: SMSyncConflictResolutionPolicy
    /// The policies of entities that have their own, which their subentities inherit.
    var entityPolicies: [Kind: SMSyncConflictResolutionPolicy] = [:]
    /// The devices during whose passes another device's pass ran. An edit that arrives between a
    /// pass's fetch and its deletions is deleted with the record, because CloudKit deletes any
    /// version.
    let raced: Set<Int>
    /// The final state of all places, or the state of a device after a pass.
    let final: Snapshot
    /// The device whose pass is judged; nil if nothing is under way any longer.
    var place: Int?
    /// Properties that objects have lost to damaged files. Any value that somebody has written may remain.
    var looseNames: Set<String> = []
    var violations: [Violation] = []
    var tally = Tally()

    init(
        history: History, policy: SMSyncConflictResolutionPolicy, raced: Set<Int>, final: Snapshot
    ) {
        self.history = history
        self.policy = policy
        self.raced = raced
        self.final = final
    }

    typealias Edit = History.Edit

    /// The policy of an object.
    func policy(of ident: String) -> SMSyncConflictResolutionPolicy {
        guard let kind = history.kinds[ident] else { return policy }
        return policy(of: kind)
    }

    func policy(of kind: Kind) -> SMSyncConflictResolutionPolicy {
        entityPolicies[kind] ?? kind.parent.flatMap { entityPolicies[$0] } ?? policy
    }

    /// Whether an object's properties are merged. An object with a natural key is never kept twice.
    func merges(_ ident: String) -> Bool {
        policy(of: ident).mergesByProperty
            || policy(of: ident) == .keepBoth && history.kinds[ident]?.naturalKey != nil
    }

    /// Whether an edit always wins against a deletion that does not know it.
    func editSurvivesDeletion(of ident: String) -> Bool {
        ![.serverRecordWins, .clientRecordWins].contains(policy(of: ident))
    }

    // MARK: - Who knew what

    /// Whether two edits were made without knowledge of each other, while both were visible.
    func collide(_ first: Edit, _ second: Edit) -> Bool {
        guard first.place != second.place || first.isVague || second.isVague,
            !first.knows(second), !second.knows(first), first.id != second.id
        else { return false }
        // What was last seen before the time of an edit was gone when that was made.
        if let end = first.end, end <= second.birth { return false }
        if let end = second.end, end <= first.birth { return false }
        return true
    }

    /// Whether an edit was made knowing what another one has made of a property. A policy that decides on
    /// whole records decides on an edit of which a reference was not seen as on one that was not seen.
    func knows(_ edit: Edit, _ other: Edit, _ name: String) -> Bool {
        if isOutOfSight(other, of: edit, name) { return false }
        return merges(edit.ident) ? edit.knows(other, name) : edit.knowsWhole(other)
    }

    /// Whether two edits collide as far as a property is concerned.
    func collide(_ first: Edit, _ second: Edit, _ name: String) -> Bool {
        if collide(first, second) { return true }
        return first.knows(second) && !knows(first, second, name)
            || second.knows(first) && !knows(second, first, name)
    }

    /// Whether two edits collide, or one has not seen a property of the other one.
    func collideAsWhole(_ first: Edit, _ second: Edit) -> Bool {
        collide(first, second) || contestGivenUp(first, second)
            || first.knows(second) && !first.knowsWhole(second)
            || second.knows(first) && !second.knowsWhole(first)
            || first.outOfSight.keys.contains { isOutOfSight(second, of: first, $0) }
            || second.outOfSight.keys.contains { isOutOfSight(first, of: second, $0) }
    }

    /// Whether an edit changes the object's own record.
    func isOfRecord(_ edit: Edit) -> Bool {
        edit.action != .update || edit.values.keys.contains { !History.elsewhere.contains($0) }
    }

    func hasDeletion(_ edits: [Edit]) -> Bool { edits.contains { $0.action == .delete } }

    /// The edits that may have replaced an edit without knowing it.
    func rivals(of edit: Edit, among edits: [Edit], property: String) -> [Edit] {
        edits.filter { other in
            if isNoRival(other, of: edit) || isOnlySeed(other, for: edit, property) {
                return false
            }
            if !collide(edit, other, property) {
                return !merges(edit.ident)
                    && (contestGivenUp(edit, other) || meetsDecision(on: other, edit, edits))
            }
            if other.action == .delete { return collide(edit, other) }
            if merges(edit.ident) { return other.values[property] != nil }
            return isOfRecord(other) && isOfRecord(edit)
        }
    }

    /// Whether an edit has only written default content, which never replaces what a user has set.
    private func isOnlySeed(_ other: Edit, for edit: Edit, _ property: String) -> Bool {
        let isUnset = edit.action == .insert && !edit.named.contains(property)
        return other.isSeed && !edit.isSeed && !isUnset
    }

    /// Whether all that was written since some deletions is default content. If the response with the deletion is late,
    /// it goes, too.
    private func hasOnlySeeds(_ edits: [Edit], since deletions: [Edit]) -> Bool {
        edits.allSatisfy { edit in
            edit.action == .delete || edit.isSeed || deletions.contains { $0.knows(edit) }
        }
    }

    // MARK: - All objects

    mutating func judge() {
        let copies = final.byIdent
        for ident in Set(history.byIdent.keys).union(copies.keys).sorted() {
            if history.isLink(ident) { continue }
            judge(ident, copies[ident] ?? [])
        }
        let links = final.links
        for link in history.byIdent.keys.sorted() where history.isLink(link) {
            judgeLink(link, exists: links.contains(link))
        }
        for link in links.sorted()
        where history.byIdent[link] == nil && !leadsToNamesake(link) {
            violations.append(Violation("made up", "the link \(link), which nobody made"))
        }
        judgeNames()
    }

    mutating func judge(_ ident: String, _ copies: [Snapshot.Object]) {
        let edits = history.edits(of: ident)
        guard !edits.isEmpty else {
            violations.append(Violation("made up", "\(ident), which nobody made"))
            return
        }
        let isRenamed = self.isRenamed(ident, edits)
        let sharesRecord = !sharers(of: ident).isEmpty
        judgeExistence(ident, edits, copies.count, isRenamed || sharesRecord)
        guard copies.count == 1, !isRenamed else {
            if copies.count > 1 { judgeCopies(ident, edits, copies) }
            return
        }
        guard !sharesRecord, let alive = lastLife(edits) else {
            // A deletion has lost to an edit, according to the policy, or this is one of two objects.
            tally.undecided += copies[0].values.count
            return judgeKnownValues(ident, edits, copies[0])
        }
        for (name, value) in copies[0].values.sorted(by: { $0.key < $1.key }) {
            judge(ident, name, value, alive)
        }
        judgeWinner(ident, edits, copies[0])
        if !merges(ident) { judgeVersions(ident, edits, copies) }
    }

    /// The edits since the last deletion, if all of them know all deletions; nil if a deletion is
    /// contested.
    func lastLife(_ edits: [Edit]) -> [Edit]? {
        let deletions = edits.filter { $0.action == .delete }
        guard !deletions.isEmpty else { return edits }
        let later = edits.filter { edit in
            edit.action != .delete && deletions.allSatisfy { edit.knows($0) }
        }
        guard later.contains(where: { $0.action == .insert }) else { return nil }
        // A device that has forgotten the server may get the record again, unchanged.
        if later.contains(where: \.isUnfounded) { return nil }
        let laterIDs = Set(later.map(\.id))
        let rest = edits.filter { edit in
            edit.action != .delete && !laterIDs.contains(edit.id)
        }
        // An unsent edit of the earlier object may apply to the later one.
        let isContested = rest.contains { edit in
            !deletions.contains { $0.knows(edit) } || later.contains { collide(edit, $0) }
        }
        return isContested ? nil : later
    }

    // MARK: - Existence

    mutating func judgeExistence(
        _ ident: String, _ edits: [Edit], _ count: Int, _ isRenamed: Bool
    ) {
        let deletions = edits.filter { $0.action == .delete }
        // The copies that keepBoth creates are deleted individually.
        let unanswered = deletions.filter { deletion in
            !deletion.isOfCopy
                && !edits.contains { $0.action == .insert && $0.knows(deletion) }
        }
        let description = Self.story(edits)
        if unanswered.isEmpty {
            if count == 0 {
                let isExcused = deletions.contains { deletion in
                    deletion.isOfCopy
                        || edits.contains { $0.action == .insert && collide($0, deletion) }
                        || hasOnlySeeds(edits, since: deletions)
                }
                let isMerged =
                    !namesakes(of: ident, edits).isDisjoint(with: final.byIdent.keys)
                    || edits.contains { mayHaveGoneAsAnother($0) || mayLosePlace($0) }
                if !isExcused, !isMerged {
                    violations.append(
                        Violation("object lost", "\(ident) is gone; \(description)"))
                }
            }
        } else if !isRenamed {
            judgeDeletion(ident, edits, unanswered, count, description)
        }
        if count > 1 { judgeCount(ident, edits, count, isRenamed, description) }
    }

    mutating func judgeDeletion(
        _ ident: String, _ edits: [Edit], _ deletions: [Edit], _ count: Int, _ description: String
    ) {
        let contesting = edits.filter { edit in
            edit.action != .delete && deletions.contains { collide(edit, $0) }
                && !deletions.contains { $0.knows(edit) }
        }
        // A deletion does not tell whether it knew an edit that got no response. The record of a new object with a natural
        // key may have been another device's. Nor does its device hear of the deletion of a new object if the feed has
        // forgotten that.
        let hasKey = history.kinds[ident]?.naturalKey != nil
        let isUnanswered = edits.contains { edit in
            edit.mayLackAnswer
                && (edit.action == .update && isOfRecord(edit)
                    || edit.action == .insert && (hasKey || edit.mayMissDeletion))
                && deletions.contains {
                    $0.place != edit.place && $0.knows(edit) && $0.birth < edit.answer ?? .max
                }
        }
        // What a migration sends is no edit for its device, nor for one that has migrated as well.
        let isOfMigration = contesting.allSatisfy { edit in
            deletions.allSatisfy { isNoEdit(edit, to: $0) }
        }
        let isRestored = edits.contains { mayRestore($0, edits, against: deletions) }
        // What is in the new field counts as an edit, so the deletion wins under clientRecordWins.
        let meetsNewField =
            policy(of: ident) != .clientRecordWins
            && deletions.contains {
                !valuesMet(by: $0).isEmpty || mayMeetUnseen($0, edits)
            }
        let hasLostNext = edits.contains { edit in
            deletions.contains { hasGivenUp(edit, unknownTo: $0) }
        }
        if count > 0, isOfMigration, !isUnanswered, !isRestored, !meetsNewField,
            !hasLostNext, !mayMeetAnother(deletions), !mayLeaveCopy(ident, edits, deletions),
            !history.touched.contains(ident),
            !deletions.contains(where: { mayLackNode($0) || mayHaveLostNode($0) })
        {
            violations.append(
                Violation("deletion undone", "\(ident) is there; \(description)"))
        }
        let sure = contesting.filter { edit in
            !edit.isVague && isOfRecord(edit) && !edit.isUnfounded && !edit.isOfMigration
                && !deletions.contains {
                    $0.mayKnow(edit) || wasGone(edit, before: $0)
                        || edit.death ?? .max <= $0.birth
                }
                // What may only follow from another object is an edit of that.
                && !(edit.action == .update && ownNames(edit).isEmpty)
                && !edit.isRelease && !edit.isSeed && !isLost(edit)
                && !comesToNothing(edit, edits, for: deletions)
                && !isUndoneInVain(edit, edits)
                && !edits.contains { $0.action != .delete && collide($0, edit) }
        }
        let hadRace = deletions.contains { raced.contains($0.place) }
        judgeDeletionWinner(ident, edits, count)
        if count == 0, editSurvivesDeletion(of: ident), !sure.isEmpty, !hadRace,
            !history.touched.contains(ident),
            !deletions.contains(where: { isBlind($0, to: sure) })
        {
            violations.append(
                Violation("edit lost to a deletion", "\(ident) is gone; \(description)"))
        }
    }

    /// Whether one of two contested versions may be a copy under `keepBoth` that the device of a deletion had not
    /// received, although nothing shows any longer what its user has edited.
    func mayLeaveCopy(_ ident: String, _ edits: [Edit], _ deletions: [Edit]) -> Bool {
        guard policy(of: ident) == .keepBoth, !merges(ident), history.copied.contains(ident) else {
            return false
        }
        return edits.contains { edit in
            edit.action == .update && isOfRecord(edit)
                && deletions.allSatisfy { !$0.knows(edit) && $0.place != edit.place }
                && edits.contains { $0.action == .update && isOfRecord($0) && collide($0, edit) }
        }
    }

    /// Whether an edit has lost all its values to damage before it was certainly sent.
    func isLost(_ edit: Edit) -> Bool {
        edit.action == .update && edit.lost.isSuperset(of: ownNames(edit))
    }

    /// Whether no place showed an edit any longer when a deletion was made, because its device had lost its
    /// values to damage, or it had lost to another edit. The judge cannot tell which.
    func wasGone(_ edit: Edit, before deletion: Edit) -> Bool {
        edit.gone ?? .max <= deletion.birth
    }

    /// The properties that an edit has changed in the object's own record.
    func ownNames(_ edit: Edit) -> Set<String> {
        Set(edit.values.keys).subtracting(History.decidedElsewhere)
    }

    mutating func judgeCount(
        _ ident: String, _ edits: [Edit], _ count: Int, _ isRenamed: Bool, _ description: String
    ) {
        let collisions = edits.filter { edit in
            edits.contains {
                collideAsWhole(edit, $0) && isOfRecord($0) && !areNoRivals(edit, $0)
            } && isOfRecord(edit)
        }.count
        let updates = edits.filter { $0.action == .update }
        let met = Set(updates.flatMap { valuesMet(by: $0) }).count
        let taken = updates.contains(where: mayLackNode) ? 1 : 0
        if isRenamed || areDifferent(final.byIdent[ident] ?? [], ident, edits) { return }
        if policy(of: ident) == .keepBoth, !merges(ident),
            collisions + met + taken + 1 >= count || history.touched.contains(ident)
                || edits.contains(where: \.isUnfounded)
        {
            return
        }
        violations.append(Violation("doubled", "\(ident) is there \(count) times; \(description)"))
    }

    // MARK: - Descriptions

    /// A readable description of the edits.
    static func story(_ edits: [Edit], _ name: String? = nil) -> String {
        edits.filter { name == nil || $0.values[name ?? ""] != nil || $0.action == .delete }
            .map { edit in
                let values =
                    name.map { edit.values[$0].map { " \($0)" } ?? "" }
                    ?? (edit.action == .update
                        ? " " + edit.values.keys.sorted().joined(separator: ",") : "")
                let past = edit.past.sorted().map(String.init).joined(separator: ",")
                let vague = edit.isVague ? "again " : ""
                return "\(edit.id): \(vague)\(edit.action)\(values) at \(edit.place)"
                    + " knowing [\(past)]" + (edit.death.map { " until \($0)" } ?? "")
            }.joined(separator: "; ")
    }
}
