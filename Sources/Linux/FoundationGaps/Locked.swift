/// A value that several threads use, one at a time.
///
/// It is an `NSLock` and not a `Mutex` because the thread sanitizer does not know the latter, and
/// would take every use for a race.
final class Locked<Value: Sendable>: @unchecked Sendable {
    // Unchecked because `storage` is touched under `lock` only.
    private let lock = NSLock()
    private var storage: Value

    init(_ value: Value) {
        storage = value
    }

    /// The value as it is now.
    var value: Value { withLock { $0 } }

    /// Reads or changes the value while no other thread does.
    func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&storage)
    }
}
