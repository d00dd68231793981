import Seam3

/// A context has shown an object, and saves it after others have changed it, too. Its user has not
/// seen that.
extension Scheduler {
    mutating func unseen(_ device: Int, _ other: Int) -> [Step] {
        switch pick(6) {
        case 0: return unseenValues(device, other)
        default: return unseenMembers(device, other)
        }
    }

    /// A to-many relationship, and its inverse.
    private struct Ends {
        let owner: String
        let name: String
        let member: String
        let inverse: String
        let isOrdered: Bool

        static let all = [
            Ends("n", "friends", "n", "friends"), Ends("n", "friends", "n", "friends"),
            Ends("n", "tags", "t", "nodes"), Ends("n", "tags", "t", "nodes"),
            Ends("t", "nodes", "n", "tags"), Ends("l", "picks", "n", "picked", isOrdered: true),
            Ends("l", "picks", "n", "picked", isOrdered: true),
            Ends("n", "picked", "l", "picks", isOrdered: true),
            Ends("l", "nodes", "n", "list", isOrdered: true), Ends("f", "nodes", "n", "folder"),
        ]

        init(
            _ owner: String, _ name: String, _ member: String, _ inverse: String,
            isOrdered: Bool = false
        ) {
            self.owner = owner
            self.name = name
            self.member = member
            self.inverse = inverse
            self.isOrdered = isOrdered
        }

        var isManyToMany: Bool { !["list", "folder"].contains(inverse) }
    }

    /// An object has two members. One is removed and another one added, and then the context adds or
    /// removes a third one.
    private mutating func unseenMembers(_ device: Int, _ other: Int) -> [Step] {
        // Otherwise, few of the other context's links would be at stake.
        let isPlain = chance(2)
        let ends = element(isPlain ? Ends.all.filter(\.isManyToMany) : Ends.all)
        let owner = fresh(ends.owner)
        let members = (0..<4).map { _ in fresh(ends.member) }
        var changes = ([owner] + members).map { ident in
            let (kind, values) = insertionValues(ident)
            let isCovered = values.keys.contains { ["list", "folder"].contains($0) }
            return Change.insert(kind, ident, isCovered ? ["title": .text("v\(next())")] : values)
        }
        changes += members.prefix(2).map { .link(owner, ends.name, $0) }
        return [.save(changes, device), .catchUp]
            + held(
                device, other, shows: owner, theirs: theirs(ends, owner, members, isPlain),
                ours: ours(ends, owner, members, isPlain), isPlain: isPlain)
    }

    private mutating func theirs(
        _ ends: Ends, _ owner: String, _ members: [String], _ isPlain: Bool
    ) -> [Change] {
        var changes: [Change] = [.link(owner, ends.name, members[2])]
        if ends.isManyToMany, chance(3) { changes = [.link(members[2], ends.inverse, owner)] }
        if chance(2) { changes.append(.link(owner, ends.name, members[0], isThere: false)) }
        if isPlain { return changes }
        if chance(5) { changes.removeFirst() }
        if ends.isOrdered, chance(3) {
            changes.append(.place(members[1], in: owner, ends.name, at: 0))
        }
        if changes.isEmpty || chance(4) { changes.append(edit(of: owner)) }
        return changes
    }

    private mutating func ours(
        _ ends: Ends, _ owner: String, _ members: [String], _ isPlain: Bool
    ) -> [Change] {
        let add: Change = .link(owner, ends.name, members[3])
        let remove: Change = .link(owner, ends.name, members[1], isThere: false)
        if isPlain { return chance(2) ? [add] : [remove] }
        var changes: [Change]
        switch pick(10) {
        case 0: changes = [edit(of: owner)]
        case 1: changes = [.delete(chance(2) ? owner : members[0])]
        // What others have done already.
        case 2: changes = [.link(owner, ends.name, members[0], isThere: false)]
        case 3: changes = [.link(owner, ends.name, members[2])]
        case 4 where ends.isOrdered: changes = [.place(members[1], in: owner, ends.name, at: 0)]
        case 5 where ends.isManyToMany: changes = [.link(members[3], ends.inverse, owner)]
        case 6, 7: changes = [remove]
        default: changes = [add]
        }
        if chance(5) { changes.append(edit(of: owner)) }
        return changes
    }

    /// An object's attribute or reference is changed, and then the context changes another one.
    private mutating func unseenValues(_ device: Int, _ other: Int) -> [Step] {
        var (ident, begin) = shared("nlct", device)
        var (theirs, ours) = ([edit(of: ident)], [edit(of: ident)])
        if chance(2) {
            ident = fresh("n")
            begin = [.insert(.node, ident, device, ["title": .text("v\(next())")]), .catchUp]
            let (letter, name) = chance(2) ? ("l", "list") : ("f", "folder")
            let target = fresh(letter)
            let (kind, values) = insertionValues(target)
            theirs = [.insert(kind, target, values), .set(ident, [name: .object(target)])]
            ours = [edit(of: ident)]
            if chance(3) {
                begin.insert(.insert(kind, target, device, values), at: 0)
                (theirs, ours) = (ours, [theirs[1]])
            }
        }
        return begin + held(device, other, shows: ident, theirs: theirs, ours: ours)
    }

    private mutating func edit(of ident: String) -> Change {
        let (name, values) = property(of: ident)
        return .set(ident, [name: values[0]])
    }

    /// A context shows an object. Another device or another context saves changes, and then the context
    /// saves its own.
    ///
    /// - Parameter isPlain: Whether the context does not follow the store, and nothing goes wrong.
    private mutating func held(
        _ device: Int, _ other: Int, shows ident: String, theirs: [Change], ours: [Change],
        isPlain: Bool = false
    ) -> [Step] {
        let holder = next()
        let save: Step = .saveHeld(holder, device)
        if isPlain {
            let trump: Trump = element([.object, .overwrite, .store])
            return [
                .hold(holder, device, trump, false, [.show(ident)]), .save(theirs, other),
                .calm(true), .sync(other), .sync(device), .calm(false),
                .changeHeld(holder, device, ours), save, .sync(device),
            ]
        }
        let trump: Trump = element([.object, .object, .overwrite, .store, .error])
        let isEarly = chance(3)
        let isWithinPass = chance(6)
        var steps: [Step] = [
            .hold(holder, device, trump, chance(4), isEarly ? ours : [.show(ident)])
        ]
        if chance(3) {
            steps.append(.save(theirs, device))
            if chance(3) { steps.append(.sync(device)) }
        } else {
            steps += [.save(theirs, other), .sync(other)]
            if !isWithinPass { steps.append(.sync(device)) }
        }
        if !isEarly { steps.append(.changeHeld(holder, device, ours)) }
        if isWithinPass {
            steps += [.during(.fetchZoneChanges, device, chance(2), save), .sync(device)]
        } else {
            steps.append(save)
        }
        return chance(3) ? steps : steps + [.sync(device)]
    }
}
