import CoreData

/// The right to sync a store file, which only one store of one process has at a time.
///
/// The lease is a value in the file with an expiry date, so that a killed process loses it. A
/// process that is known to have ended loses it at once.
struct SyncLease: Sendable {
    private static let duration: TimeInterval = 120

    private static let lock = NSLock()
    nonisolated(unsafe) private static var liveOwners: Set<String> = []

    private let owner = UUID().uuidString
    private static let process = ProcessInfo.processInfo.processIdentifier

    /// Takes the lease.
    ///
    /// - Throws: ``SMStoreError/syncingElsewhere``.
    func acquire(in database: StoreDatabase) throws {
        // The owner is registered before the lease is written, because another store of this
        // process treats a lease without a registered owner as abandoned.
        _ = Self.lock.locked { Self.liveOwners.insert(owner) }
        do {
            try database.write {
                if let lease = try database.syncState.lease(), Self.isHeld(lease) {
                    throw SMStoreError.syncingElsewhere
                }
                try extend(in: database)
            }
        } catch {
            _ = Self.lock.locked { Self.liveOwners.remove(owner) }
            throw error
        }
    }

    /// Extends the lease; must be called inside the transactions of a pass.
    ///
    /// - Throws: ``SMStoreError/syncingElsewhere`` if it has expired and another store has taken
    ///   it.
    func renew(in database: StoreDatabase) throws {
        guard try isOwn(in: database) else { throw SMStoreError.syncingElsewhere }
        try extend(in: database)
    }

    /// Releases the lease.
    func release(in database: StoreDatabase) {
        _ = Self.lock.locked { Self.liveOwners.remove(owner) }
        // If this fails, the lease expires on its own.
        try? database.write {
            if try isOwn(in: database) { try database.syncState.setLease(nil) }
        }
    }

    private func isOwn(in database: StoreDatabase) throws -> Bool {
        try database.syncState.lease()?.owner == owner
    }

    private func extend(in database: StoreDatabase) throws {
        try database.syncState.setLease(
            SyncStateTable.Lease(
                owner: owner, process: Self.process,
                expiry: Date().addingTimeInterval(Self.duration)))
    }

    /// Whether any store has the lease of a file.
    static func isHeld(in database: StoreDatabase) throws -> Bool {
        try database.syncState.lease().map(isHeld) ?? false
    }

    private static func isHeld(_ lease: SyncStateTable.Lease) -> Bool {
        // An expiry date further ahead than a lease lasts comes from a clock that was wrong.
        guard (0...duration).contains(lease.expiry.timeIntervalSinceNow) else { return false }
        if lease.process == process {
            return lock.locked { liveOwners.contains(lease.owner) }
        }
        return kill(lease.process, 0) == 0 || errno != ESRCH
    }
}
