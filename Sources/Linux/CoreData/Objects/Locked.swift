import FoundationGaps

/// A value behind a lock.
///
/// What `Mutex` is, on top of an `NSLock`: the thread sanitizer does not see the synchronisation
/// of a `Mutex` on Linux.
///
/// Unchecked because the value is touched with the lock held only. What is put in and taken out
/// must be safe to share; the places that need it say so.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
