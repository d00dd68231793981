/// The entry point of libFuzzer: the bytes are parsed as a predicate format, and as an expression.
///
/// A format is either refused with Apple's message or parsed. A parsed predicate prints a format
/// that parses to the same text, equals its copy, and can be evaluated with any object or raises.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPredicateFormat(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let format = String(
        decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    do {
        try check(predicate: NSPredicate._parsing(format, FuzzedValues.arguments), format)
    } catch {
        check(failure: error, format)
    }
    do {
        try check(expression: NSExpression._parsing(format, FuzzedValues.arguments), format)
    } catch {
        check(failure: error, format)
    }
    return 0
}

private func check(predicate: NSPredicate, _ format: String) {
    let text = predicate._structuralFormat
    guard let again = try? NSPredicate._parsing(text) else {
        fatalError("Printed text does not parse: \(text) from \(format)")
    }
    guard again._structuralFormat == text else {
        fatalError("\(text) is printed as \(again._structuralFormat)")
    }
    let copy = predicate._structuralCopy()
    guard copy._isStructurallyEqual(to: predicate),
        copy._structuralHash == predicate._structuralHash
    else { fatalError("The copy of \(text) differs") }
    // A predicate that has raised is not used again, because it may hold the lock of its operand.
    for object in FuzzedValues.objects {
        guard let predicate = try? NSPredicate._parsing(format, FuzzedValues.arguments) else {
            fatalError("\(format) is parsed at one time and refused at another")
        }
        let substituted = predicate.withSubstitutionVariables(FuzzedValues.variables)
        protected { _ = substituted.evaluate(with: object) }
        protected {
            _ = predicate.evaluate(with: object, substitutionVariables: FuzzedValues.variables)
        }
    }
}

private func check(expression: NSExpression, _ format: String) {
    let text = expression.description
    guard let again = try? NSExpression._parsing(text) else {
        fatalError("Printed text does not parse: \(text) from \(format)")
    }
    guard again.description == text else {
        fatalError("\(text) is printed as \(again.description)")
    }
    for object in FuzzedValues.objects {
        guard let expression = try? NSExpression._parsing(format, FuzzedValues.arguments) else {
            fatalError("\(format) is parsed at one time and refused at another")
        }
        protected {
            let context = NSMutableDictionary(dictionary: FuzzedValues.variables)
            _ = expression.expressionValue(with: object, context: context)
        }
    }
}

private func check(failure: any Error, _ format: String) {
    guard failure is _PredicateFormatFailure else {
        fatalError("\(format) is refused with \(failure)")
    }
}

/// Runs a block until it returns or raises.
private func protected(_ block: @escaping () -> Void) {
    ProtectedBlock.current = block
    _ = protect_call { ProtectedBlock.current() }
}

private enum ProtectedBlock {
    // Unchecked because libFuzzer runs one input at a time.
    nonisolated(unsafe) static var current: () -> Void = {}
}

/// The arguments and objects for the formats.
private enum FuzzedValues {
    // Unchecked because they do not change after their creation.
    nonisolated(unsafe) static let arguments: [Any?] = [
        "name", 5, nil, [1, 2], "a*", Date(timeIntervalSinceReferenceDate: 5), 2.5, "age",
    ]

    nonisolated(unsafe) static let variables: [String: Any] = [
        "x": 5, "v": "text", "c": [1, 2], "d": ["name": "Ann"],
    ]

    nonisolated(unsafe) static let objects: [Any?] = [
        [
            "name": "Zürich", "age": 42, "height": 1.8, "open": true, "a": 1, "b": "b",
            "date": Date(timeIntervalSinceReferenceDate: 7), "nothing": NSNull(),
            "tags": ["red", "green"], "numbers": [1, 2, 3], "owner": ["name": "Ann"],
            "children": [["name": "Bo", "age": 3], ["name": "Cy", "age": 9]],
        ] as [String: Any],
        "text", Int64.min, 1e300, [1, -1, Int64.max], nil,
    ]
}
