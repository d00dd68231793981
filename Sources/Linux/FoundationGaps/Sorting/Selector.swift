/// The name of a method. Linux has no Objective-C runtime: here a selector only names one of the
/// comparisons that `NSSortDescriptor` supports.
///
/// `#selector` does not compile on Linux; `Selector("localizedStandardCompare:")` compiles on all
/// platforms.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, with its colons.
    public let description: String

    /// A selector of this name.
    public init(_ str: String) {
        description = str
    }

    /// A selector of this name.
    public init(stringLiteral value: String) {
        description = value
    }
}

/// The selector of this name.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector {
    Selector(aSelectorName)
}

/// The name of a selector.
public func NSStringFromSelector(_ aSelector: Selector) -> String {
    aSelector.description
}
