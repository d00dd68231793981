import Seam3

/// Something that must never happen, and did.
public struct Violation: Error, CustomStringConvertible, Sendable {
    /// What kind of promise is broken, in a few words that stay the same while a schedule is
    /// shortened.
    public let rule: String
    public let text: String

    init(_ rule: String, _ text: String) {
        self.rule = rule
        self.text = text
    }

    public var description: String { "\(rule): \(text)" }
}

/// How many properties the promises decide.
public struct Tally: Sendable {
    /// One value is allowed.
    public var exact = 0
    /// Some of the values that were written are allowed.
    public var narrowed = 0
    /// All values that were written are allowed.
    public var undecided = 0

    public init(exact: Int = 0, narrowed: Int = 0, undecided: Int = 0) {
        self.exact = exact
        self.narrowed = narrowed
        self.undecided = undecided
    }

    public static func += (left: inout Tally, right: Tally) {
        left.exact += right.exact
        left.narrowed += right.narrowed
        left.undecided += right.undecided
    }
}

/// Says which final results the promises allow.
///
/// It knows who edited what, having seen what; the table of the conflict policies; and what must
/// never happen. An edit that somebody made having seen all others is the last word. Edits that did
/// not know each other are contested, and go by the policy. Whatever that leaves open is allowed.
struct Oracle {
    let history: History
    let policy: SMSyncConflictResolutionPolicy
    /// Whether a pass of another device ran within a pass that had deletions to send: CloudKit
    /// deletes whatever version there is.
    let hadRace: Bool
    /// What all places show in the end.
    let final: Snapshot
    private(set) var violations: [Violation] = []
    private(set) var tally = Tally()

    init(
        history: History, policy: SMSyncConflictResolutionPolicy, hadRace: Bool, final: Snapshot
    ) {
        self.history = history
        self.policy = policy
        self.hadRace = hadRace
        self.final = final
    }

    typealias Edit = History.Edit

    private var mergesByProperty: Bool {
        [.mergeByProperty, .mergeByPropertyClientWins, .mergeByPropertyClientTells].contains(policy)
    }

    /// The policy of an object: what has a natural key is never kept twice.
    private func merges(_ ident: String) -> Bool {
        mergesByProperty
            || policy == .keepBoth && history.kinds[ident]?.naturalKey != nil
    }

    // MARK: - Who knew what

    /// Whether two edits were made without knowledge of each other, while both were to be seen.
    private func collide(_ first: Edit, _ second: Edit) -> Bool {
        guard first.place != second.place || first.isVague || second.isVague,
            !first.knows(second), !second.knows(first), first.id != second.id
        else { return false }
        if let death = first.death, death < second.birth { return false }
        if let death = second.death, death < first.birth { return false }
        return true
    }

    /// Whether an edit changes the object's own record.
    private func isOfRecord(_ edit: Edit) -> Bool {
        edit.action != .update || edit.values.keys.contains { !History.elsewhere.contains($0) }
    }

    private func hasDeletion(_ edits: [Edit]) -> Bool { edits.contains { $0.action == .delete } }

    /// Whether somebody changed the place of the object in an ordered relationship, which is part of
    /// its record.
    private func mayHaveMoved(_ ident: String, unknownTo edit: Edit) -> Bool {
        history.edits.contains { other in
            other.place != edit.place && other.action == .update
                && other.values.contains { name, value in
                    name == "nodes" && value.names.contains(ident)
                }
        }
    }

