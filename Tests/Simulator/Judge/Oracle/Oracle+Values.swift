import Seam3

/// The values, copies, orders and links that the promises allow.
extension Oracle {
    // MARK: - Values

    mutating func judge(
        _ ident: String, _ name: String, _ value: Value, _ edits: [Edit]
    ) {
        if case .objects = value { return }
        if name == "partner" { return judgePartner(ident, value, edits) }
        // The cover's end of the one-to-one relationship decides.
        if name == "cover" || name == "picked" { return }
        let writes = edits.filter { $0.values[name] != nil && mayBeRead($0, name) }
        if case .ordered(let order) = value {
            return judgeOrder(ident, name, order, writes)
        }
        let written = writes.filter { $0.values[name] == value }
        if looseNames.contains(name), !written.isEmpty || value == initial(name, of: ident) {
            tally.undecided += 1
            return
        }
        let allowed = writes.filter { isAllowed($0, writes, edits, name) }
        let isInitial =
            writes.allSatisfy { isExcused($0, edits, name) && $0.unseen[name] == nil }
            && value == initial(name, of: ident)
        count(allowed, of: writes, name)
        let isMissing =
            value == Value.none && writes.contains { hasToLeadBack($0, name, writes) }
        if !isMissing, isInitial || allowed.contains(where: { $0.values[name] == value }) { return }
        if isBehind(ident, name, value, writes) || mayHaveMet(value, name, writes)
            || mayLeadBack(name, value, writes, edits)
        {
            return
        }
        if history.touched.contains(ident), !merges(ident), !written.isEmpty { return }
        // What lost its destination before the other version won is no longer there.
        let earlier = writes.filter {
            isAllowed($0, writes, edits, name, evenIfReleased: true)
        }
        if !isMissing, isReleased(name, value, last(of: writes, name) + earlier) { return }
        let story = Self.story(edits, name)
        if written.isEmpty {
            violations.append(
                Violation("value lost", "\(ident).\(name) is \(value), not written so; \(story)"))
        } else {
            violations.append(
                Violation("value lost", "\(ident).\(name) is \(value) in the end; \(story)"))
        }
    }

    func initial(_ name: String, of ident: String) -> Value {
        history.kinds[ident]?.defaultValue(of: name) ?? Value.none
    }

    mutating func count(_ allowed: [Edit], of writes: [Edit], _ name: String) {
        let values = Set(allowed.compactMap { $0.values[name] })
        let all = Set(writes.compactMap { $0.values[name] })
        if values.count < 2 {
            tally.exact += 1
        } else if values.count < all.count {
            tally.narrowed += 1
        } else {
            tally.undecided += 1
        }
    }

    /// Whether a write's value may be the final one.
    ///
    /// - Parameter evenIfReleased: Whether that is so although no place shows the value any longer
    ///   because its destination was deleted, or taken over.
    func isAllowed(
        _ write: Edit, _ writes: [Edit], _ edits: [Edit], _ name: String,
        evenIfReleased: Bool = false
    ) -> Bool {
        if let death = write.hasReturned ? write.faded[name] : write.death(of: name) {
            guard evenIfReleased, hasLostDestination(write, name, before: death) else {
                return false
            }
        }
        let later = writes.filter { knows($0, write, name) && !$0.isVague }
        if merges(write.ident) {
            // One of the contested values wins, and no older one.
            if later.contains(where: { !isOvertaken($0, edits, name) }) { return false }
        } else if last(of: later, name).contains(where: {
            !isExcused($0, edits, name) || !mayBeShown(write, insteadOf: $0, writes, edits, name)
        }) {
            return false
        }
        // A value set by the user beats a default value.
        return last(of: writes, name).allSatisfy { other in
            other.id == write.id || knows(write, other, name) || knows(other, write, name)
                || isExcused(other, edits, name) || other.isVague
                || other.values[name] == write.values[name]
                || isVoid(other, before: write, name) || wasTakenBack(other, before: write, name)
        }
    }

    /// Whether a version of an object that won against a later write may still have an older value,
    /// because the user who made that version saw this value.
    func mayBeShown(
        _ write: Edit, insteadOf later: Edit, _ writes: [Edit], _ edits: [Edit], _ name: String
    ) -> Bool {
        if later.isVague || later.isUnfounded || mayLackNode(later) { return true }
        if mayRemain(write, insteadOf: later, writes, name)
            || mayComeBack(write, insteadOf: later, writes, edits, name)
        {
            return true
        }
        return rivals(of: later, among: edits, property: name).contains { rival in
            if rival.isVague || rival.isUnfounded || rival.action == .delete { return true }
            return mayBeCombined(write, with: rival, writes, name)
                || isPartOfVersion(write, of: rival, writes, name)
                || mayHaveAgain(write, in: rival, insteadOf: later, writes, edits, name)
                || mayBeKept(write, against: rival, insteadOf: later, writes, edits, name)
                || mayBeAdopted(write, by: rival, insteadOf: later, writes, name)
        }
    }

