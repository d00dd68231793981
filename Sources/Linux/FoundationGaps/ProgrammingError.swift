/// Stops the program with the name and the reason that Apple's frameworks give to the exception
/// they raise at this point.
///
/// For mistakes that only the programmer can repair: an unparsable predicate format, an unknown key.
///
/// - Parameters:
///   - exception: The name of Apple's exception, `NSInvalidArgumentException` for instance.
///   - reason: The exception's reason.
public func _raise(
    _ exception: String, _ reason: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
    fatalError(
        "*** Terminating app due to uncaught exception '\(exception)', reason: '\(reason)'",
        file: file, line: line)
}

let invalidArgumentException = "NSInvalidArgumentException"
