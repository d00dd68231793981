/// What happens to the destinations of a relationship when its source is deleted.
///
/// The raw values are Apple's.
public enum NSDeleteRule: UInt, Sendable {
    /// The destinations are left as they are, including their references to the deleted object.
    case noActionDeleteRule = 0
    /// The inverse relationships of the destinations lose the deleted object.
    case nullifyDeleteRule = 1
    /// The destinations are deleted too.
    case cascadeDeleteRule = 2
    /// A save that deletes an object which still has destinations fails.
    case denyDeleteRule = 3
}
