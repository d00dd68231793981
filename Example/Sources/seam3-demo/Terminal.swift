import CoreData

/// What the user sees.
enum Terminal {
    /// Prints a text at once, also where the output is a pipe.
    static func show(_ text: String, terminator: String = "\n") {
        print(text, terminator: terminator)
        fflush(nil)
    }

    /// Shows how far something is, in place of what it showed before where the output is a terminal.
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
