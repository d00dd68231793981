import Seam3

/// The version of an object that the policy prefers.
///
/// If one version was on the server before the other device first tried to send its own, it is the
/// server's version, and the result is certain.
extension Oracle {
    /// Two versions of an object that two devices have derived from a third one.
    struct Contest {
        let ancestor: [String: Value]
        /// The version that the server had first.
        let server: [String: Value]
        /// The other device's version.
        let client: [String: Value]
        /// The properties that the device which made the object did not sync.
        let unknownNames: Set<String>
        /// The same versions before each edit of the other device's user during the pass that was the first to
        /// send anything of its version. The pass may have met the server's version before that edit.
        var earlier: [Stage] = []

        /// The properties that either version has changed.
        var changedNames: [String] {
            ancestor.keys.sorted().filter { name in
                [server, client].contains { $0[name] != ancestor[name] }
            }
        }

        /// Whether both sides have changed something, and have different versions.
        var isContested: Bool {
            server != ancestor && client != ancestor && server != client
        }

        /// What both have set to the same value counts as changed by neither.
        func isChanged(_ name: String, by version: [String: Value]) -> Bool {
            version[name] != ancestor[name] && server[name] != client[name]
        }

        /// The version of the only side that counts as having changed something; nil if both do.
        var onlyChange: [String: Value]? {
            let names = Set(server.keys).union(client.keys)
            if !names.contains(where: { isChanged($0, by: client) }) { return server }
            if !names.contains(where: { isChanged($0, by: server) }) { return client }
            return nil
        }
    }

    /// A contest before some of the other device's edits.
    struct Stage {
        let contest: Contest
        /// What the other device showed before these edits.
        let shown: [String: Value]
        /// What its user has changed with them.
        let later: [String: Value]
    }

    /// Fields for which the app's block chooses the greater text.
    static let decided: Set<String> = ["title", "note", "text", "x", "y", "extra"]

    mutating func judgeWinner(_ ident: String, _ edits: [Edit], _ object: Snapshot.Object) {
        let policy = policy(of: ident)
        guard policy != .keepBoth, let contest = contest(ident, edits) else { return }
        let names = contest.changedNames.filter { name in
            !looseNames.contains(name) && !isHalfSeen(name, of: ident)
                // The app's block does not know the new field.
                && !(Self.isTold(policy) && history.hasMoved(name, ident))
        }
        func differs(_ values: [String: Value], from required: [String: Value], in name: String)
            -> Bool
        {
            guard let value = values[name], let winner = required[name], winner != value else {
                return false
            }
            // A version may have adopted what a migration has sent, which is not in the contest.
            return !edits.contains { $0.isOfMigration && $0.values[name] == value }
        }
        let required = winners(of: contest, policy)
        let wrong = names.filter { differs(object.values, from: required, in: $0) }
        if wrong.isEmpty { return }
        // What a user edits after the decision is an ordinary edit. The user saw the decision.
        let isDecidedBefore = contest.earlier.contains { stage in
            let decided = winners(of: stage.contest, policy)
            let result = decided.merging(stage.later) { $1 }
            return names.allSatisfy { name in
                !differs(stage.shown, from: decided, in: name)
                    && !differs(object.values, from: result, in: name)
            }
        }
        if isDecidedBefore { return }
        for name in wrong {
            guard let value = object.values[name], let winner = required[name] else { continue }
            violations.append(
                Violation(
                    "policy not followed",
                    "\(ident).\(name) is \(value), and \(policy) says \(winner);"
                        + " \(Self.story(edits, name))"))
        }
    }

    /// The required values of the properties that either version has changed, except those for which several are
    /// allowed.
    private func winners(
        of contest: Contest, _ policy: SMSyncConflictResolutionPolicy
    ) -> [String: Value] {
        contest.changedNames.reduce(into: [:]) { $0[$1] = winner($1, contest, policy) }
    }

    /// The required value of a property; nil if several are allowed.
    private func winner(
        _ name: String, _ contest: Contest, _ policy: SMSyncConflictResolutionPolicy
    ) -> Value? {
        guard let ours = contest.client[name], let theirs = contest.server[name] else { return nil }
        if ours == theirs { return ours }
        if let only = contest.onlyChange { return only[name] }
        // What the maker of the record did not know stays with either record, if nobody has written it since.
        if contest.unknownNames.contains(name), theirs == Value.none, !policy.mergesByProperty {
            return nil
        }
        if policy.mergesByProperty {
            if !contest.isChanged(name, by: contest.client) { return theirs }
            if !contest.isChanged(name, by: contest.server) { return ours }
        }
        if Self.isTold(policy), Self.decided.contains(name) { return Self.greater(ours, theirs) }
        return [.clientRecordWins, .mergeByPropertyClientWins].contains(policy) ? ours : theirs
    }

