import CoreData

/// What happens to the space that objects leave when they go.
extension StoreDatabase {
    /// How many pages are left free for what comes next: 1 MB.
    static let sparePageCount = 256
    /// How many pages one transaction gives back at most: 4 MB, which is a few milliseconds' work.
    static let pagesFreedAtOnce = 1024
    /// How many pages are given back when the file is closed, at most: 32 MB.
    static let pagesFreedAtClose = 8192
    /// To how many bytes the write-ahead log is cut when it starts over.
    static let journalSizeLimit = 4_194_304
    /// How many rows a transaction changes before it is worthwhile to look for free pages.
    private static let changesBeforeLook = 200

    /// Gives pages back that are free, as the last thing that a transaction does, if it changed many
    /// rows or if an earlier one has left more than it was to give back.
    ///
    /// - Parameter changeCount: How many rows the transaction has changed.
    /// - Returns: Whether there may be more to give back.
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
            // Others who use the file now will do it.
            try connection.execute("PRAGMA busy_timeout = 100")
            let surplus = try connection.freePageCount() - Self.sparePageCount
            try connection.freePages(limit: min(surplus, Self.pagesFreedAtClose))
            try connection.checkpoint()
        } catch {
            StoreLog.debug("A file is closed as it is: \(StoreLog.text(error))", .store)
        }
    }

    /// Writes a file anew that cannot give pages back, if most of it is free.
    func rewriteIfMostlyFree() {
        do {
            let free = try connection.freePageCount()
            guard free > Self.sparePageCount, free > (try connection.pageCount()) / 2,
                try !connection.vacuumsIncrementally()
            else { return }
            try connection.rewrite()
            try connection.checkpoint()
        } catch {
            StoreLog.debug("A file stays as large as it is: \(StoreLog.text(error))", .store)
        }
    }
}
