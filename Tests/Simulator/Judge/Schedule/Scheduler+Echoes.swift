import Seam3

/// A device's own changes come back after it has changed the same objects again.
extension Scheduler {
    mutating func echo(_ device: Int, _ other: Int) -> [Step] {
        switch pick(10) {
        case 0, 1: return deletedObject(device)
        case 2, 3: return removedLink(device)
        case 4: return linkOfAnEdited(device, other)
        case 5: return changedReference(device)
        case 6: return movedMember(device)
        case 7: return savedByAnotherContext(device)
        case 8: return undone(device)
        default: return severalOnPages(device)
        }
    }

    /// A device sends its changes, loses the response, and continues.
    ///
    /// - Parameter edit: An optional earlier change of the same object.
    private mutating func send(
        _ device: Int, unheardBefore step: Step, edit: Step? = nil
    ) -> [Step] {
        // An event during a request waits for the next pass.
        let cut: Step = .fail(.modifyRecords, device, 1, 1, false, .networkFailure, nil)
        let before = chance(2) ? [edit].compactMap { $0 } : []
        if let edit, chance(7) {
            return [.during(.modifyRecords, device, chance(2), edit), cut, .sync(device), step]
        }
        switch pick(6) {
        case 0: return [.during(.modifyRecords, device, true, step), .sync(device)]
        case 1: return [.during(.modifyRecords, device, chance(2), step), cut, .sync(device)]
        case 2 where setting.mode == .kill:
            return [.kill(device, 1 + pick(6)), .sync(device)] + before + [step]
        default: return [lose(device), .sync(device)] + before + [step]
        }
    }

    /// A device syncs and gets its own change, possibly more than once.
    private mutating func hear(_ device: Int) -> [Step] {
        switch pick(4) {
        case 0:
            return [
                .fail(.modifyRecords, device, 0, 1, false, .networkFailure, nil), .sync(device),
                .completeSync(device),
            ]
        case 1: return [.completeSync(device)]
        default: return [.sync(device)]
        }
    }

    /// An object is deleted after it was edited or created.
    private mutating func deletedObject(_ device: Int) -> [Step] {
        var (ident, steps) = shared("nlct", device)
        var edit: Step?
        if chance(4) {
            ident = chance(2) ? "t\(word())" : fresh("n")
            steps = [.catchUp, insertion(ident, device)]
        } else {
            let (name, values) = property(of: ident)
            steps.append(.set(ident, device, [name: values[0]]))
            edit = .set(ident, device, [name: values[1]])
        }
        steps += send(device, unheardBefore: .delete(ident, device), edit: edit)
        if chance(5) { steps.append(.foreign(.touch, ident, ident)) }
        if chance(6) { steps += [insertion(ident, device), .delete(ident, device)] }
        return steps + hear(device)
    }

    /// The ends of a link that all devices have, and which are rarely used otherwise.
    private mutating func ends(_ device: Int) -> (
        ident: String, name: String, other: String, steps: [Step]
    ) {
        let node = fresh("n")
        let (ident, name, other): (String, String, String)
        switch pick(4) {
        case 0: (ident, name, other) = (node, "tags", "t\(word())")
        case 1: (ident, name, other) = (fresh("l"), "picks", node)
        default: (ident, name, other) = (node, "friends", fresh("n"))
        }
        return (ident, name, other, [insertion(ident, device), insertion(other, device), .catchUp])
    }

    /// A link is removed after it was added, or added again after it was removed.
    private mutating func removedLink(_ device: Int) -> [Step] {
        var (ident, name, other, steps) = ends(device)
        let add: Step = .link(ident, name, other, true, device)
        let remove: Step = .link(ident, name, other, false, device)
        steps.append(add)
        switch pick(5) {
        case 0:
            steps += [.catchUp, remove] + send(device, unheardBefore: add)
            if chance(2) { steps.append(remove) }
        case 1: steps += send(device, unheardBefore: .delete(other, device))
        case 2:
            steps += send(device, unheardBefore: remove)
            steps += send(device, unheardBefore: add) + [remove]
        default: steps += send(device, unheardBefore: remove)
        }
        return steps + hear(device)
    }

    /// A link is removed while another device edits one of its ends, or while that edit is fetched.
    private mutating func linkOfAnEdited(_ device: Int, _ other: Int) -> [Step] {
        let (ident, name, end, begin) = ends(device)
        let remove: Step = .link(ident, name, end, false, device)
        let edited = chance(2) ? ident : end
        let (property, values) = property(of: edited)
        var steps =
            begin + [
                .link(ident, name, end, true, device), .catchUp,
                .set(edited, other, [property: values[0]]),
            ]
        if chance(2) {
            steps += [.sync(other), .during(.fetchZoneChanges, device, chance(2), remove)]
        } else {
            steps += [remove, .sync(other)]
        }
        if chance(3) { steps += [.sync(device), .link(ident, name, end, true, device)] }
        return steps + hear(device)
    }

