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
        let ends = element(Ends.all)
        let owner = fresh(ends.owner)
        let members = (0..<4).map { _ in fresh(ends.member) }
        var changes = ([owner] + members).map { ident in
            let (kind, values) = insertionValues(ident)
            let isCovered = values.keys.contains { ["list", "folder"].contains($0) }
            return Change.insert(kind, ident, isCovered ? ["title": .text("v\(next())")] : values)
        }
        changes += members.prefix(2).map { .link(owner, ends.name, $0) }
        var theirs: [Change] = [.link(owner, ends.name, members[2])]
        if ends.isManyToMany, chance(3) {
            theirs = [.link(members[2], ends.inverse, owner)]
        }
        if chance(2) { theirs.append(.link(owner, ends.name, members[0], isThere: false)) }
        if chance(6) { theirs.removeFirst() }
        if ends.isOrdered, chance(3) {
            theirs.append(.place(members[1], in: owner, ends.name, at: 0))
        }
        if theirs.isEmpty || chance(6) { theirs.append(edit(of: owner)) }
        var ours: [Change]
        switch pick(12) {
        case 0: ours = [edit(of: owner)]
        case 1: ours = [.delete(chance(2) ? owner : members[0])]
        // What others have done already.
        case 2: ours = [.link(owner, ends.name, members[0], isThere: false)]
        case 3: ours = [.link(owner, ends.name, members[2])]
        case 4 where ends.isOrdered: ours = [.place(members[1], in: owner, ends.name, at: 0)]
        case 5, 6, 7: ours = [.link(owner, ends.name, members[1], isThere: false)]
        case 8 where ends.isManyToMany: ours = [.link(members[3], ends.inverse, owner)]
        default: ours = [.link(owner, ends.name, members[3])]
        }
        if chance(6) { ours.append(edit(of: owner)) }
        return [.save(changes, device), .catchUp]
            + held(device, other, shows: owner, theirs: theirs, ours: ours)
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
    private mutating func held(
        _ device: Int, _ other: Int, shows ident: String, theirs: [Change], ours: [Change]
    ) -> [Step] {
        let holder = next()
        let trump: Trump = element([.object, .object, .object, .overwrite, .store, .store, .error])
        let isEarly = chance(4)
        var steps: [Step] = [
            .hold(holder, device, trump, chance(8), isEarly ? ours : [.show(ident)])
        ]
        let save: Step = .saveHeld(holder, device)
        let isWithinPass = chance(8)
        if chance(5) {
            steps.append(.save(theirs, device))
            if chance(3) { steps.append(.sync(device)) }
        } else {
            steps.append(.save(theirs, other))
            if isWithinPass || chance(2) {
                steps.append(.sync(other))
                if !isWithinPass { steps.append(.sync(device)) }
            } else {
                steps.append(.catchUp)
            }
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
