import CoreData

/// `+`, `-`, `*` and `/` for decimals, for functions that SQLite calls.
///
/// `NSDecimalNumber` raises an exception if there is no result, which must not pass through
/// SQLite's frames. In SQL the result is NULL instead.
struct DecimalArithmetic {
    /// The result; nil for a division by zero, and for a result that no decimal can represent.
    let result: Decimal?

    /// Calculates.
    ///
    /// - Parameters:
    ///   - name: The function of the predicate language.
    ///   - operands: Its arguments.
    /// - Returns: nil unless it is one of the four, with decimals or a decimal and an integer.
    init?(_ name: String, _ operands: [(kind: ValueKind, value: Any)]) {
        guard operands.count == 2, operands.contains(where: { $0.kind == .decimal }),
            let left = Self.decimal(operands[0]), let right = Self.decimal(operands[1])
        else { return nil }
        let value: Decimal
        switch name {
        case "add:to:": value = left + right
        case "from:subtract:": value = left - right
        case "multiply:by:": value = left * right
        case "divide:by:":
            guard right != 0 else {
                result = nil
                return
            }
            value = left / right
        default: return nil
        }
        result = value.isNaN ? nil : value
    }

    private static func decimal(_ operand: (kind: ValueKind, value: Any)) -> Decimal? {
        guard let number = operand.value as? NSNumber else { return nil }
        switch operand.kind {
        case .decimal: return number.decimalValue
        case .boolean, .integer: return Decimal(number.int64Value)
        case .number:
            let integer = number.int64Value
            return number.doubleValue == Double(integer) ? Decimal(integer) : nil
        default: return nil
        }
    }
}
