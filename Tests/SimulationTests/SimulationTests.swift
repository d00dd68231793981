import CoreData
import Seam3
import Simulation
import Testing

@Suite("Simulated devices")
struct SimulationTests {
    /// How many seeds are run; `SIMULATION_SEEDS` sets another number.
    private static let seedCount =
        ProcessInfo.processInfo.environment["SIMULATION_SEEDS"].flatMap(Int.init) ?? 500

    /// The first seed; `SIMULATION_SEED` sets another one.
    private static let firstSeed =
        ProcessInfo.processInfo.environment["SIMULATION_SEED"].flatMap(UInt64.init) ?? 1

    @Test(
        "hold what the rules of synchronisation allow, after every fault",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func rules(policy: SMSyncConflictResolutionPolicy) async {
        var simulation = Simulation(policy: policy)
        simulation.steps = 9
        let seeds = Self.firstSeed..<Self.firstSeed + UInt64(Self.seedCount)
        for seed in seeds where Simulation.policy(ofSeed: seed) == policy {
            do {
                try await simulation.run(seed: seed)
            } catch {
                Issue.record("\(error)")
                return
            }
        }
    }
}
