import Seam3

/// A complete sequence of steps for a fleet.
public struct Schedule: Sendable {
    /// The devices and the mode.
    public var setting: Setting
    /// The steps.
    public var steps: [Step]

    /// The schedule of a seed.
    ///
    /// - Parameters:
    ///   - mode: The mode; nil to choose it at random.
    ///   - policy: The conflict policy; nil to choose it at random.
    ///   - isHarsh: Whether the server is harsh; nil to choose it at random, four times out of five
    ///     true.
    ///   - isOverHTTP: Whether devices reach the server over HTTP and a bad network.
    ///   - isSmall: Whether it has few objects and steps.
    public init(
        seed: UInt64, mode: Mode? = nil, policy: SMSyncConflictResolutionPolicy? = nil,
        isHarsh: Bool? = nil, isOverHTTP: Bool = false, isSmall: Bool = false
    ) {
        var scheduler = Scheduler(seed: seed, mode: mode, policy: policy)
        steps = isSmall ? scheduler.makeSmallSteps() : scheduler.makeSteps()
        setting = scheduler.setting
        if let isHarsh { setting.harsh = isHarsh ? seed : nil }
        if isOverHTTP { setting.network = seed }
    }

    /// The schedule as the code of a test.
    public func swift(seed: UInt64) -> String {
        let calls = steps.map { "    \($0.swift)" }.joined(separator: "\n")
        return """
            @Test func seed\(seed)() async throws {
                let fleet = try Fleet(\(setting.swift))
                defer { fleet.end() }
            \(calls)
                try await fleet.judge()
            }
            """
    }
}