    /// The writes of a property that none of the others has replaced.
    func last(of writes: [Edit], _ name: String) -> [Edit] {
        writes.filter { write in !writes.contains { knows($0, write, name) && !$0.isVague } }
    }

    /// Whether a later write may itself be lost completely.
    func isOvertaken(_ write: Edit, _ edits: [Edit], _ name: String) -> Bool {
        write.isUnfounded && isExcused(write, edits, name)
            || rivals(of: write, among: edits, property: name).contains {
                $0.isVague || $0.action == .delete
            }
    }

    /// Whether the promises allow that a write is lost.
    func isExcused(_ write: Edit, _ edits: [Edit], _ name: String) -> Bool {
        if write.isVague || isForgotten(write) || mayBeLostWithMoved(write, name) { return true }
        let rivals = rivals(of: write, among: edits, property: name)
        if write.action == .insert, !write.named.contains(name) {
            // A default value loses to one that somebody has set.
            return !rivals.isEmpty
        }
        if merges(write.ident) {
            return rivals.contains { $0.action != .insert || $0.named.contains(name) }
        }
        return !rivals.isEmpty || mayLackNode(write)
    }

    /// A device that has forgotten the server does not know who edited last.
    private func isForgotten(_ write: Edit) -> Bool {
        write.isUnfounded && mayLoseToServer(policy(of: write.ident))
    }

    /// The order of a list is in the nodes' records.
    private func isForgottenOrder(_ write: Edit) -> Bool {
        write.isUnfounded && mayLoseToServer(policy(of: Kind.node))
    }

    private func mayLoseToServer(_ policy: SMSyncConflictResolutionPolicy) -> Bool {
        ![.clientRecordWins, .mergeByPropertyClientWins].contains(policy)
    }

    /// Whether a reference may be nil although somebody set it, because its destination was
    /// deleted, has yet to arrive at the device, or was won by another object in a one-to-one
    /// relationship.
    func isReleased(
        _ name: String, _ value: Value, _ writes: [Edit]
    ) -> Bool {
        guard value == Value.none else { return false }
        for write in writes {
            if hasLostDestination(write, name) || isAhead(write, name) { return true }
            guard name == "node", case .object(let target)? = write.values[name] else { continue }
            // Two contexts of one device may have set it. Whether the other object may have the
            // destination is judged with that object.
            let isTaken = final.objects.values.contains {
                $0.ident != write.ident && $0.values["node"] == .object(target)
            }
            if isTaken { return true }
        }
        return false
    }

    /// Whether the destination of a write has never been at the device whose pass is judged. The device
    /// keeps the reference, which reads as nil until the destination arrives.
    private func isAhead(_ write: Edit, _ name: String) -> Bool {
        guard let place, case .object(let target)? = write.values[name] else { return false }
        return final.byIdent[target] == nil && history.known[place][target, default: []].isEmpty
    }

    /// Whether the destination of a write was deleted, or another object may have won it in a one-to-one
    /// relationship, before a time.
    func hasLostDestination(
        _ write: Edit, _ name: String, before time: Int = .max
    ) -> Bool {
        guard case .object(let target)? = write.values[name] else { return false }
        let edits = history.edits(of: target)
        if edits.contains(where: { $0.action == .delete && $0.birth < time })
            || history.touched.contains(target)
        {
            return true
        }
        return name == "node"
            && history.edits.contains { other in
                other.ident != write.ident && other.values["node"] == .object(target)
                    && other.birth < time && collide(other, write) && !other.isVague
            }
    }

    /// If a policy has chosen among values, it is only certain that somebody has written the chosen
    /// one.
    mutating func judgeKnownValues(
        _ ident: String, _ edits: [Edit], _ object: Snapshot.Object
    ) {
        // Objects that were given the same natural key may have become one, or one has the other's record.
        let edits =
            edits + namesakes(of: ident, edits).flatMap(history.edits) + editsOfSharers(of: ident)
        for (name, value) in object.values.sorted(by: { $0.key < $1.key }) {
            switch value {
            case .objects, .ordered: continue
            case .none, .object: continue
            default: break
            }
            if value == initial(name, of: ident) { continue }
            if edits.contains(where: { $0.values[name] == value }) { continue }
            violations.append(Violation("made up", "\(ident).\(name) is \(value)"))
        }
    }

