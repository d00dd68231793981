/// Arithmetic on the values of expressions.
///
/// Integers stay integers (`5 / 2` is 2) unless they overflow, decimals stay exact, everything else
/// is a `Double`. A nil or non-numeric operand makes the result nil. A decimal that is divided by
/// zero or overflows terminates the process, as with `NSDecimalNumber`.
enum PredicateArithmetic {
    static func add(_ left: Any?, _ right: Any?) -> Any? {
        combine(left, right, { $0.addingReportingOverflow($1) }, +, +)
    }

    static func subtract(_ left: Any?, _ right: Any?) -> Any? {
        combine(left, right, { $0.subtractingReportingOverflow($1) }, -, -)
    }

    static func multiply(_ left: Any?, _ right: Any?) -> Any? {
        combine(left, right, { $0.multipliedReportingOverflow(by: $1) }, *, *)
    }

    /// The quotient; nil for an integer divided by zero.
    static func divide(_ left: Any?, _ right: Any?) -> Any? {
        let divisor = PredicateValue(right)
        if case .double = divisor {
        } else if divisor.doubleValue == 0 {
            switch (PredicateValue(left), divisor) {
            case (.decimal, _), (.integer, .decimal):
                _raise(
                    "NSDecimalNumberDivideByZeroException",
                    "NSDecimalNumber divide by zero exception")
            default: return nil
            }
        }
        return combine(left, right, { $0.dividedReportingOverflow(by: $1) }, /, /)
    }

    /// The remainder of an integer division. A zero divisor terminates the process, as the processor may on Apple's
    /// systems.
    static func modulus(_ left: Any?, _ right: Any?) -> Any? {
        guard let left = integer(left), let right = integer(right) else { return nil }
        if right == 0 {
            _raise(invalidArgumentException, "modulus:by: cannot divide by zero")
        }
        return left.remainderReportingOverflow(dividingBy: right).partialValue
    }

    /// The value as an integer, truncated.
    static func integer(_ value: Any?) -> Int64? {
        switch PredicateValue(value) {
        case .integer(let value): value
        case let other: other.doubleValue.flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        }
    }

    static func double(_ value: Any?) -> Double? {
        PredicateValue(value).doubleValue
    }

    /// The sum of the values that are not nil; 0 if there are none.
    static func sum(of values: [Any?]) -> Any? {
        values.reduce(Int64(0) as Any?) { sum, value in
            value == nil ? sum : add(sum, value)
        }
    }

    /// The mean of the values that are not nil, or nil if there are none.
    static func average(of values: [Any?]) -> Any? {
        let count = values.count { $0 != nil }
        guard count > 0, let sum = sum(of: values) else { return nil }
        if case .decimal = PredicateValue(sum) { return divide(sum, count) }
        return double(sum).map { $0 / Double(count) }
    }

    /// The value that is first (`.orderedAscending`) or last in order. Nil values are skipped, and
    /// so is NaN if there are numbers.
    static func extreme(of values: [Any?], _ wanted: ComparisonResult) -> Any? {
        var extreme: (raw: Any, value: PredicateValue)?
        for case let raw? in values {
            let value = PredicateValue(raw)
            if case .null = value { continue }
            if let current = extreme, !current.value.isNotANumber,
                value.ordering(to: current.value) != wanted
            {
                continue
            }
            extreme = (raw, value)
        }
        return extreme?.raw
    }

    private static func combine(
        _ left: Any?, _ right: Any?,
        _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        _ decimals: (Decimal, Decimal) -> Decimal,
        _ doubles: (Double, Double) -> Double
    ) -> Any? {
        let left = PredicateValue(left)
        let right = PredicateValue(right)
        switch (left, right) {
        case (.integer(let leftInteger), .integer(let rightInteger)):
            let (result, overflow) = integers(leftInteger, rightInteger)
            return overflow ? doubles(Double(leftInteger), Double(rightInteger)) : result
        case (.decimal, .decimal), (.decimal, .integer), (.integer, .decimal):
            guard let left = left.decimalValue, let right = right.decimalValue else { return nil }
            let result = decimals(left, right)
            if result.isNaN, !left.isNaN, !right.isNaN {
                _raise("NSDecimalNumberOverflowException", "NSDecimalNumber overflow exception")
            }
            return result
        default:
            guard let left = left.doubleValue, let right = right.doubleValue else { return nil }
            return doubles(left, right)
        }
    }
}
