import CoreData

/// How long a change that the server has refused waits until it is sent again.
enum RefusalDelay {
    /// The delays after the first refusal, the second, and so on.
    private static let delays: [TimeInterval] = [
        60, 300, 1800, 3 * 3600, 6 * 3600, 12 * 3600, longest,
    ]
    /// The longest delay.
    static let longest: TimeInterval = 86_400

    /// The delay after a refusal.
    ///
    /// - Parameter count: How often the server has refused the change.
    /// - Returns: The delay in seconds: longer each time, up to a day.
    static func seconds(afterRefusals count: Int) -> TimeInterval {
        delays[min(max(count, 1), delays.count) - 1]
    }
}
