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
