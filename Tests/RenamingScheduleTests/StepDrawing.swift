/// Draws what happens to the objects of a plan's devices.
struct StepDrawing {
    private let plan: ModelPlan
    private var dice: ScheduleDice
    private var keys = ["i0", "i1", "g0", "b0", "b1", "t0", "t1"]
    /// Each value is another number, so that an edit is never one that another device has made.
    private var count = 0

    static func steps(for plan: ModelPlan, _ dice: inout ScheduleDice) -> [ScheduleStep] {
        var drawing = StepDrawing(plan: plan, dice: dice)
        let steps = drawing.steps()
        dice = drawing.dice
        return steps
    }

    private init(plan: ModelPlan, dice: ScheduleDice) {
        self.plan = plan
        self.dice = dice
        if !plan.hasNaturalKeys { keys = keys.map { $0 + "-0" } }
    }

    private mutating func steps() -> [ScheduleStep] {
        var steps: [ScheduleStep] = []
        for key in keys where dice.chance(0.85) {
            steps.append(.edit(.insert(key, values(of: key)), on: 0))
        }
        for _ in 0..<dice.below(6) { steps.append(.edit(edit(), on: 0)) }
        if dice.chance(0.75) {
            steps += (0..<plan.deviceCount).map { .sync(.none, on: $0) }
        }
        for _ in 0..<(12 + dice.below(40)) { steps.append(step()) }
        return steps
    }

    private mutating func step() -> ScheduleStep {
        let device = dice.below(plan.deviceCount)
        if plan.isRich, dice.chance(0.2) { return richStep(on: device) }
        switch dice.below(100) {
        case 0..<55: return .edit(edit(), on: device)
        case 55..<60: return .edit(insertion(on: device), on: device)
        case 60..<73: return .sync(.none, on: device)
        case 73..<75: return .sync(.readsAll, on: device)
        case 75..<79: return .sync(.losesAnswers, on: device)
        case 79..<81: return .sync(dice.pick([.cannotPush, .cannotFetch]), on: device)
        case 81: return .sync(.fetchesPage(bytes: 300 + dice.below(1500)), on: device)
        case 82: return .sync(.pushesPart(count: 1 + dice.below(4)), on: device)
        case 83..<85:
            return .sync(.race(with: (device + 1) % plan.deviceCount), on: device)
        case 85..<87:
            let isBefore = dice.chance(0.5)
            return .sync(.edit(edit(), isBefore: isBefore), on: device)
        case 87..<89: return .relaunch(on: device)
        case 89: return .forgetServer(on: device)
        default:
            let jumps = (0..<(1 + dice.below(3))).map { _ in
                let count = dice.chance(0.8) ? 1 : 2
                return VersionJump(count, dice.chance(0.7) ? .inPlace : .mappingModel)
            }
            return .migrate(jumps, on: device)
        }
    }

    /// What only some plans' devices meet.
    private mutating func richStep(on device: Int) -> ScheduleStep {
        switch dice.below(100) {
        case 0..<40: return .hold(heldEdit(), on: device)
        case 40..<60: return .saveHeld(on: device)
        case 60..<66: return .account(.signOut, on: device)
        case 66..<70: return .account(.isNotReady, on: device)
        case 70..<80: return .account(.signIn, on: device)
        case 80..<92: return .zone(dice.pick(ZoneTrouble.allCases))
        case 92..<96: return .forgetServer(on: device)
        default: return .relaunch(on: device)
        }
    }

    // MARK: - Edits

    /// An edit that can wait for its save.
    private mutating func heldEdit() -> ObjectEdit {
        while true {
            let edit = edit()
            if edit.canWait { return edit }
        }
    }

    private mutating func insertion(on device: Int) -> ObjectEdit {
        if plan.hasNaturalKeys {
            let key = dice.pick(keys)
            return .insert(key, values(of: key))
        }
        // Without natural keys, no two devices insert the same key.
        let key = dice.pick(["i", "g", "b", "t"]) + "\(count)-\(device)"
        count += 1
        keys.append(key)
        return .insert(key, values(of: key))
    }

    private mutating func edit() -> ObjectEdit {
        let key = dice.pick(keys)
        let entity = ModelRoles.entity(ofKey: key)
        let root = ModelRoles.root(of: entity)
        let links = ModelRoles.links.filter { $0.entity == root }
        switch dice.below(100) {
        case 0..<40:
            let attribute = dice.pick(attributes(of: [entity, root]))
            return .set(key, attribute.role, value(of: attribute))
        case 40..<56:
            let link = dice.pick(links)
            if link.isToMany { return linkEdit(key, links) }
            return .refer(
                key, link.role, to: dice.chance(0.25) ? nil : someKey(of: link.destination))
        case 56..<76: return linkEdit(key, links)
        case 76..<85: return .delete(key)
        case 85..<91:
            let values = values(of: key)
            return .replace(key, values, inTwoSaves: dice.chance(0.5))
        case 91..<96:
            let attribute = dice.pick(attributes(of: [root]))
            let keys = [someKey(of: root), someKey(of: root)]
            return .batchUpdate(root, keys, attribute.role, value(of: attribute))
        case 96..<98: return .batchDelete(root, [someKey(of: root)])
        default: return .insert(key, values(of: key))
        }
    }

    private mutating func linkEdit(_ key: String, _ links: [LinkRole]) -> ObjectEdit {
        let link = dice.pick(links.filter(\.isToMany))
        let adds = dice.chance(0.65)
        let other = someKey(of: link.destination)
        if adds { return .link(key, link.role, to: other, at: dice.below(3)) }
        return .unlink(key, link.role, from: other)
    }

    private mutating func someKey(of entity: String) -> String {
        dice.pick(
            keys.filter { ModelRoles.root(of: ModelRoles.entity(ofKey: $0)) == entity })
    }

    // MARK: - Values

    private func attributes(of entities: [String]) -> [AttributeRole] {
        ModelRoles.attributes.filter {
            entities.contains($0.entity) && $0.isEditable
                && (plan.isRich || !ModelRoles.rich.contains($0.role))
        }
    }

    private mutating func value(of attribute: AttributeRole) -> Int? {
        count += 1
        if attribute.kind != .integer, dice.chance(0.15) { return nil }
        if attribute.kind == .blob, dice.chance(0.6) { return 1000 + count }
        return count
    }

    private mutating func values(of key: String) -> [String: Int?] {
        let entity = ModelRoles.entity(ofKey: key)
        var values: [String: Int?] = [:]
        for attribute in attributes(of: [entity, ModelRoles.root(of: entity)])
        where dice.chance(0.45) {
            values.updateValue(value(of: attribute), forKey: attribute.role)
        }
        return values
    }
}