    // MARK: - Copies

    /// The copies of an object have only values that somebody wrote, and no version is lost.
    mutating func judgeCopies(
        _ ident: String, _ edits: [Edit], _ copies: [Snapshot.Object]
    ) {
        for copy in copies { judgeKnownValues(ident, edits, copy) }
        judgeVersions(ident, edits, copies)
    }

    /// Under `keepBoth`, each version survives in one of the copies.
    mutating func judgeVersions(
        _ ident: String, _ edits: [Edit], _ copies: [Snapshot.Object]
    ) {
        guard policy(of: ident) == .keepBoth, !merges(ident), !hasDeletion(edits),
            !history.touched.contains(ident),
            !edits.contains(where: { $0.isVague || $0.isUnfounded })
        else { return }
        let contested = edits.filter { edit in
            edits.contains {
                collide($0, edit) && isOfRecord($0) && !knowsSame($0, as: edit, edits)
            } || !valuesMet(by: edit).isEmpty
        }
        // Later edits of copies change one copy only, and the other keeps its values. A version
        // that no place shows any longer must still be in a copy.
        for edit in contested where edit.action == .update {
            for (name, value) in edit.values.sorted(by: { $0.key < $1.key }) {
                guard name != "node", !History.decidedElsewhere.contains(name),
                    !looseNames.contains(name), !isHalfSeen(name, of: ident),
                    !isAcrossFields(edit, name, edits), !isTakenBack(value, name, edit, edits),
                    !givesWay(edit, name, toFirstValueIn: copies, edits),
                    !mayBeTakenBack(edit, name),
                    !edits.contains(where: { $0.mayKnow(edit) && $0.values[name] != nil })
                else { continue }
                if copies.contains(where: { $0.values[name] == value }) { continue }
                if case .object = value { continue }
                violations.append(
                    Violation(
                        "value lost",
                        "no copy of \(ident) has \(name) as \(value); \(Self.story(edits, name))"))
            }
        }
    }

    /// Whether an edit has written the same values as another one, or was made knowing one that has. Two
    /// devices that came to the same values have nothing to resolve.
    private func knowsSame(_ edit: Edit, as other: Edit, _ edits: [Edit]) -> Bool {
        other.action == .update
            && edits.contains { same in
                (edit.id == same.id || edit.knows(same))
                    && other.values.allSatisfy { same.values[$0.key] == $0.value }
            }
    }

    /// Whether an edit restores earlier values of the object. Its place may then have nothing to
    /// send.
    private func isTakenBack(_ value: Value, _ name: String, _ edit: Edit, _ edits: [Edit]) -> Bool
    {
        edits.contains { edit.mayKnow($0) && $0.values[name] == value && $0.id != edit.id }
    }

    // MARK: - Order

    mutating func judgeOrder(
        _ ident: String, _ name: String, _ order: [String], _ writes: [Edit]
    ) {
        let heads = writes.filter { write in
            !write.isVague && !writes.contains { $0.knows(write) && !$0.isVague }
        }
        let isKnown =
            Set(order).count == order.count
            && heads.allSatisfy { !isForgotten($0) && !isForgottenOrder($0) }
        guard isKnown, heads.count == 1, let head = heads.first,
            case .ordered(let wanted)? = head.values[name], Set(wanted).count == wanted.count
        else {
            tally.undecided += 1
            if isKnown, heads.count == 2 {
                judgeMoves(ident, name, order, heads[0], unknownTo: heads[1])
                judgeMoves(ident, name, order, heads[1], unknownTo: heads[0])
            }
            return
        }
        let now = order.filter { member in
            wanted.contains(member) && !mayHaveLostPlace(member, ident, name, head)
        }
        let then = wanted.filter(now.contains)
        tally.exact += 1
        if now != then {
            violations.append(
                Violation(
                    "order lost", "\(ident).\(name) is \(order), and was last made \(wanted)"))
        }
    }

    /// Whether a member may have lost its position because its own record is contested.
    private func mayHaveLostPlace(
        _ member: String, _ ident: String, _ name: String, _ order: Edit
    ) -> Bool {
        if history.touched.contains(member) || mayBeLinkedAgain(ident, name, member, order) {
            return true
        }
        let edits = history.edits(of: member)
        return hasDeletion(edits)
            || edits.contains { edit in
                edits.contains { collide(edit, $0) } || mayReplacePlaces(edit, order)
                    || mayReplacePlace(sentAgain: edit, name, order)
            }
    }

