/// A place of a source that a person has to change.
public struct HandWork: Equatable, Sendable {
    /// The number of the line.
    public var line: Int
    /// What to do, in a sentence.
    public var message: String
}
