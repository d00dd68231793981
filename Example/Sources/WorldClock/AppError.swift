/// A failure with a text for the user.
public struct AppError: Error, CustomStringConvertible {
    /// The text.
    public let description: String

    /// Makes a failure with a text.
    public init(_ description: String) {
        self.description = description
    }
}
