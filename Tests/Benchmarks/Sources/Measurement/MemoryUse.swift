import CAllocator
import Foundation

/// The memory use of the process, according to the kernel and the allocator.
public enum MemoryUse {
    /// The bytes that are allocated on the heap and not freed, with the allocator's own overhead.
    ///
    /// The size of an allocation is the difference of two readings. The allocator's caches do not
    /// affect it.
    public static var heapBytes: Int {
        let information = mallinfo2()
        return Int(information.uordblks) + Int(information.hblkhd)
    }

    /// The current resident memory of the process in bytes.
    public static var residentBytes: Int { status("VmRSS:") }

    /// The current resident memory of another process in bytes; 0 if there is none.
    ///
    /// - Parameter processIdentifier: The process's ID.
    public static func residentBytes(of processIdentifier: Int32) -> Int {
        status("VmRSS:", of: "\(processIdentifier)")
    }

    /// The maximum resident memory of the process in bytes since the last ``startPeak()``.
    public static var peakResidentBytes: Int { status("VmHWM:") }

    /// Returns freed memory to the system and starts a new measurement of the peak.
    ///
    /// - Returns: The current resident memory in bytes.
    public static func startPeak() -> Int {
        malloc_trim(0)
        // Writing 5 resets the high-water mark to the current resident memory (proc(5),
        // clear_refs).
        if let file = fopen("/proc/self/clear_refs", "w") {
            fputs("5", file)
            fclose(file)
        }
        return residentBytes
    }

    private static func status(_ field: String, of process: String = "self") -> Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first
        else { return 0 }
        return (Int(kilobytes) ?? 0) * 1024
    }
}
