/// A value that several threads use, one at a time; for the Linux modules of this package.
///
/// It uses an `NSLock` instead of a `Mutex` because the thread sanitizer does not know the latter
/// and would report every use as a race.
///
/// Values that enter and leave must be safe to share. Where they are not `Sendable`, the code that
/// uses this explains why.
package final class Locked<Value>: @unchecked Sendable {
    // Unchecked because `storage` is accessed only while `lock` is held.
    @usableFromInline let lock = NSLock()
    @usableFromInline var storage: Value

    /// Puts a value behind a lock.
    package init(_ value: Value) {
        storage = value
    }

    /// The current value.
    package var value: Value { withLock { $0 } }

    /// Reads or changes the value exclusively.
    @inlinable package func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&storage)
    }
}
