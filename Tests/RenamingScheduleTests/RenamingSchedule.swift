import Foundation

/// The versions of an app's model, and what happens on the devices with the app.
struct RenamingSchedule {
    /// How much a seed decides.
    enum Breadth: String, CaseIterable {
        /// Names, and the level from which something exists or is synced.
        case names
        /// Also other fields, and what is synced or required no more.
        case fields
        /// Also more kinds of attributes, other names of elements, policies of entities, other
        /// renaming identifiers, contexts that stay open, and the loss of the account or the zone.
        case rich
    }

    var plan: ModelPlan
    var steps: [ScheduleStep]

    init(plan: ModelPlan, steps: [ScheduleStep]) {
        self.plan = plan
        self.steps = steps
    }

    /// Draws a schedule.
    init(seed: UInt64, _ breadth: Breadth) {
        var dice = ScheduleDice(seed: seed &* 0x123_4567 &+ 99)
        plan = ModelPlan(drawing: &dice, isRich: breadth == .rich)
        steps = StepDrawing.steps(for: plan, &dice)
        if breadth != .names {
            // Dice of their own, so that the breadth does not change the rest.
            var dice = ScheduleDice(seed: seed &* 77 &+ 5)
            plan.drawFieldChanges(&dice)
        }
        if breadth == .rich {
            var dice = ScheduleDice(seed: seed &* 131 &+ 17)
            plan.drawElements(&dice)
            ElementEditDrawing.add(to: &steps, for: plan, dice)
        }
    }

    /// The schedule as Swift code.
    var swift: String {
        """
        RenamingSchedule(
            plan: \(plan.swift.replacingOccurrences(of: "\n", with: "\n    ")),
            steps: [
                \(steps.map { $0.swift + "," }.joined(separator: "\n        "))
            ])
        """
    }
}