    /// A member that only one of two orders has moved past several others has not stayed behind all of them. The other
    /// order may have given it, or some of them, new keys, but that is no move.
    private mutating func judgeMoves(
        _ ident: String, _ name: String, _ order: [String], _ head: Edit, unknownTo other: Edit
    ) {
        func isSure(_ member: String) -> Bool {
            ![head, other].contains { mayHaveLostPlace(member, ident, name, $0) }
        }
        for member in order where Self.passed(member, in: other, name).isEmpty && isSure(member) {
            let passed = Self.passed(member, in: head, name).filter { next in
                order.contains(next) && isSure(next)
                    && Self.passed(next, in: head, name) == [member]
            }
            guard passed.count > 2,
                Self.passed(member, head.replaced[name], .ordered(order)).isDisjoint(with: passed)
            else { continue }
            violations.append(
                Violation(
                    "move lost",
                    "\(ident).\(name) is \(order), and one device has moved \(member)"))
        }
    }

    /// The members on the other side of which an edit has put one.
    private static func passed(_ member: String, in edit: Edit, _ name: String) -> Set<String> {
        passed(member, edit.replaced[name], edit.values[name])
    }

    private static func passed(_ member: String, _ then: Value?, _ now: Value?) -> Set<String> {
        func side(_ value: Value?, isBefore: Bool) -> Set<String> {
            guard let names = value?.names, let place = names.firstIndex(of: member) else {
                return []
            }
            return Set(isBefore ? names[..<place] : names[(place + 1)...])
        }
        return side(then, isBefore: true).intersection(side(now, isBefore: false))
            .union(side(then, isBefore: false).intersection(side(now, isBefore: true)))
    }

    /// Whether a member's link was removed after an edit of the order. If it is there again, another
    /// device has given it its position.
    private func mayBeLinkedAgain(
        _ ident: String, _ name: String, _ member: String, _ order: Edit
    ) -> Bool {
        guard let link = Snapshot.pair(ident, name, member) else { return false }
        return history.edits(of: link).contains {
            $0.action == .delete && !order.seen.contains($0.id)
        }
    }

    /// Whether an edit of a member may have undone the position that an edit of the order has given
    /// it, because the position is part of its record.
    private func mayReplacePlaces(_ edit: Edit, _ order: Edit) -> Bool {
        !merges(edit.ident) && edit.place != order.place && isOfRecord(edit)
            && !order.seen.contains(edit.id) && !edit.seen.contains(order.id)
    }

    /// Whether a device that sends everything again may have undone the position that an edit of the order
    /// has given a member. It sends the position, too, and its values win.
    private func mayReplacePlace(
        sentAgain edit: Edit, _ name: String, _ order: Edit
    ) -> Bool {
        edit.isVague && policy(of: edit.ident) == .mergeByPropertyClientWins
            // No policy decides about links, which have the positions in other orders.
            && name == "nodes" && edit.place != order.place && !order.seen.contains(edit.id)
            && !edit.seen.contains(order.id)
    }

    // MARK: - Links

    mutating func judgeLink(_ link: String, exists: Bool) {
        let parts = link.split(separator: "|").map(String.init)
        guard parts.count == 3 else { return }
        let ends = parts.dropFirst().map { history.edits(of: $0) }
        let copies = final.byIdent
        let areThere = parts.dropFirst().allSatisfy { copies[$0]?.count == 1 }
        if ends.contains(where: hasDeletion) || !areThere
            || parts.dropFirst().contains(where: history.touched.contains)
        {
            tally.undecided += 1
            return
        }
        let edits = history.edits(of: link)
        let heads = edits.filter { edit in
            !edits.contains { $0.knows(edit) && !$0.isVague } && !edit.isVague
        }
        let wanted = Set(heads.map(\.action))
        guard wanted.count == 1, let last = wanted.first,
            !edits.contains(where: { edit in edit.isVague && heads.contains { collide(edit, $0) } })
        else {
            tally.undecided += 1
            return
        }
        tally.exact += 1
        if exists != (last == .insert) {
            violations.append(
                Violation(
                    exists ? "link undone" : "link lost",
                    "\(link) is \(exists ? "there" : "gone"); \(Self.story(edits))"))
        }
    }
}
