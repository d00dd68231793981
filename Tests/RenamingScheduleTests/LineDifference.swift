/// The lines in which two texts differ.
enum LineDifference {
    /// The lines that only the first text has, with a minus, and those that only the second one has.
    static func text(_ first: [String], _ second: [String]) -> String {
        let missing = first.filter { !second.contains($0) }.map { "\n      - \($0)" }
        let added = second.filter { !first.contains($0) }.map { "\n      + \($0)" }
        // Only the number of equal lines differs.
        if missing.isEmpty, added.isEmpty { return " \(first.count) and \(second.count) lines" }
        return (missing + added).joined()
    }
}
