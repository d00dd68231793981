import CloudKitService
import LocalCloud
import Seam3

/// Short schedules of few objects, so that all steps concern each other.
extension Scheduler {
    private static let scenes = [
        ["n1"], ["n1", "n2"], ["n1", "n2", "n3"], ["n1", "c1", "c2"], ["n1", "n2", "c1"],
        ["l1", "n1", "n2"], ["f1", "n1"], ["f1", "f2"], ["twork"], ["n1", "twork"],
        ["twork", "thome"], ["e86400.5"], ["i1"], ["d1", "n1"],
    ]

    private static let misfortunes: Set<Mode> = [.copies, .backups, .lag, .uploaders, .schemaless]

    /// The steps of a short schedule.
    mutating func makeSmallSteps() -> [Step] {
        // Otherwise, few of the steps would have their effect.
        if !chance(3) { setting.harsh = nil }
        setting.devices = chance(5) ? 3 : 2
        let scene = element(Self.scenes)
        let first = device()
        for ident in scene where !chance(6) { steps.append(anyInsertion(ident, first)) }
        for ident in scene where !idents.contains(ident) { idents.append(ident) }
        if !chance(8) { steps.append(chance(4) ? .sync(first) : .catchUp) }
        var count = 4 + pick(8)
        if setting.mode == .versions, upgrade == .memoIsSynced, chance(2), let node = object("n") {
            // Later, few devices have the older model.
            let device = device()
            steps += firstValue(device, (device + 1) % setting.devices, of: node)
            count = max(2, count - 5)
        }
        if Self.misfortunes.contains(setting.mode), chance(2) {
            count = max(2, count - 5)
            let device = device()
            steps += misfortunes(device, (device + 1) % setting.devices)
        }
        if [.account, .versions].contains(setting.mode), chance(3) {
            // A schedule with such steps has fewer others.
            count = max(2, count - 5)
            let number = pick(count)
            for _ in 0..<number { steps += smallStep(device()) }
            steps += smallInterlude(device())
            count -= number
        }
        for _ in 0..<count { steps += smallStep(device()) }
        while let held = holders.popLast() { steps.append(.saveHeld(held.holder, held.device)) }
        return steps
    }

    private mutating func smallStep(_ device: Int) -> [Step] {
        switch pick(26) {
        case 0...3: return smallEdit(device).map { [$0] } ?? []
        case 4, 5: return relation(device)
        case 6, 7: return anyObject().map { [.delete($0, device)] } ?? []
        case 8:
            guard let ident = idents.first(where: hasNaturalKey) else { return cover(device) }
            return [anyInsertion(ident, device)]
        case 9: return hold(device)
        case 10:
            guard !holders.isEmpty else { return hold(device) }
            let held = holders.remove(at: pick(holders.count))
            return [.saveHeld(held.holder, held.device)]
        case 11:
            guard let ident = object("nlctfi") else { return [] }
            let change: Change = chance(3) ? .delete(ident) : .set(ident, values(of: ident))
            return [chance(2) ? .saveAndUndo([change], device, chance(2)) : .save([change], device)]
        case 12: return [smallInterruption(device), .sync(device)]
        case 13, 14, 15: return smallFailure(device)
        case 16: return [chance(2) ? .relaunch(device) : .completeSync(device)]
        case 17: return [chance(3) ? .resetCloudFields(device) : .catchUp]
        case 18:
            let parts = Fault.ConflictPart.allCases.filter { _ in chance(2) }
            return [.conflictsLack(parts, device), .sync(device)]
        case 19 where chance(3): return seedMeetsUser(device, (device + 1) % setting.devices)
        default: return [.sync(device)]
        }
    }

    func hasNaturalKey(_ ident: String) -> Bool {
        ident.first == "t" || ident.first == "e"
    }

    /// An insertion by a user, or of default content.
    private mutating func anyInsertion(_ ident: String, _ device: Int) -> Step {
        ident.first == "t" && chance(3) ? seed(ident, device) : insertion(ident, device)
    }

    private mutating func anyObject() -> String? { object("nlctfide") }

    /// An edit, usually of the property that most edits of the object have in common.
    private mutating func smallEdit(_ device: Int) -> Step? {
        guard let ident = anyObject() else { return nil }
        if chance(3) { return .set(ident, device, values(of: ident)) }
        let name =
            switch ident.first {
            case "t": "x"
            case "e": "text"
            default: "title"
            }
        return .set(ident, device, [name: .text("v\(next())")])
    }

    private mutating func relation(_ device: Int) -> [Step] {
        switch pick(5) {
        case 0: return link(device)
        case 1: return cover(device)
        case 2: return placing(device)
        case 3: return [.save(pairing(anyNodes()), device)]
        default:
            guard let node = object("n") else { return [] }
            let (name, letter) = chance(2) ? ("list", "l") : ("folder", "f")
            return [.set(node, device, [name: reference(letter)])]
        }
    }

    /// Something that happens during a device's next pass.
    private mutating func smallInterruption(_ device: Int) -> Step {
        let other = (device + 1) % setting.devices
        let step: Step? =
            switch pick(4) {
            case 0: anyObject().map { .delete($0, device) }
            case 1: .sync(other)
            case 2: relation(device).first
            default: smallEdit(device)
            }
        let kind: RequestKind = chance(3) ? .fetchZoneChanges : .modifyRecords
        return .during(kind, device, chance(2), step ?? .sync(other))
    }

    /// What goes wrong in the mode, or a lost response: in short schedules, all modes have these.
    private mutating func smallFailure(_ device: Int) -> [Step] {
        if setting.mode == .clean { return [.sync(device)] }
        if chance(3) {
            return [
                chance(3)
                    ? .fail(.modifyRecords, device, 0, 1, false, .networkFailure, nil)
                    : lose(device, skip: chance(3) ? 1 : 0),
                .sync(device),
            ]
        }
        if let fault = fault(device) { return [fault, .sync(device)] }
        trouble(device)
        return chance(2) ? [.sync(device)] : []
    }
}
