/// A violation of a promise.
public struct Violation: Error, CustomStringConvertible, Sendable {
    /// The broken promise, in a few words that stay the same while a schedule is shortened.
    public let rule: String
    /// The object, its problem, and its edits.
    public let text: String

    init(_ rule: String, _ text: String) {
        self.rule = rule
        self.text = text
    }

    /// The rule and the text.
    public var description: String { "\(rule): \(text)" }
}
