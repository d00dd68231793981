import CoreData

/// A disk without room, for tests in a process of their own.
enum FullDisk {
    /// Runs a closure with more and more room for each file, until it does not throw.
    ///
    /// - Parameters:
    ///   - size: The room that there is at first, in bytes.
    ///   - attempt: What needs room.
    ///   - check: Looks, with room again, at what a failed attempt has left.
    /// - Returns: How many attempts have failed.
    static func growing(
        from size: Int, _ attempt: () throws -> Void, afterFailure check: () throws -> Void
    ) throws -> Int {
        var limit = size
        var failures = 0
        while true {
            ThisProcess.limitFiles(to: limit)
            let result = Result { try attempt() }
            ThisProcess.limitFiles(to: nil)
            if case .success = result { return failures }
            failures += 1
            try check()
            limit += 4096
        }
    }
}