    /// A reference is changed again after it was set.
    private mutating func changedReference(_ device: Int) -> [Step] {
        let (first, second) = (fresh("n"), fresh("n"))
        let (ident, name): (String, String)
        var steps = [insertion(first, device), insertion(second, device)]
        var targets: [Value] = [.object(first), .object(second)]
        if chance(2) {
            (ident, name) = (fresh("c"), "node")
            steps.append(.insert(.cover, ident, device, ["title": .text("v\(next())")]))
        } else {
            let lists = [fresh("l"), fresh("l")]
            steps += lists.map { insertion($0, device) }
            (ident, name) = (first, "list")
            targets = lists.map { .object($0) }
        }
        if chance(3) { targets[1] = .none }
        steps += [.catchUp, .set(ident, device, [name: targets[0]])]
        steps += send(device, unheardBefore: .set(ident, device, [name: targets[1]]))
        if chance(4) { steps.append(.delete(ident, device)) }
        return steps + hear(device)
    }

    /// A member of an ordered relationship is moved again, or removed.
    private mutating func movedMember(_ device: Int) -> [Step] {
        let list = fresh("l")
        var steps = [insertion(list, device)]
        let nodes = (0..<3).map { _ in fresh("n") }
        let name = chance(3) ? "picks" : "nodes"
        for node in nodes {
            steps += [
                .insert(.node, node, device, ["title": .text("v\(next())")]),
                .place(node, list, name, 9, device),
            ]
        }
        steps += [.catchUp, .place(nodes[2], list, name, 0, device)]
        let step: Step
        switch pick(3) {
        case 0: step = .place(nodes[2], list, name, 1, device)
        case 1: step = .place(nodes[0], list, name, 0, device)
        default: step = .link(list, name, nodes[2], false, device)
        }
        return steps + send(device, unheardBefore: step) + hear(device)
    }

    /// Two devices append members to a list at the same time, so that their keys are equal. Then one device moves a
    /// member, and the other one edits, deletes or moves another member.
    mutating func sameKeys(_ device: Int, _ other: Int) -> [Step] {
        let list = fresh("l")
        let name = chance(4) ? "picks" : "nodes"
        let nodes = (0..<(4 + pick(5))).map { _ in fresh("n") }
        idents += nodes
        func append(_ nodes: ArraySlice<String>, on device: Int) -> Step {
            .save(
                nodes.flatMap { node -> [Change] in
                    [
                        .insert(.node, node, ["title": .text("v\(next())")]),
                        .link(list, name, node),
                    ]
                }, device)
        }
        let half = nodes.count / 2
        var steps: [Step] = [
            insertion(list, device), .catchUp, append(nodes[..<half], on: device),
            append(nodes[half...], on: other), .catchUp, .catchUp,
        ]
        let moved = nodes.shuffled(using: &random)
        steps.append(.place(moved[0], list, name, pick(nodes.count), device))
        switch pick(5) {
        case 0, 1: steps.append(.set(moved[1], other, ["title": .text("v\(next())")]))
        case 2: steps.append(.delete(moved[1], other))
        case 3: steps.append(.place(moved[1], list, name, chance(2) ? 0 : nodes.count, other))
        default: steps.append(.set(moved[1], other, ["list": .none]))
        }
        let order = chance(2) ? [device, other] : [other, device]
        return steps + (order + order).map { .sync($0) }
    }

    /// Another context saves its changes, or deletes the object, after an edit was sent.
    private mutating func savedByAnotherContext(_ device: Int) -> [Step] {
        let (ident, begin) = shared("nlct", device)
        let (name, values) = property(of: ident)
        let holder = next()
        let change: Change = chance(2) ? .delete(ident) : .set(ident, [name: values[1]])
        return begin + [
            .hold(holder, device, element([.object, .overwrite]), chance(3), [change]),
            .set(ident, device, [name: values[0]]),
        ] + send(device, unheardBefore: .saveHeld(holder, device)) + hear(device)
    }

    /// An edit, a link or a deletion is undone after it was sent.
    private mutating func undone(_ device: Int) -> [Step] {
        let (ident, begin) = shared("nlct", device)
        let (name, values) = property(of: ident)
        let change: Change = chance(3) ? .delete(ident) : .set(ident, [name: values[0]])
        let steps = begin + (chance(2) ? [lose(device)] : [])
        return steps + [.saveAndUndo([change], device, true)] + hear(device)
    }

    /// Several edits are sent together and come back on several pages, and some of the objects are
    /// changed again.
    private mutating func severalOnPages(_ device: Int) -> [Step] {
        let idents = (0..<6).map { _ in fresh(element(["n", "n", "l", "c"])) }
        func edits(_ idents: some Sequence<String>) -> [Change] {
            idents.map { .set($0, ["title": .text("v\(next())")]) }
        }
        var steps = idents.map { insertion($0, device) }
        steps += [.catchUp, .save(edits(idents), device)]
        let again = idents.prefix(4).shuffled(using: &random)
        let changes = [Change.delete(again[0]), .delete(again[1])] + edits(again.suffix(2))
        return steps + send(device, unheardBefore: .save(changes, device)) + hear(device)
    }
}
