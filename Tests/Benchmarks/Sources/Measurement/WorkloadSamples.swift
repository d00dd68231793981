import Foundation

/// The times of one workload at one size, one for each round, and its memory use.
public struct WorkloadSamples {
    private(set) var seconds: [Double] = []
    private(set) var checksum = 0
    /// The peak resident memory during the preparation and execution of the first run, minus the
    /// resident memory before.
    public private(set) var peakBytes = 0

    /// The median of the rounds, in seconds.
    public var median: Double {
        let sorted = seconds.sorted()
        let middle = sorted.count / 2
        guard !sorted.isEmpty else { return .nan }
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// The shortest time, in seconds.
    public var least: Double { seconds.min() ?? .nan }

    /// The longest time, in seconds.
    public var most: Double { seconds.max() ?? .nan }

    private static func now(_ options: MeasurementOptions) -> Duration {
        var time = timespec()
        clock_gettime(options.cpuTime ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    mutating func forgetTimes() {
        seconds = []
    }

    /// Executes one round, with as many runs as are needed for a measurable time. The round's time
    /// is their mean.
    mutating func sample(
        _ workload: Workload, size: Int, _ options: MeasurementOptions
    ) async throws {
        let copies = workload.hasCopies ? max(1, options.largestSize / size) : 1
        var total = Duration.zero
        var runs = 0
        repeat {
            let watchesMemory = seconds.isEmpty && runs == 0
            let before = watchesMemory ? MemoryUse.startPeak() : 0
            let prepared = try await workload.prepare(size, copies)
            let start = Self.now(options)
            switch prepared {
            case .reading(let run): checksum = try await run()
            case .changing(let changing): try await changing.run()
            }
            total += Self.now(options) - start
            runs += 1
            if watchesMemory { peakBytes = max(peakBytes, MemoryUse.peakResidentBytes - before) }
            if case .changing(let changing) = prepared {
                checksum = try await changing.checksum()
            }
        } while total < options.leastRoundTime && runs < options.mostRunsPerRound
        seconds.append(total / .seconds(1) / Double(runs))
    }
}
