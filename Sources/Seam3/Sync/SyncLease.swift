import CoreData

/// The right to sync a store file, which one store of one process has at a time.
///
/// It is a value in the file with an expiry, so that a process that was killed loses it; a
/// process that is known to be gone loses it at once.
struct SyncLease {
    private static let duration: TimeInterval = 120

    private static let lock = NSLock()
    nonisolated(unsafe) private static var liveOwners: Set<String> = []

    let database: StoreDatabase
    private let owner = UUID().uuidString
    private static let process = ProcessInfo.processInfo.processIdentifier

    init(database: StoreDatabase) {
        self.database = database
    }

    /// Takes the lease.
    ///
    /// - Throws: ``SMStoreError/syncingElsewhere``.
    func acquire() throws {
        // Before it is in the file: another store of this process takes a lease without a live
        // owner for a forgotten one.
        _ = Self.lock.locked { Self.liveOwners.insert(owner) }
        do {
            try database.write {
                if let lease = try database.syncState.lease(), Self.isHeld(lease) {
                    throw SMStoreError.syncingElsewhere
                }
                try extend()
            }
        } catch {
            _ = Self.lock.locked { Self.liveOwners.remove(owner) }
            throw error
        }
    }

    /// Puts the expiry off; to be called inside the transactions of a pass.
    ///
    /// - Throws: ``SMStoreError/syncingElsewhere`` if it had expired and another has it now.
    func renew() throws {
        guard try isOwn() else { throw SMStoreError.syncingElsewhere }
        try extend()
    }

    /// Gives the lease back.
    func release() {
        _ = Self.lock.locked { Self.liveOwners.remove(owner) }
        // If this fails the lease expires by itself.
        try? database.write {
            if try isOwn() { try database.syncState.setLease(nil) }
        }
    }

    private func isOwn() throws -> Bool { try database.syncState.lease()?.owner == owner }

    private func extend() throws {
        try database.syncState.setLease(
            SyncStateTable.Lease(
                owner: owner, process: Self.process,
                expiry: Date().addingTimeInterval(Self.duration)))
    }

    /// Whether some store has the right to sync a file.
    static func isHeld(in database: StoreDatabase) throws -> Bool {
        try database.syncState.lease().map(isHeld) ?? false
    }

    private static func isHeld(_ lease: SyncStateTable.Lease) -> Bool {
        // An expiry that lies further ahead than a lease lasts is of a clock that was wrong.
        guard (0...duration).contains(lease.expiry.timeIntervalSinceNow) else { return false }
        if lease.process == process {
            return lock.locked { liveOwners.contains(lease.owner) }
        }
        return kill(lease.process, 0) == 0 || errno != ESRCH
    }
}
