/// Stops the program with the name and the reason of the exception that Apple's frameworks raise at
/// this point.
///
/// For mistakes that only the programmer can fix, such as an unparsable predicate format or an
/// unknown key.
///
/// - Parameters:
///   - exception: The name of Apple's exception, such as `NSInvalidArgumentException`.
///   - reason: The exception's reason.
public func _raise(
    _ exception: String, _ reason: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
    fatalError(
        "*** Terminating app due to uncaught exception '\(exception)', reason: '\(reason)'",
        file: file, line: line)
}

let invalidArgumentException = "NSInvalidArgumentException"
