/// A failure with a text for the user.
public struct AppError: Error, CustomStringConvertible {
    /// The text for the user.
    public let description: String

    /// Creates a failure with a text.
    public init(_ description: String) {
        self.description = description
    }
}
