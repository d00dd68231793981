import CAllocator
import Foundation

/// How much memory the process uses, as the kernel and the allocator count it.
public enum MemoryUse {
    /// The bytes that are allocated on the heap and not freed, with the allocator's own overhead.
    ///
    /// What an allocation takes is the difference of two readings; caches of the allocator do not
    /// blur it.
    public static var heapBytes: Int {
        let information = mallinfo2()
        return Int(information.uordblks) + Int(information.hblkhd)
    }

    /// The bytes of the process that are in memory now.
    public static var residentBytes: Int { status("VmRSS:") }

    /// The most bytes of the process that were in memory since the last ``startPeak()``.
    public static var peakResidentBytes: Int { status("VmHWM:") }

    /// Gives freed memory back to the system and begins a new measurement of the peak.
    ///
    /// - Returns: The bytes that are in memory now.
    public static func startPeak() -> Int {
        malloc_trim(0)
        // Writing 5 sets the high-water mark to what is resident now (proc(5), clear_refs).
        if let file = fopen("/proc/self/clear_refs", "w") {
            fputs("5", file)
            fclose(file)
        }
        return residentBytes
    }

    private static func status(_ field: String) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first
        else { return 0 }
        return (Int(kilobytes) ?? 0) * 1024
    }
}
