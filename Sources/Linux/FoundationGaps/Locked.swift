/// A value that several threads use, one at a time; for the Linux modules of this package.
///
/// It is an `NSLock` and not a `Mutex` because the thread sanitizer does not know the latter, and
/// would take every use for a race.
///
/// What is put in and taken out must be safe to share; where it is not `Sendable`, the place that
/// needs it says why.
package final class Locked<Value>: @unchecked Sendable {
    // Unchecked because `storage` is touched under `lock` only.
    @usableFromInline let lock = NSLock()
    @usableFromInline var storage: Value

    /// Puts a value behind a lock.
    package init(_ value: Value) {
        storage = value
    }

    /// The value as it is now.
    package var value: Value { withLock { $0 } }

    /// Reads or changes the value while no other thread does.
    @inlinable package func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&storage)
    }
}
