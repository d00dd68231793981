import CoreData

/// The resource limits and the memory use of this process, for which each system has its own API.
enum ThisProcess {
    /// Limits the size of files in bytes. Larger writes fail as on a full disk.
    ///
    /// - Parameter size: The limit; nil for none.
    static func limitFiles(to size: Int?) {
        // With this, a write beyond the limit is an error and does not end the process.
        signal(SIGXFSZ, SIG_IGN)
        #if canImport(ObjectiveC)
        let resource = RLIMIT_FSIZE
        #else
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #endif
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
        setrlimit(resource, &limit)
    }

    /// The peak memory use of the process, in bytes.
    static var peakMemory: Int {
        #if canImport(ObjectiveC)
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return Int(usage.ru_maxrss)
        #else
        // The system's own value includes the process that has started this one.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.components(separatedBy: "\n").first { $0.hasPrefix("VmHWM:") }
        let number = line?.split(separator: " ").compactMap { Int($0) }.first
        return (number ?? 0) * 1024
        #endif
    }
}
