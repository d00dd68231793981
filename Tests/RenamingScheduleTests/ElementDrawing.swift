extension ModelPlan {
    /// Draws the elements of the composite attribute, and their names.
    mutating func drawElements(_ dice: inout ScheduleDice) {
        nestsElements = dice.chance(0.5)
        let siblings = ModelRoles.composites.map { elements(of: $0).map(\.role) }
        var draft = NameDraft(
            density: dice.pick([0.2, 0.4, 0.7]), takesFreshNames: identifiesPrevious,
            roles: siblings.flatMap { $0 })
        for version in names.indices.dropFirst() {
            for elements in siblings { draft.renameElements(elements, &dice) }
            draft.endVersion()
            for (role, name) in draft.names where name != ModelRoles.firstName(role) {
                names[version][role] = name
            }
        }
    }
}

/// Draws edits of composite values, and puts them between the steps of a schedule.
struct ElementEditDrawing {
    private let plan: ModelPlan
    private var dice: ScheduleDice
    /// Numbers that no other edit has.
    private var number = 5000

    static func add(to steps: inout [ScheduleStep], for plan: ModelPlan, _ dice: ScheduleDice) {
        var drawing = ElementEditDrawing(plan: plan, dice: dice)
        for _ in 0..<(3 + drawing.dice.below(6)) {
            let step = drawing.step()
            steps.insert(step, at: drawing.dice.below(steps.count + 1))
        }
    }

    private init(plan: ModelPlan, dice: ScheduleDice) {
        self.plan = plan
        self.dice = dice
    }

    private mutating func step() -> ScheduleStep {
        let device = dice.below(plan.deviceCount)
        let edit = edit()
        switch dice.below(10) {
        case 0: return .hold(edit, on: device)
        case 1: return .sync(.edit(edit, isBefore: dice.chance(0.5)), on: device)
        default: return .edit(edit, on: device)
        }
    }

    private mutating func edit() -> ObjectEdit {
        let key = dice.pick(["i0", "i1", "g0"]) + (plan.hasNaturalKeys ? "" : "-0")
        number += 1
        switch dice.below(10) {
        case 0: return .set(key, "Item.place", nil)
        case 1..<4: return .set(key, "Item.place", number)
        case 4: return .batchUpdate("Item", [key], "Item.place", number)
        default:
            let elements = ModelRoles.composites.flatMap { plan.elements(of: $0) }
            let value = dice.chance(0.2) ? nil : number
            return .setElement(key, dice.pick(elements).role, value)
        }
    }
}
