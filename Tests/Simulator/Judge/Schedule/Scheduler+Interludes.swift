import Seam3

/// A device forgets the server, or gets another version of its model, while its changes wait or have got no
/// response, and another device changes the same object.
extension Scheduler {
    /// A device is told to forget the server.
    mutating func forgetting(_ device: Int, _ other: Int) -> [Step] {
        let (ident, begin) = shared(element(["nc", "nlct", "te"]), device)
        // Few devices would sync otherwise.
        let signIn = [device, other].map { Step.happens(.signInAgain, $0) }
        return signIn + begin + interlude(.resetCloudFields(device), ident, device, other)
    }

    /// A device gets another version of its model.
    mutating func migrating(_ other: Int) -> [Step] {
        let rest = (0..<setting.devices).filter { !upgraded.contains($0) && $0 != other }
        guard let device = rest.first else { return [] }
        let (ident, begin) = shared(element(["nc", "nlct", "nt"]), device)
        return begin + migration(ident, device, other)
    }

    /// A device gets another version of its model while an object's changes wait or have got no response.
    private mutating func migration(_ ident: String, _ device: Int, _ other: Int) -> [Step] {
        upgraded.insert(device)
        return interlude(.upgrade(device, upgrade), ident, device, other)
    }

    /// The same in a short schedule, in the modes in which that may go wrong.
    mutating func smallInterlude(_ device: Int) -> [Step] {
        let other = (device + 1) % setting.devices
        guard let ident = object("nlctfide") else { return [] }
        switch setting.mode {
        case .account: return interlude(.resetCloudFields(device), ident, device, other)
        case .versions: return migration(ident, device, other)
        default: return []
        }
    }

    /// Something happens to a device after it has changed an object, and before it syncs again.
    private mutating func interlude(
        _ step: Step, _ ident: String, _ device: Int, _ other: Int
    ) -> [Step] {
        var (name, values) = property(of: ident)
        if case .upgrade(_, .titleHasAnotherField) = step, ident.first == "n", chance(2) {
            name = "title"
            values = (0..<3).map { _ in .text("v\(next())") }
        }
        let deletion: Step = .delete(ident, device)
        let edit: Step = .set(ident, device, [name: values[0]])
        var steps: [Step]
        switch pick(7) {
        case 0: steps = [deletion]
        case 1: steps = [edit]
        case 2: steps = [deletion, lose(device), .sync(device)]
        case 3, 4: steps = [edit, lose(device), .sync(device)]
        default: steps = [edit, lose(device), .sync(device), deletion]
        }
        let ownCount = steps.count
        var again: [Step] = []
        switch pick(6) {
        case 0: again = [.set(ident, device, another(than: name, of: ident))]
        case 1: again = [deletion]
        case 2, 3: again = [.set(ident, device, [name: values[2]])]
        default: break
        }
        let others = changes(of: ident, (name, values), by: other)
        steps += chance(2) ? others + [step] : [step] + others
        // The device may also have changed the object again before.
        steps.insert(contentsOf: again, at: chance(2) ? steps.count : ownCount)
        return steps + [.sync(device)]
    }

    /// What another device does with the object meanwhile, if anything.
    private mutating func changes(
        of ident: String, _ property: (name: String, values: [Value]), by other: Int
    ) -> [Step] {
        if chance(3) { return [] }
        // Half of the time, it has received what got no response.
        var steps: [Step] = chance(2) ? [.sync(other)] : []
        switch pick(6) {
        case 0: steps.append(.delete(ident, other))
        case 1 where hasNaturalKey(ident), 2 where hasNaturalKey(ident):
            steps.append(.delete(ident, other))
            if chance(2) { steps.append(.sync(other)) }
            steps.append(insertion(ident, other))
        case 3: steps.append(.set(ident, other, another(than: property.name, of: ident)))
        default: steps.append(.set(ident, other, [property.name: property.values[1]]))
        }
        return steps + [.sync(other)]
    }

    /// A device sends a value only because its new model syncs the attribute, and another device, which has got this
    /// model as well, has deleted the object, or edited something else of it.
    mutating func firstValue(_ device: Int, _ other: Int, of known: String? = nil) -> [Step] {
        guard upgrade == .memoIsSynced, upgraded.isDisjoint(with: [device, other]) else {
            return []
        }
        var steps: [Step]
        let ident: String
        if let known {
            (ident, steps) = (known, [.catchUp])
        } else {
            ident = fresh("n")
            steps = [insertion(ident, device), .catchUp]
        }
        upgraded.formUnion([device, other])
        steps.append(.set(ident, device, ["memo": .text("v\(next())")]))
        if chance(3) { steps.append(.set(ident, other, ["memo": .text("v\(next())")])) }
        let change: Step = chance(2) ? .delete(ident, other) : .set(ident, other, values(of: ident))
        let first = pick(3)
        // Half of the time, the other device gets the model after its change.
        let others: [Step] =
            chance(2) ? [change, .upgrade(other, upgrade)] : [.upgrade(other, upgrade), change]
        steps += others.prefix(first) + [.upgrade(device, upgrade)]
        // A user's edit before the value is sent is one.
        if chance(6) { steps.append(.set(ident, device, ["memo": .text("v\(next())")])) }
        return steps + [.sync(device)] + others.dropFirst(first) + [.sync(other), .sync(device)]
    }
}
