import FoundationGaps

// Linux only: Apple's framework reads compiled models, and does not report why it cannot read one.

/// Why a model file could not be read: the file, and the place in it.
public struct ManagedObjectModelFileError: Error, LocalizedError, CustomStringConvertible {
    /// The file.
    public let url: URL

    /// The line, counted from 1, if known.
    public let line: Int?

    /// The path of names to the element, such as `entity Country, attribute code`.
    public let element: String?

    /// The name of the XML attribute, or the key of a property list, whose value is invalid.
    public let attribute: String?

    /// What is wrong.
    public let reason: String

    /// The complete description in one sentence.
    public var description: String {
        var place = url.path
        if let line { place += ":\(line)" }
        if let element { place += ": \(element)" }
        if let attribute { place += ", \(attribute)" }
        return "\(place): \(reason)"
    }

    /// The complete description in one sentence.
    public var errorDescription: String? { description }
}
