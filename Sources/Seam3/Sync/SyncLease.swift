import CoreData

/// The right to synchronise a store file, which one store of one process has at a time.
///
/// It is a value in the file with an expiry, so that a process that was killed loses it; a
/// process that is known to be gone loses it at once.
struct SyncLease {
    private static let key = "lease"
    private static let duration: TimeInterval = 120

    private static let lock = NSLock()
    nonisolated(unsafe) private static var liveOwners: Set<String> = []

    let database: StoreDatabase
    private let owner = UUID().uuidString
    private let process = ProcessInfo.processInfo.processIdentifier

    init(database: StoreDatabase) {
        self.database = database
    }

    /// Takes the lease.
    ///
    /// - Throws: ``SMStoreError/synchronisedElsewhere``.
    func acquire() throws {
        // Before it is in the file: another store of this process takes a lease without a live
        // owner for a forgotten one.
        _ = Self.lock.locked { Self.liveOwners.insert(owner) }
        do {
            try database.connection.transaction {
                if let text = try database.metadata(Self.key).text, isHeld(text) {
                    throw SMStoreError.synchronisedElsewhere
                }
                try write()
            }
        } catch {
            _ = Self.lock.locked { Self.liveOwners.remove(owner) }
            throw error
        }
    }

    /// Puts the expiry off; to be called between the steps of a pass.
    ///
    /// - Throws: ``SMStoreError/synchronisedElsewhere`` if it had expired and another has it now.
    func renew() throws {
        try database.connection.transaction {
            guard try database.metadata(Self.key).text?.contains(owner) == true else {
                throw SMStoreError.synchronisedElsewhere
            }
            try write()
        }
    }

    /// Gives the lease back.
    func release() {
        _ = Self.lock.locked { Self.liveOwners.remove(owner) }
        // If this fails the lease expires by itself.
        try? database.connection.transaction {
            guard try database.metadata(Self.key).text?.contains(owner) == true else { return }
            try database.setMetadata(Self.key, .null)
        }
    }

    private func write() throws {
        let expiry = Date().addingTimeInterval(Self.duration).timeIntervalSinceReferenceDate
        try database.setMetadata(Self.key, .text("\(process) \(owner) \(expiry)"))
    }

    private func isHeld(_ text: String) -> Bool {
        let parts = text.split(separator: " ")
        guard parts.count == 3, let holder = Int32(parts[0]), let expiry = Double(parts[2]) else {
            return false
        }
        guard expiry > Date().timeIntervalSinceReferenceDate else { return false }
        if holder == process {
            return Self.lock.locked { Self.liveOwners.contains(String(parts[1])) }
        }
        return kill(holder, 0) == 0 || errno != ESRCH
    }
}