    private static func isTold(_ policy: SMSyncConflictResolutionPolicy) -> Bool {
        [.clientTellsWhichWins, .mergeByPropertyClientTells].contains(policy)
    }

    static func greater(_ first: Value, _ second: Value) -> Value? {
        guard first != .none else { return second }
        guard second != .none else { return first }
        guard let one = first.stored as? String, let other = second.stored as? String else {
            return nil
        }
        return one < other ? second : first
    }

    /// The two versions of an object by two devices, if it is certain which of them the server had
    /// first; nil otherwise.
    func contest(_ ident: String, _ edits: [Edit]) -> Contest? {
        // What a migration sends competes with no edit.
        let edits = edits.filter { isOfRecord($0) && !$0.isOfMigration }
        guard let first = edits.first, first.action == .insert,
            history.kinds[ident]?.naturalKey == nil, !history.touched.contains(ident),
            edits.dropFirst().allSatisfy({ edit in
                edit.action == .update && Self.isOfAttributes(edit)
            }),
            edits.allSatisfy({ !$0.isVague && !$0.isUnfounded })
        else { return nil }
        let heads = edits.filter { edit in !edits.contains { $0.knows(edit) } }
        guard heads.count == 2 else { return nil }
        let branches = heads.map { head in
            let other = heads[0].id == head.id ? heads[1] : heads[0]
            return edits.filter { ($0.id == head.id || head.knows($0)) && !other.knows($0) }
        }
        let common = edits.filter { heads[0].knows($0) && heads[1].knows($0) }
        let isChain = common.indices.allSatisfy { index in
            common[..<index].allSatisfy(common[index].knows)
        }
        guard isChain, !common.isEmpty, areInSameFields(branches.flatMap { $0 }),
            branches.allSatisfy({ $0.allSatisfy { valuesMet(by: $0).isEmpty } }),
            !mayCountAsMigrated(branches[0], branches[1]),
            let (server, client) = inOrder(branches[0], branches[1])
                ?? inOrder(branches[1], branches[0])
        else { return nil }
        func version(_ branch: [Edit], hasLost: Bool = true) -> [String: Value] {
            // What nobody showed any longer when the last edit was made is not part of the version, nor is what has
            // lost before.
            let shown = branch.filter { ($0.death ?? .max) > branch.last?.birth ?? 0 }
            return (common + shown).reduce(into: [:]) { version, edit in
                let values = edit.values.filter { name, _ in
                    (hasLost || !edit.lost.contains(name))
                        && branch.last.map { isOverruled(edit, name, in: $0, edits) } != true
                }
                version.merge(values) { $1 }
            }
        }
        let whole = version(server)
        var result = Contest(
            ancestor: version([]), server: whole, client: version(client),
            unknownNames: first.unknown)
        let attempt = client.compactMap(\.firstAttempt).min() ?? .max
        for (index, edit) in client.enumerated() where edit.birth >= attempt {
            let stage = Contest(
                ancestor: result.ancestor, server: whole,
                client: version(Array(client[..<index])), unknownNames: first.unknown)
            result.earlier.append(
                Stage(
                    contest: stage, shown: edit.shown.merging(edit.replaced) { $1 },
                    later: client[index...].reduce(into: [:]) { values, later in
                        values.merge(later.values) { $1 }
                    }))
        }
        // Values that were lost to damage may or may not count as changed.
        let rest = Contest(
            ancestor: version([], hasLost: false), server: version(server, hasLost: false),
            client: version(client, hasLost: false), unknownNames: first.unknown)
        return result.isContested && rest.isContested
            && (result.onlyChange == nil) == (rest.onlyChange == nil) ? result : nil
    }

    /// Whether the response to an edit was lost, and its device has not synced again before the server
    /// had other edits.
    private func isUnanswered(_ edit: Edit, before others: [Edit]) -> Bool {
        let arrival = others.map { $0.arrival ?? .max }.min() ?? .max
        return edit.mayLackAnswer && edit.answer ?? .max > arrival
    }

    private static func isOfAttributes(_ edit: Edit) -> Bool {
        edit.values.values.allSatisfy { value in
            switch value {
            case .object, .objects, .ordered: return false
            default: return true
            }
        }
            && edit.values.keys.allSatisfy { Kind.node.toOne[$0] == nil && $0 != "node" }
    }

    /// Two branches, if the first was on the server before the other device began to send the
    /// second.
    private func inOrder(
        _ first: [Edit], _ second: [Edit]
    ) -> (server: [Edit], client: [Edit])? {
        let places = [first, second].map { Set($0.map(\.place)) }
        guard places.allSatisfy({ $0.count == 1 }), places[0] != places[1],
            places.allSatisfy(raced.isDisjoint(with:)),
            let arrival = first.map({ $0.arrival ?? .max }).max(),
            let attempt = second.map({ $0.firstAttempt ?? 0 }).min(), arrival < attempt,
            second.allSatisfy({ ($0.arrival ?? .max) > attempt }),
            !second.contains(where: { edit in first.contains(where: edit.mayKnow) }),
            !first.contains(where: { edit in second.contains(where: edit.mayKnow) })
        else { return nil }
        return (first, second)
    }

