/// Why a format string is not a predicate or an expression.
enum PredicateFormatError: Error, Equatable {
    /// The text violates the grammar at a token; the associated value describes what was expected.
    case unparsable(String)
    /// Fewer arguments than conversions.
    case insufficientArguments
    /// The argument of a `%K` is not a string.
    case keyPathArgumentIsNotString
    /// The function is unknown.
    case unknownFunction(String)

    /// The reason of Apple's exception.
    func reason(for format: String) -> String {
        switch self {
        case .unparsable, .keyPathArgumentIsNotString:
            "Unable to parse the format string \"\(format)\""
        case .insufficientArguments:
            "Insufficient arguments for conversion characters specified in format string."
        case .unknownFunction(let name):
            "Unable to parse function name '\(name)' into supported selector (\(name))"
        }
    }
}
