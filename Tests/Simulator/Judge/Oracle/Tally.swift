/// Counts for how many properties the promises allow a single value.
public struct Tally: Sendable {
    /// One value is allowed.
    public var exact = 0
    /// Some of the values that were written are allowed.
    public var narrowed = 0
    /// All values that were written are allowed.
    public var undecided = 0

    /// Creates a count.
    public init(exact: Int = 0, narrowed: Int = 0, undecided: Int = 0) {
        self.exact = exact
        self.narrowed = narrowed
        self.undecided = undecided
    }

    /// Adds a count.
    public static func += (left: inout Tally, right: Tally) {
        left.exact += right.exact
        left.narrowed += right.narrowed
        left.undecided += right.undecided
    }

    /// A readable description of the shares.
    public var summary: String {
        let all = exact + narrowed + undecided
        func share(_ number: Int) -> String { "\(number * 100 / max(1, all)) %" }
        return "of \(all) properties \(share(exact)) decided, \(share(narrowed)) narrowed,"
            + " \(share(undecided)) undecided"
    }
}
