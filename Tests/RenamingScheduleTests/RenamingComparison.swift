/// Runs a schedule twice, with other names each time. Names must not make a difference.
struct RenamingComparison {
    /// The names and migrations of the two runs.
    enum Kind: CaseIterable {
        /// With the first version's names throughout.
        case firstNames
        /// With the last version's names throughout.
        case lastNames
        /// No migration in either run. A difference would be due to chance.
        case withoutMigrations

        func namings(_ plan: ModelPlan) -> (RunNaming, RunNaming) {
            switch self {
            case .firstNames: (.asPlanned, .namesOf(0))
            case .lastNames: (.asPlanned, .namesOf(plan.lastVersion))
            case .withoutMigrations: (.withoutMigrations, .withoutMigrations)
            }
        }
    }

    let kind: Kind

    /// What is wrong with the runs, or empty.
    func complaints(
        _ schedule: RenamingSchedule, isWatched: Bool = false
    ) async throws -> [String] {
        let (naming, other) = kind.namings(schedule.plan)
        let renamed = try await RenamingRun.run(schedule, naming, isWatched: isWatched)
        let plain = try await RenamingRun.run(schedule, other, isWatched: isWatched)
        var complaints = renamed.problems.map { "with renaming: \($0)" }
        complaints += plain.problems.map { "without renaming: \($0)" }
        for (end, (former, now)) in zip(plain.ends, renamed.ends).enumerated() {
            for (device, (former, now)) in zip(former, now).enumerated() where former != now {
                complaints.append(
                    "end \(end), device\(device), without renaming and with it:"
                        + LineDifference.text(former, now))
            }
        }
        for (index, step) in schedule.steps.enumerated() where step.isEdit {
            guard renamed.results.indices.contains(index), plain.results.indices.contains(index)
            else { break }
            let (former, now) = (plain.results[index], renamed.results[index])
            if former != now {
                complaints.append("step \(index), \(step.swift): \(former), renamed: \(now)")
            }
        }
        return complaints + firstDifference(schedule, plain, renamed)
    }

    /// The first step after which the devices show something else.
    private func firstDifference(
        _ schedule: RenamingSchedule, _ plain: RunOutcome, _ renamed: RunOutcome
    ) -> [String] {
        for (index, (former, now)) in zip(plain.shown, renamed.shown).enumerated()
        where former != now {
            return [
                "differs from step \(index) on, \(schedule.steps[index].swift):"
                    + LineDifference.text(former, now)
            ]
        }
        return []
    }

    /// What a complaint is about, which stays the same while a schedule is shortened.
    private static func subject(_ complaint: String) -> Substring {
        complaint.hasPrefix("step") ? "step" : complaint.prefix { $0 != "," && $0 != ":" }
    }

    /// Complains about a schedule, with the shortest one that still fails in the first way.
    func report(_ schedule: RenamingSchedule, _ complaints: [String]) async throws -> String {
        let subject = complaints.first.map(Self.subject)
        let shortest = try await ScheduleShortening(schedule) {
            try await self.complaints($0).contains { Self.subject($0) == subject }
        }.run()
        let rest = try await self.complaints(shortest, isWatched: true)
        return """
            \(complaints.joined(separator: "\n    "))
            The shortest schedule that fails:
            \(shortest.swift)
            \(rest.joined(separator: "\n    "))
            """
    }
}
