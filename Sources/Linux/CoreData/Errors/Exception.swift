import FoundationGaps

/// The names of the exceptions that Apple's Core Data raises for programming errors.
enum ExceptionName: String {
    case internalInconsistency = "NSInternalInconsistencyException"
    case invalidArgument = "NSInvalidArgumentException"
    case objectInaccessible = "NSObjectInaccessibleException"
    case undefinedKey = "NSUnknownKeyException"
}

/// Stops the process where Apple's framework raises an Objective-C exception.
///
/// Swift on Linux has no exceptions, and an uncaught one terminates the process on Apple's systems
/// as well. The text is the one in the crash log there.
func raise(
    _ name: ExceptionName, _ reason: @autoclosure () -> String,
    file: StaticString = #fileID, line: UInt = #line
) -> Never {
    _raise(name.rawValue, reason(), file: file, line: line)
}