    // MARK: - Deletions

    /// Under the policies by which one record wins, the winner is certain if an edit or a deletion
    /// was on the server before the other device first tried to send its own.
    mutating func judgeDeletionWinner(_ ident: String, _ edits: [Edit], _ count: Int) {
        let policy = policy(of: ident)
        guard [.serverRecordWins, .clientRecordWins].contains(policy),
            let isDeletionFirst = isDeletionFirst(ident, edits.filter(isOfRecord))
        else { return }
        // An edit that got no response counts as unknown to the deletion.
        let isUnknown =
            !isDeletionFirst && policy == .clientRecordWins && hasUnansweredEdit(edits)
        if isUnknown { return }
        let (deletions, others) = (edits.filter { $0.action == .delete }, edits.filter(isOfRecord))
        let isUnseen = deletions.contains { deletion in
            isBlind(deletion, to: others.filter { $0.id != deletion.id && !deletion.knows($0) })
        }
        // The deletion has won, because its device saw no other edit.
        if isUnseen, count == 0 { return }
        // The server's version wins, or the other device's.
        let isDeleted = isDeletionFirst == (policy == .serverRecordWins)
        if isDeleted == (count == 0) { return }
        violations.append(
            Violation(
                "policy not followed",
                "\(ident) is \(count == 0 ? "gone" : "there") against \(policy);"
                    + " \(Self.story(edits))"))
    }

    /// Whether the app's block may have given an object an earlier text back when a device that had an
    /// edit met what a deletion knows. That is a change on the server, which the deletion does not
    /// know, even if nothing is left of the edit itself.
    func mayRestore(_ edit: Edit, _ edits: [Edit], against deletions: [Edit]) -> Bool {
        guard policy(of: edit.ident) == .clientTellsWhichWins, edit.action == .update,
            isOfRecord(edit), !deletions.contains(where: { $0.knows(edit) })
        else { return false }
        return deletions.contains { deletion in
            deletion.place != edit.place && !edit.knows(deletion) && edit.birth < deletion.birth
                && Self.decided.contains { name in
                    let known = edits.filter { deletion.knows($0) && $0.values[name] != nil }
                    // The user has not seen the text that was given back.
                    return known.last?.death ?? .max > deletion.birth
                        && known.contains { loses($0, edits, name, against: edit) }
                }
        }
    }

    /// Whether a device that had an edit may have replaced another device's text by the earlier one that
    /// it still had, because that is the greater one.
    private func loses(
        _ write: Edit, _ edits: [Edit], _ name: String, against edit: Edit
    ) -> Bool { edit.values[name] == nil && givesWay(write, edits, name, to: edit) }

    private func hasUnansweredEdit(_ edits: [Edit]) -> Bool {
        let deletions = edits.filter { $0.action == .delete }
        return edits.contains { edit in
            edit.action == .update && deletions.allSatisfy { !$0.knows(edit) }
                && isUnanswered(edit, before: deletions)
        }
    }

    private func isDeletionFirst(_ ident: String, _ edits: [Edit]) -> Bool? {
        let deletions = edits.filter { $0.action == .delete }
        guard deletions.count == 1, let deletion = deletions.first, !deletion.isOfCopy,
            history.kinds[ident]?.naturalKey == nil, !history.touched.contains(ident),
            edits.allSatisfy({ !$0.isVague && (!$0.isUnfounded || $0.action == .delete) })
        else { return nil }
        let rivals = edits.filter {
            $0.id != deletion.id && !deletion.knows($0) && !$0.isOfMigration
        }
        guard !rivals.isEmpty,
            rivals.allSatisfy({ edit in
                edit.action == .update && Self.isOfAttributes(edit) && !edit.knows(deletion)
                    && !wasGone(edit, before: deletion)
                    && collide(edit, deletion)
            }),
            !rivals.allSatisfy({ isLost($0) || comesToNothing($0, edits, for: deletions) })
        else { return nil }
        // An edit may have lost to another one that the deletion knows, and is on no record any longer.
        let mayHaveLost = rivals.contains { rival in
            rival.death ?? .max <= deletion.firstAttempt ?? .max
                && edits.contains {
                    $0.action == .update && deletion.knows($0) && collide($0, rival)
                }
        }
        if mayHaveLost { return nil }
        return inOrder([deletion], rivals) != nil
            ? true : inOrder(rivals, [deletion]) != nil ? false : nil
    }
}
