import CoreData

extension NSLocking {
    /// Runs a closure while the lock is held. Foundation's own `withLock` is newer than some of the
    /// supported systems.
    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}
