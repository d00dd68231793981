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
        // A write that goes too far is an error then, and not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var unlimited = rlimit()
        getrlimit(resource, &unlimited)
        var limit = unlimited
        limit.rlim_cur = rlim_t(size)
        var failures = 0
        while true {
            setrlimit(resource, &limit)
            let result = Result { try attempt() }
            setrlimit(resource, &unlimited)
            if case .success = result { return failures }
            failures += 1
            try check()
            limit.rlim_cur += 4096
        }
    }
}
