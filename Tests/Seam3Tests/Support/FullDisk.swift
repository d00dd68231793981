import CoreData

/// A simulated full disk, for tests in a separate process.
enum FullDisk {
    /// Runs a closure with a growing size limit for files, until it does not throw.
    ///
    /// - Parameters:
    ///   - size: The initial limit in bytes.
    ///   - attempt: The closure that writes.
    ///   - check: Checks the result of a failed attempt, without the limit.
    /// - Returns: The number of failed attempts.
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
