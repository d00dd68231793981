import Foundation

/// The seeds of a test of random schedules.
enum ScheduleSeeds {
    /// The first seeds, or those in an environment variable: one to repeat a failure, `7`, or a
    /// range to look for more, `100-399`.
    ///
    /// - Parameters:
    ///   - count: The number of seeds if the variable is not set.
    ///   - variable: The name of the variable.
    static func first(_ count: UInt64, orThoseIn variable: String) -> [UInt64] {
        let text = ProcessInfo.processInfo.environment[variable] ?? ""
        let limits = text.split(separator: "-").compactMap { UInt64($0) }
        guard let first = limits.first, let last = limits.last, first <= last else {
            return Array(0..<count)
        }
        return Array(first...last)
    }
}
