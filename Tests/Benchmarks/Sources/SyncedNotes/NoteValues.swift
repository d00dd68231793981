import Foundation

/// The values of the note with a number.
public struct NoteValues {
    /// The title.
    public let title: String
    /// The text, 120 characters.
    public let body: String
    /// The date.
    public let date: Date

    /// Creates the values for a number.
    public init(_ index: Int) {
        title = "Note number \(index)"
        body = String(repeating: "All work and no play makes a dull note. ", count: 3)
        date = Date(timeIntervalSinceReferenceDate: Double(index))
    }
}
