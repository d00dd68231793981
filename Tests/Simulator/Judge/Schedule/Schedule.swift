import Seam3

/// What happens to a fleet, from its beginning on.
public struct Schedule: Sendable {
    /// The devices, and what goes wrong.
    public var setting: Setting
    /// What happens.
    public var steps: [Step]

    /// The schedule of a seed.
    ///
    /// - Parameters:
    ///   - mode: What goes wrong; nil to draw it.
    ///   - policy: The conflict policy; nil to draw it.
    ///   - isHarsh: Whether the server is harsh; nil to draw it, four times out of five.
    ///   - isOverHTTP: Whether the devices reach the server by HTTP over a bad network.
    public init(
        seed: UInt64, mode: Mode? = nil, policy: SMSyncConflictResolutionPolicy? = nil,
        isHarsh: Bool? = nil, isOverHTTP: Bool = false
    ) {
        var scheduler = Scheduler(seed: seed, mode: mode, policy: policy)
        steps = scheduler.makeSteps()
        setting = scheduler.setting
        if let isHarsh { setting.harsh = isHarsh ? seed : nil }
        if isOverHTTP { setting.network = seed }
    }

    /// The schedule as a test.
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
