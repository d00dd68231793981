/// Looks for the shortest schedule that still fails.
struct ScheduleShortening {
    private var schedule: RenamingSchedule
    private var triesLeft: Int
    private let fails: (RenamingSchedule) async throws -> Bool

    /// - Parameters:
    ///   - tryCount: The number of schedules to try at most.
    ///   - fails: Whether a schedule fails.
    init(
        _ schedule: RenamingSchedule, tryCount: Int = 400,
        fails: @escaping (RenamingSchedule) async throws -> Bool
    ) {
        self.schedule = schedule
        triesLeft = tryCount
        self.fails = fails
    }

    func run() async throws -> RenamingSchedule {
        var shortening = self
        try await shortening.removeSteps()
        try await shortening.removeVersions()
        try await shortening.removeNames()
        try await shortening.simplifyPlan()
        try await shortening.simplifySteps()
        try await shortening.removeSteps()
        return shortening.schedule
    }

    /// Keeps a change if the schedule still fails with it.
    @discardableResult
    private mutating func attempt(
        _ change: (inout RenamingSchedule) -> Void
    ) async throws -> Bool {
        var simpler = schedule
        change(&simpler)
        guard triesLeft > 0, simpler.plan.isPossible else { return false }
        triesLeft -= 1
        guard try await fails(simpler) else { return false }
        schedule = simpler
        return true
    }

    // MARK: - Steps

    private mutating func removeSteps() async throws {
        var size = max(1, schedule.steps.count / 2)
        while triesLeft > 0 {
            var start = 0
            var hasShortened = false
            while start < schedule.steps.count, triesLeft > 0 {
                let end = min(start + size, schedule.steps.count)
                if try await attempt({ $0.steps.removeSubrange(start..<end) }) {
                    hasShortened = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasShortened { return }
            size = max(1, size / 2)
        }
    }

    private mutating func simplifySteps() async throws {
        for index in schedule.steps.indices {
            switch schedule.steps[index] {
            case .edit(.insert(let key, var values), let device):
                for role in values.keys.sorted() {
                    var fewer = values
                    fewer[role] = nil
                    let step = ScheduleStep.edit(.insert(key, fewer), on: device)
                    if try await attempt({ $0.steps[index] = step }) { values = fewer }
                }
            case .migrate(var jumps, let device):
                for jump in jumps.indices.reversed() where jumps.count > 1 {
                    var fewer = jumps
                    fewer.remove(at: jump)
                    let step = ScheduleStep.migrate(fewer, on: device)
                    if try await attempt({ $0.steps[index] = step }) { jumps = fewer }
                }
            default: break
            }
        }
    }

    // MARK: - The plan

    private mutating func removeVersions() async throws {
        for version in schedule.plan.names.indices.dropFirst().reversed()
        where schedule.plan.names.count > 2 {
            try await attempt { schedule in
                schedule.plan.names.remove(at: version)
                schedule.plan.levels.remove(at: version)
            }
        }
    }

    private mutating func removeNames() async throws {
        try await attempt { schedule in
            for version in schedule.plan.names.indices {
                for role in ModelRoles.entities { schedule.plan.names[version][role] = nil }
            }
        }
        for role in ModelRoles.properties + ModelRoles.elements.map(\.role)
        where schedule.plan.names.contains(where: { $0[role] != nil }) {
            try await attempt { schedule in
                for version in schedule.plan.names.indices {
                    schedule.plan.names[version][role] = nil
                }
            }
        }
        for version in schedule.plan.names.indices.dropFirst() {
            for role in schedule.plan.names[version].keys.sorted() {
                try await simplifyName(of: role, in: version)
            }
        }
    }

    private mutating func simplifyName(of role: String, in version: Int) async throws {
        let former = schedule.plan.names[version - 1][role]
        for name in [nil, former, "u\(version)\(role.filter { $0 != "." })"]
        where name != schedule.plan.names[version][role] {
            if try await attempt({ $0.plan.names[version][role] = name }) { return }
        }
    }

    private mutating func simplifyPlan() async throws {
        for path in [
            \ModelPlan.addedFrom, \.syncedFrom, \.localAt, \.movedFrom, \.optionalFrom,
        ] {
            try await attempt { $0.plan[keyPath: path] = [:] }
            for role in schedule.plan[keyPath: path].keys.sorted() {
                try await attempt { schedule in
                    schedule.plan[keyPath: path][role] = nil
                    // Both ends of a relationship are synced, or neither.
                    guard let link = ModelRoles.link(role) else { return }
                    schedule.plan[keyPath: path][link.inverse] = nil
                }
            }
        }
        for role in schedule.plan.deleteRules.keys.sorted() {
            try await attempt { $0.plan.deleteRules[role] = nil }
        }
        try await attempt { $0.plan.hasOneToOne = false }
        // The user info is needed for as long as identifiers are the previous names.
        try await attempt { $0.plan.identifiesPrevious = false }
        try await attempt { $0.plan.fieldNaming = .identifiers }
        try await attempt { $0.plan.alwaysIdentifies = true }
        try await attempt { $0.plan.nestsElements = false }
        try await attempt { $0.plan.isRich = false }
        for role in schedule.plan.entityPolicies.keys.sorted() {
            try await attempt { $0.plan.entityPolicies[role] = nil }
        }
        try await attempt { $0.plan.policy = .serverRecordWins }
        if schedule.steps.allSatisfy({ $0.device < 2 }) {
            try await attempt { $0.plan.deviceCount = 2 }
        }
    }
}
