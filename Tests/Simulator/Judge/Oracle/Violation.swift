/// Something that must never happen, and did.
public struct Violation: Error, CustomStringConvertible, Sendable {
    /// What kind of promise is broken, in a few words that stay the same while a schedule is
    /// shortened.
    public let rule: String
    /// What is wrong with what, and what was done to it.
    public let text: String

    init(_ rule: String, _ text: String) {
        self.rule = rule
        self.text = text
    }

    /// The rule and the text.
    public var description: String { "\(rule): \(text)" }
}

/// How many properties the promises decide.
public struct Tally: Sendable {
    /// One value is allowed.
    public var exact = 0
    /// Some of the values that were written are allowed.
    public var narrowed = 0
    /// All values that were written are allowed.
    public var undecided = 0

    /// Makes a count.
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
}
