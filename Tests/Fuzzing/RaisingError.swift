// Replaces ProgrammingError.swift, so that an exception of Apple's frameworks ends the evaluation
// of one input and not the fuzzer.

/// Gives up the input under evaluation.
public func _raise(
    _ exception: String, _ reason: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
    escape_call()
    fatalError("\(exception): \(reason)", file: file, line: line)
}

let invalidArgumentException = "NSInvalidArgumentException"
