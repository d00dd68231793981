/// How long each of many requests took.
struct Latencies {
    private let sorted: [Double]

    /// - Parameter seconds: The times in seconds, in any order.
    init(_ seconds: [Double]) { sorted = seconds.sorted() }

    var count: Int { sorted.count }

    /// The time in milliseconds within which a part of the requests ended.
    ///
    /// - Parameter part: From 0 to 1.
    func milliseconds(_ part: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let index = Int((part * Double(sorted.count)).rounded(.up)) - 1
        return sorted[min(max(index, 0), sorted.count - 1)] * 1000
    }
}

/// Runs something again and again in several tasks at once.
enum Load {
    /// - Parameters:
    ///   - count: The number of tasks.
    ///   - seconds: For how long no task stops.
    ///   - body: Gets the number of the task.
    /// - Returns: How long each run took, and how long all took together, in seconds.
    static func run(
        _ count: Int, seconds: Double, _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> (latencies: Latencies, seconds: Double) {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start + .seconds(seconds)
        let times = try await withThrowingTaskGroup(of: [Double].self) { group in
            for index in 0..<count {
                group.addTask {
                    var times: [Double] = []
                    while clock.now < end {
                        let begin = clock.now
                        try await body(index)
                        times.append((clock.now - begin) / .seconds(1))
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return (Latencies(times), (clock.now - start) / .seconds(1))
    }
}
