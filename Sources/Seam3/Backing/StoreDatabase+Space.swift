import CoreData

/// Reuse and release of the space that deleted objects leave.
extension StoreDatabase {
    /// How many pages stay free for later use: 1 MB.
    static let sparePageCount = 256
    /// How many pages one transaction releases at most: 4 MB, which takes a few milliseconds.
    static let pagesFreedAtOnce = 1024
    /// How many pages are released at most when the file is closed: 32 MB.
    static let pagesFreedAtClose = 8192
    /// How many pages the write-ahead log may have before the engine moves them into the file: 4 MB.
    static let pagesBeforeCheckpoint = 1000
    /// The same for a save, which a user waits for. It is only reached if nothing is synced: 16 MB.
    static let pagesBeforeCheckpointBySave = 4000
    /// The size in bytes to which the write-ahead log is truncated when it restarts.
    static let journalSizeLimit = 4_194_304
    /// How many rows a transaction must change to make a check for free pages worthwhile.
    private static let changesBeforeLook = 200

    /// Releases free pages as the last step of a transaction, if it changed many rows or if an
    /// earlier transaction left more pages than it could release.
    ///
    /// - Parameter changeCount: How many rows the transaction has changed.
    /// - Returns: Whether there may be more pages to release.
    func giveBackPages(afterChanges changeCount: Int, _ mayHaveFreePages: Bool) throws -> Bool {
        guard mayHaveFreePages || changeCount >= Self.changesBeforeLook else { return false }
        let surplus = try connection.freePageCount() - Self.sparePageCount
        guard surplus > 0 else { return false }
        try connection.freePages(limit: min(surplus, Self.pagesFreedAtOnce))
        return surplus > Self.pagesFreedAtOnce
    }

    /// Shrinks the file as far as possible in a short time, before it is closed.
    func shrink() {
        do {
            // If other connections are using the file, one of them will do it.
            try connection.execute("PRAGMA busy_timeout = 100")
            try withoutSuspension {
                let surplus = try connection.freePageCount() - Self.sparePageCount
                try connection.freePages(limit: min(surplus, Self.pagesFreedAtClose))
                try connection.checkpoint()
            }
        } catch {
            StoreLog.debug("A file was closed without shrinking: \(StoreLog.text(error))", .store)
        }
    }

    /// Rewrites a file that cannot release pages, if most of it is free.
    func rewriteIfMostlyFree() {
        do {
            let free = try connection.freePageCount()
            guard free > Self.sparePageCount, free > (try connection.pageCount()) / 2,
                try !connection.vacuumsIncrementally()
            else { return }
            try withoutSuspension {
                try connection.rewrite()
                try connection.checkpoint()
            }
        } catch {
            StoreLog.debug("A file could not be rewritten: \(StoreLog.text(error))", .store)
        }
    }
}
