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
        let (name, values) = property(of: ident)
        let deletion: Step = .delete(ident, device)
        let edit: Step = .set(ident, device, [name: values[0]])
        var steps: [Step]
        switch pick(6) {
        case 0: steps = [deletion]
        case 1: steps = [edit]
        case 2: steps = [deletion, lose(device), .sync(device)]
        case 3: steps = [edit, lose(device), .sync(device)]
        default: steps = [edit, lose(device), .sync(device), deletion]
        }
        // Half of the time, the other device has received what got no response.
        if chance(2) { steps.append(.sync(other)) }
        var others: [Step]
        switch pick(6) {
        case 0: others = [.delete(ident, other)]
        case 1 where hasNaturalKey(ident), 2 where hasNaturalKey(ident):
            others = [.delete(ident, other), insertion(ident, other)]
            if chance(2) { others.insert(.sync(other), at: 1) }
        case 3: others = [.set(ident, other, another(than: name, of: ident))]
        default: others = [.set(ident, other, [name: values[1]])]
        }
        others.append(.sync(other))
        steps += chance(2) ? others + [step] : [step] + others
        switch pick(5) {
        case 0: steps.append(.set(ident, device, another(than: name, of: ident)))
        case 1: steps.append(deletion)
        default: break
        }
        return steps + [.sync(device)]
    }
}
