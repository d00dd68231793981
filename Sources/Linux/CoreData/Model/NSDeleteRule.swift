/// What happens to the destinations of a relationship when its source is deleted.
///
/// The raw values are Apple's.
public enum NSDeleteRule: UInt, Sendable {
    /// The destinations are not changed, and keep their references to the deleted object.
    case noActionDeleteRule = 0
    /// The deleted object is removed from the inverse relationships of the destinations.
    case nullifyDeleteRule = 1
    /// The destinations are deleted, too.
    case cascadeDeleteRule = 2
    /// A save that deletes an object with remaining destinations fails.
    case denyDeleteRule = 3
}
