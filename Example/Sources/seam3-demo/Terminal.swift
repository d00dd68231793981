import CoreData

/// Output to the user.
enum Terminal {
    /// Prints text immediately, even if the output is a pipe.
    static func show(_ text: String, terminator: String = "\n") {
        print(text, terminator: terminator)
        fflush(nil)
    }

    /// Shows progress; on a terminal it replaces the progress shown before.
    static func showProgress(_ done: Int, of total: Int) {
        let width = 30
        let filled = total > 0 ? done * width / total : width
        let bar =
            String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let isLast = done == total
        if isatty(STDOUT_FILENO) != 0 {
            show("\r  \(bar) \(done)/\(total)", terminator: isLast ? "\n" : "")
        } else if isLast {
            show("  \(bar) \(done)/\(total)")
        }
    }
}
