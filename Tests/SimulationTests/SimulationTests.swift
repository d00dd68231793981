import CoreData
import Seam3
import Simulation
import Testing

@Suite("Simulated devices")
struct SimulationTests {
    /// How many schedules are run; `SIMULATION_SEEDS` sets another number.
    private static let seedCount =
        ProcessInfo.processInfo.environment["SIMULATION_SEEDS"].flatMap(Int.init) ?? 500

    /// The first seed; `SIMULATION_SEED` sets another one.
    private static let firstSeed =
        ProcessInfo.processInfo.environment["SIMULATION_SEED"].flatMap(UInt64.init) ?? 1

    @Test(
        "hold what the rules of synchronisation allow, after every fault",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func rules(policy: SMSyncConflictResolutionPolicy) async {
        let policies = SMSyncConflictResolutionPolicy.allCases.count
        var simulation = Simulation(policy: policy)
        simulation.steps = 9
        for offset in 0..<max(1, Self.seedCount / policies) {
            let seed = Self.firstSeed + UInt64(offset)
            do {
                try await simulation.run(seed: seed)
            } catch {
                Issue.record("\(error)")
                return
            }
        }
    }
}
