import CoreData

/// A call of a function of the predicate language with values, for functions that SQLite calls.
///
/// An exception must not pass through the frames of SQLite, which would be left as they are. So what would raise one
/// has no result, or is an error.
struct PredicateCall {
    /// The result; nil for a remainder of a division by zero.
    let result: Any?

    /// The functions that SQL calls, by their number of arguments. A file may name others.
    private static let functions: [String: Int] = [
        "add:to:": 2, "from:subtract:": 2, "multiply:by:": 2, "divide:by:": 2, "modulus:by:": 2,
        "bitwiseAnd:with:": 2, "bitwiseOr:with:": 2, "bitwiseXor:with:": 2, "leftshift:by:": 2,
        "rightshift:by:": 2, "onesComplement:": 1, "raise:toPower:": 2, "sqrt:": 1, "log:": 1,
        "ln:": 1, "exp:": 1, "floor:": 1, "ceiling:": 1, "trunc:": 1, "abs:": 1, "uppercase:": 1,
        "lowercase:": 1, "canonical:": 1, "length:": 1,
    ]

    /// Calculates.
    ///
    /// - Throws: ``SMStoreError/invalidRequest(_:)`` if the predicate language has no such function.
    init(_ name: String, _ arguments: [Any]) throws {
        guard Self.functions[name] == arguments.count else {
            throw SMStoreError.invalidRequest(
                "the function \(name) with \(arguments.count) arguments")
        }
        if name == "modulus:by:" {
            result = Self.remainder(arguments[0], arguments[1])
            return
        }
        result = NSExpression(
            forFunction: name, arguments: arguments.map { NSExpression(forConstantValue: $0) }
        ).expressionValue(with: nil, context: nil)
    }

    /// The remainder of an integer division; nil if there is none, where processors differ and some end the process.
    static func remainder(_ dividend: Any?, _ divisor: Any?) -> Any? {
        guard let dividend = integer(dividend), let divisor = integer(divisor), divisor != 0 else {
            return nil
        }
        return NSNumber(
            value: dividend.remainderReportingOverflow(dividingBy: divisor).partialValue)
    }

    private static func integer(_ value: Any?) -> Int64? {
        guard let number = value as? NSNumber else { return nil }
        let double = number.doubleValue
        if Double(number.int64Value) == double { return number.int64Value }
        return Int64(exactly: double.rounded(.towardZero))
    }
}

extension SQLiteConnection {
    /// Makes a Swift closure callable from SQL. Each call releases the objects that Foundation makes for it, and not
    /// only the statement that makes the calls.
    func createPooledFunction(
        _ name: String, argumentCount: Int,
        _ body: @escaping ([SQLiteValue]) throws -> SQLiteValue
    ) throws {
        try createFunction(name, argumentCount: argumentCount) { arguments in
            try autoreleasepool { try body(arguments) }
        }
    }
}
