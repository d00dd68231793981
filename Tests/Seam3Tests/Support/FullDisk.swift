import CoreData

/// A disk without room, for tests in a process of their own.
enum FullDisk {
    /// Runs a closure with more and more room for each file, until it says that there was enough.
    ///
    /// - Parameter size: The room that there is at first, in bytes.
    static func growing(from size: Int, _ attempt: () throws -> Bool) throws {
        // A write that goes too far is an error then, and not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        let unlimited = limit
        defer {
            var unlimited = unlimited
            setrlimit(resource, &unlimited)
        }
        limit.rlim_cur = rlim_t(size)
        while true {
            setrlimit(resource, &limit)
            if try attempt() { return }
            limit.rlim_cur += 4096
        }
    }
}
