@testable import Judge

extension History {
    /// Records that a device has sent its edits. What it has not sent cannot be seen anywhere else.
    mutating func send(from place: Int) {
        _ = beginExchange(place)
        attempted(place)
    }
}
