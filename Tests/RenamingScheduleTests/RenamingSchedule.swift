import Foundation

/// The versions of an app's model, and what happens on the devices with the app.
struct RenamingSchedule {
    /// How much a seed decides.
    enum Breadth: CaseIterable {
        /// Names, and the level from which something exists or is synced.
        case names
        /// Also other fields, and what is synced or required no more.
        case fields
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
        plan = ModelPlan(drawing: &dice)
        steps = StepDrawing.steps(for: plan, &dice)
        if breadth == .fields {
            // Dice of their own, so that the breadth does not change the rest.
            var dice = ScheduleDice(seed: seed &* 77 &+ 5)
            plan.drawFieldChanges(&dice)
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
