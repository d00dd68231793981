import CoreData

/// What this process may use and has used, which the systems tell in different ways.
enum ThisProcess {
    /// How large files may become, in bytes; what would go beyond fails as on a full disk.
    ///
    /// - Parameter size: The size; nil for any.
    static func limitFiles(to size: Int?) {
        // A write that goes too far is an error then, and not the end of the process.
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

    /// The most memory that the process has had, in bytes.
    static var peakMemory: Int {
        #if canImport(ObjectiveC)
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return Int(usage.ru_maxrss)
        #else
        // What the system calls the same counts in the process that has started this one.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.components(separatedBy: "\n").first { $0.hasPrefix("VmHWM:") }
        let number = line?.split(separator: " ").compactMap { Int($0) }.first
        return (number ?? 0) * 1024
        #endif
    }
}