    /// The edits that may have taken an edit's place without knowing it.
    private func rivals(of edit: Edit, among edits: [Edit], property: String) -> [Edit] {
        edits.filter { other in
            guard collide(edit, other) else { return false }
            if other.action == .delete { return true }
            if merges(edit.ident) { return other.values[property] != nil }
            return isOfRecord(other) && isOfRecord(edit)
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
        for link in links.sorted() where history.byIdent[link] == nil {
            violations.append(Violation("made up", "the link \(link), which nobody made"))
        }
    }

    private mutating func judge(_ ident: String, _ copies: [Snapshot.Object]) {
        let edits = history.edits(of: ident)
        guard !edits.isEmpty else {
            violations.append(Violation("made up", "\(ident), which nobody made"))
            return
        }
        let isRenamed = self.isRenamed(ident, edits)
        judgeExistence(ident, edits, copies.count, isRenamed)
        guard copies.count == 1, !isRenamed else {
            if copies.count > 1 { judgeCopies(ident, edits, copies) }
            return
        }
        guard let alive = lastLife(edits) else {
            // It has lost a deletion to an edit, as the policy says.
            tally.undecided += copies[0].values.count
            return judgeKnownValues(ident, edits, copies[0])
        }
        for (name, value) in copies[0].values.sorted(by: { $0.key < $1.key }) {
            judge(ident, name, value, alive)
        }
    }

    /// Objects with a natural key whose key was changed: another object may have got its name.
    private func isRenamed(_ ident: String, _ edits: [Edit]) -> Bool {
        guard let key = history.kinds[ident]?.naturalKey else { return false }
        return edits.contains { $0.action == .update && !$0.isVague && $0.values[key] != nil }
    }

    /// The edits since the last deletion, if all of them know all deletions; nil if a deletion is
    /// contested.
    private func lastLife(_ edits: [Edit]) -> [Edit]? {
        let deletions = edits.filter { $0.action == .delete }
        guard !deletions.isEmpty else { return edits }
        let later = edits.filter { edit in
            edit.action != .delete && deletions.allSatisfy { edit.knows($0) }
        }
        guard later.contains(where: { $0.action == .insert }) else { return nil }
        let laterIDs = Set(later.map(\.id))
        let rest = edits.filter { edit in
            edit.action != .delete && !laterIDs.contains(edit.id)
        }
        // What somebody still had to say to an earlier life may count in the later one.
        let isContested = rest.contains { edit in
            !deletions.contains { $0.knows(edit) } || later.contains { collide(edit, $0) }
        }
        return isContested ? nil : later
    }

    // MARK: - Whether it is there

    private mutating func judgeExistence(
        _ ident: String, _ edits: [Edit], _ count: Int, _ isRenamed: Bool
    ) {
        let deletions = edits.filter { $0.action == .delete }
        let unanswered = deletions.filter { deletion in
            !edits.contains { $0.action == .insert && $0.knows(deletion) }
        }
        let description = Self.story(edits)
        if unanswered.isEmpty {
            if count == 0 {
                let isExcused = deletions.contains { deletion in
                    edits.contains { $0.action == .insert && collide($0, deletion) }
                }
                if !isExcused {
                    violations.append(
                        Violation("object lost", "\(ident) is gone; \(description)"))
                }
            }
        } else if !isRenamed {
            judgeDeletion(ident, edits, unanswered, count, description)
        }
        if count > 1 { judgeCount(ident, edits, count, isRenamed, description) }
    }

    private mutating func judgeDeletion(
        _ ident: String, _ edits: [Edit], _ deletions: [Edit], _ count: Int, _ description: String
    ) {
        let contesting = edits.filter { edit in
            edit.action != .delete && deletions.contains { collide(edit, $0) }
                && !edits.contains { $0.action == .delete && $0.knows(edit) }
        }
        let mayMove = deletions.contains { mayHaveMoved(ident, unknownTo: $0) }
        if count > 0, contesting.isEmpty, !mayMove, !history.touched.contains(ident) {
            violations.append(
                Violation("deletion undone", "\(ident) is there; \(description)"))
        }
        let editSurvives = ![.serverRecordWins, .clientRecordWins].contains(policy)
        let sure = contesting.filter { edit in
            !edit.isVague && isOfRecord(edit) && !edit.isUnfounded
                // That another object has taken a partner away is an edit of the other one.
                && !(edit.action == .update && edit.values.keys.allSatisfy { $0 == "cover" })
                && !edits.contains { $0.action != .delete && collide($0, edit) }
        }
        if count == 0, editSurvives, !sure.isEmpty, !hadRace, !history.touched.contains(ident) {
            violations.append(
                Violation("edit lost to a deletion", "\(ident) is gone; \(description)"))
        }
    }

    private mutating func judgeCount(
        _ ident: String, _ edits: [Edit], _ count: Int, _ isRenamed: Bool, _ description: String
    ) {
        let collisions = edits.filter { edit in
            edits.contains { collide(edit, $0) && isOfRecord($0) } && isOfRecord(edit)
        }.count
        let mayMove = edits.contains { mayHaveMoved(ident, unknownTo: $0) }
        if isRenamed { return }
        if policy == .keepBoth,
            collisions + 1 >= count || mayMove
                || history.touched.contains(ident) || edits.contains(where: \.isUnfounded)
        {
            return
        }
        violations.append(Violation("doubled", "\(ident) is there \(count) times; \(description)"))
    }

    // MARK: - What it has

    private mutating func judge(
        _ ident: String, _ name: String, _ value: Value, _ edits: [Edit]
    ) {
        if case .objects = value { return }
        // The covers' end of the one-to-one relationship decides.
        if name == "cover" || name == "picked" { return }
        let writes = edits.filter { $0.values[name] != nil }
        if case .ordered(let order) = value {
            return judgeOrder(ident, name, order, writes)
        }
        let written = writes.filter { $0.values[name] == value }
        let allowed = writes.filter { isAllowed($0, writes, edits, name) }
        let isInitial =
            writes.allSatisfy { isExcused($0, edits, name) }
            && value == initial(name, of: ident)
        count(allowed, of: writes, name)
        if allowed.contains(where: { $0.values[name] == value }) || isInitial { return }
        if history.touched.contains(ident), !merges(ident), !written.isEmpty { return }
        if isReleased(name, value, last(of: writes)) { return }
        let story = Self.story(edits, name)
        if written.isEmpty {
            violations.append(
                Violation("value lost", "\(ident).\(name) is \(value), not written so; \(story)"))
        } else {
            violations.append(
                Violation("value lost", "\(ident).\(name) is \(value) in the end; \(story)"))
        }
    }

    private func initial(_ name: String, of ident: String) -> Value {
        history.kinds[ident]?.attributes.first { $0.name == name }?.defaultValue ?? Value.none
    }

    private mutating func count(_ allowed: [Edit], of writes: [Edit], _ name: String) {
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

    /// Whether the value of a write may be the last one.
    private func isAllowed(
        _ write: Edit, _ writes: [Edit], _ edits: [Edit], _ name: String
    ) -> Bool {
        if write.death != nil { return false }
        let later = writes.filter { $0.knows(write) && !$0.isVague }
        if merges(write.ident) {
            // One of the contested values counts, and no older one.
            if later.contains(where: { !isOvertaken($0, edits, name) }) { return false }
        } else if last(of: later).contains(where: { !isExcused($0, edits, name) }) {
            return false
        }
        // A named value beats one that came by default.
        return last(of: writes).allSatisfy { other in
            other.id == write.id || write.knows(other) || other.knows(write)
                || isExcused(other, edits, name) || other.isVague
        }
    }

    /// Those of some writes that none of the others has replaced.
    private func last(of writes: [Edit]) -> [Edit] {
        writes.filter { write in !writes.contains { $0.knows(write) && !$0.isVague } }
    }

    /// Whether a later write may itself be gone altogether.
    private func isOvertaken(_ write: Edit, _ edits: [Edit], _ name: String) -> Bool {
        write.isUnfounded && isExcused(write, edits, name)
            || rivals(of: write, among: edits, property: name).contains {
                $0.isVague || $0.action == .delete
            }
    }

    /// Whether the promises allow that a write is lost.
    private func isExcused(_ write: Edit, _ edits: [Edit], _ name: String) -> Bool {
        if write.isVague { return true }
        // Who has forgotten the server cannot say who edited last.
        if write.isUnfounded, ![.clientRecordWins, .mergeByPropertyClientWins].contains(policy) {
            return true
        }
        let rivals = rivals(of: write, among: edits, property: name)
        if write.action == .insert, !write.named.contains(name) {
            // A default gives way to what somebody has set.
            return !rivals.isEmpty
        }
        if merges(write.ident) {
            return rivals.contains { $0.action != .insert || $0.named.contains(name) }
        }
        return !rivals.isEmpty || mayHaveMoved(write.ident, unknownTo: write)
    }

    /// Whether a reference may be nil although somebody set it: because what it led to was deleted,
    /// or because another object of a one-to-one relationship won it.
    private func isReleased(
        _ name: String, _ value: Value, _ writes: [Edit]
    ) -> Bool {
        guard value == Value.none else { return false }
        for write in writes {
            guard case .object(let target)? = write.values[name] else { continue }
            if hasDeletion(history.edits(of: target)) || history.touched.contains(target) {
                return true
            }
            guard name == "node" else { continue }
            let isClaimed = history.edits.contains { other in
                other.ident != write.ident && other.values["node"] == .object(target)
                    && collide(other, write) && !other.isVague
            }
            if isClaimed { return true }
        }
        return false
    }

    /// Of values that a policy has chosen among, only that somebody has written them can be said.
    private mutating func judgeKnownValues(
        _ ident: String, _ edits: [Edit], _ object: Snapshot.Object
    ) {
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

    /// Under `keepBoth` each version lives on in one of the copies.
    private mutating func judgeCopies(
        _ ident: String, _ edits: [Edit], _ copies: [Snapshot.Object]
    ) {
        for copy in copies { judgeKnownValues(ident, edits, copy) }
        guard policy == .keepBoth, !hasDeletion(edits), !edits.contains(where: \.isVague) else {
            return
        }
        let contested = edits.filter { edit in edits.contains { collide($0, edit) } }
        // Edits of copies made later are of one copy only, and the other keeps what it has.
        for edit in contested where edit.action == .update && edit.death == nil {
            for (name, value) in edit.values.sorted(by: { $0.key < $1.key }) {
                guard !["nodes", "picks", "picked", "cover", "node"].contains(name),
                    !edits.contains(where: { $0.knows(edit) && $0.values[name] != nil })
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

    // MARK: - Order

    private mutating func judgeOrder(
        _ ident: String, _ name: String, _ order: [String], _ writes: [Edit]
    ) {
        let heads = writes.filter { write in
            !write.isVague && !writes.contains { $0.knows(write) && !$0.isVague }
        }
        guard heads.count == 1, let head = heads.first,
            case .ordered(let wanted)? = head.values[name],
            Set(wanted).count == wanted.count, Set(order).count == order.count
        else {
            tally.undecided += 1
            return
        }
        // A member whose own record is contested may have lost its place.
        let contested = Set(
            order.filter { member in
                if history.touched.contains(member) { return true }
                let edits = history.edits(of: member)
                return hasDeletion(edits)
                    || edits.contains { edit in edits.contains { collide(edit, $0) } }
            })
        let now = order.filter { wanted.contains($0) && !contested.contains($0) }
        let then = wanted.filter(now.contains)
        tally.exact += 1
        if now != then {
            violations.append(
                Violation(
                    "order lost", "\(ident).\(name) is \(order), and was last made \(wanted)"))
        }
    }

    // MARK: - Links

    private mutating func judgeLink(_ link: String, exists: Bool) {
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

    // MARK: - Telling

    /// What was done, for a person to read.
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
