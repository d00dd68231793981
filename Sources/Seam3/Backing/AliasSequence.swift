/// Gives every table of a statement its alias: `t0`, `t1`, ….
final class AliasSequence {
    /// The alias of a statement's first table.
    static let first = "t0"

    private var count = 0

    func next() -> String {
        defer { count += 1 }
        return "t\(count)"
    }
}
