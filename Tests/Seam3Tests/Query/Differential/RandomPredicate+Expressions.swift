import CoreData

/// Random expressions with a number, a string or a date as their value.
extension RandomPredicate {
    mutating func arithmeticLeaf() -> Fragment? {
        switch roll(4) {
        case 0:
            guard let text = textExpression(depth: 2) else { return nil }
            return text
                + Fragment(format: " \(pick(["==", "!=", "<", ">="])) %@", arguments: [self.text()])
        case 1:
            guard let left = numberExpression(depth: 2), let right = numberExpression(depth: 1)
            else { return nil }
            return left + " \(pick(["==", "!=", "<", "<=", ">", ">="])) " + right
        default:
            guard let number = numberExpression(depth: 2) else { return nil }
            return number
                + Fragment(
                    format: " \(pick(["==", "!=", "<", "<=", ">", ">="])) %@",
                    arguments: [constant(.integer64AttributeType)])
        }
    }

    /// An expression whose value is a number or nil.
    mutating func numberExpression(depth: Int) -> Fragment? {
        guard depth > 0, roll(4) > 0 else { return number() }
        func one() -> Fragment? { nil }
        switch roll(9) {
        case 0, 1, 2:
            guard let left = numberExpression(depth: depth - 1),
                let right = numberExpression(depth: depth - 1)
            else { return nil }
            return "(" + left + " \(pick(["+", "-", "*", "/"])) " + right + ")"
        case 3:
            guard let left = smallInteger(), let right = smallInteger() else { return nil }
            let name = pick([
                "modulus:by:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:",
            ])
            // In memory, a remainder of a division by zero stops the process.
            let divisor = Fragment(format: "%@", arguments: [NSNumber(value: 1 + roll(5))])
            return "\(name)(" + left + ", " + (name == "modulus:by:" ? divisor : right) + ")"
        case 4:
            guard let value = numberExpression(depth: depth - 1) else { return nil }
            return "\(pick(["abs:", "floor:", "ceiling:", "trunc:", "sqrt:", "noindex:"]))(" + value
                + ")"
        case 5:
            guard let text = textExpression(depth: depth - 1) else { return nil }
            return "length:(" + text + ")"
        case 6:
            guard let first = smallInteger(), let second = smallInteger(),
                let condition = smallInteger()
            else { return nil }
            return "TERNARY(" + condition + " \(pick([">", "==", "<="])) 1, " + first + ", "
                + second
                + ")"
        case 7:
            guard let (path, _) = path({ $0 == .dateAttributeType }) else { return nil }
            return Fragment(format: "CAST(\(written(path)), 'NSNumber')")
        default:
            guard let value = smallInteger() else { return nil }
            return "(" + value + " ** 2)"
        }
    }

    private mutating func number() -> Fragment? {
        if roll(4) == 0 {
            return Fragment(format: "%@", arguments: [pick([0, 1, 2, 7, 2.5, -3] as [NSNumber])])
        }
        // Arithmetic with decimals near their limit overflows.
        guard let (path, _) = path({ Self.isNumber($0) && $0 != .decimalAttributeType }) else {
            return nil
        }
        return Fragment(format: written(path))
    }

    private mutating func smallInteger() -> Fragment? {
        guard let (path, _) = path({ $0 == .integer16AttributeType || $0 == .booleanAttributeType })
        else { return Fragment(format: "%@", arguments: [NSNumber(value: roll(5))]) }
        return Fragment(format: written(path))
    }

    /// An expression whose value is a string or nil.
    mutating func textExpression(depth: Int) -> Fragment? {
        guard let (path, _) = path(Self.isText) else { return nil }
        guard depth > 0 else { return Fragment(format: written(path)) }
        switch roll(5) {
        case 0, 1:
            guard let inner = textExpression(depth: depth - 1) else { return nil }
            return "\(pick(["uppercase:", "lowercase:", "canonical:"]))(" + inner + ")"
        case 2:
            guard let inner = textExpression(depth: depth - 1), let number = smallInteger() else {
                return nil
            }
            return "TERNARY(" + number + " \(pick([">", "=="])) 0, " + inner + ", \(written(path)))"
        case 3:
            guard let number = smallInteger() else { return nil }
            return "CAST(" + number + ", 'NSString')"
        default: return Fragment(format: written(path))
        }
    }
}

/// The kinds of attributes.
extension RandomPredicate {
    static func isNumber(_ type: NSAttributeType) -> Bool {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .booleanAttributeType, .doubleAttributeType, .floatAttributeType,
            .decimalAttributeType:
            return true
        default: return false
        }
    }

    static func isText(_ type: NSAttributeType) -> Bool { type == .stringAttributeType }
    static func isComparable(_ type: NSAttributeType) -> Bool {
        isNumber(type) || isText(type) || type == .dateAttributeType
    }
}
