/// The functions of the predicate language, by their selectors in Apple's `NSExpression`.
enum PredicateFunction {
    typealias Implementation = @Sendable ([Any?]) -> Any?

    static let cast = "castObject:toType:"
    static let element = "objectFrom:withIndex:"
    static let valueForKeyPath = "valueForKeyPath:"

    /// The selector of a function for its name in a format: `sum`, `sum:` and `SUM` are all `sum:`.
    /// Nil if there is no such function.
    static func canonicalName(of name: String) -> String? {
        if implementations[name] != nil { return name }
        return selectorsByWord[word(name)]
    }

    /// The implementation of a selector, or nil if the language has no such function.
    static func implementation(of selector: String) -> Implementation? {
        implementations[selector]
    }

    private static func word(_ selector: String) -> String {
        (selector.hasSuffix(":") ? String(selector.dropLast()) : selector).lowercased()
    }

    private static let selectorsByWord = Dictionary(
        implementations.keys.map { (word($0), $0) }, uniquingKeysWith: { first, _ in first })

    private static let implementations: [String: Implementation] =
        arithmetic.merging(statistics) { first, _ in first }
        .merging(bitwise) { first, _ in first }
        .merging(others) { first, _ in first }

    private static let arithmetic: [String: Implementation] = [
        "add:to:": binary(PredicateArithmetic.add),
        "from:subtract:": binary(PredicateArithmetic.subtract),
        "multiply:by:": binary(PredicateArithmetic.multiply),
        "divide:by:": binary(PredicateArithmetic.divide),
        "modulus:by:": binary(PredicateArithmetic.modulus),
        "raise:toPower:": binary { base, exponent in
            guard let base = PredicateArithmetic.double(base),
                let exponent = PredicateArithmetic.double(exponent)
            else { return nil }
            return pow(base, exponent)
        },
        "sqrt:": real { $0.squareRoot() },
        "log:": real(log10),
        "ln:": real(log),
        "exp:": real(exp),
        "floor:": rounding(.down),
        "ceiling:": rounding(.up),
        "trunc:": rounding(.towardZero),
        "abs:": unary { value in
            guard let number = PredicateArithmetic.double(value) else { return nil }
            return number < 0 ? PredicateArithmetic.subtract(0, value) : value
        },
    ]

    private static let statistics: [String: Implementation] = [
        "sum:": { PredicateArithmetic.sum(of: values(in: $0)) },
        "count:": { values(in: $0).count },
        "min:": { PredicateArithmetic.extreme(of: values(in: $0), .orderedAscending) },
        "max:": { PredicateArithmetic.extreme(of: values(in: $0), .orderedDescending) },
        "average:": { PredicateArithmetic.average(of: values(in: $0)) },
        "median:": { Statistics.median(of: numbers(in: $0)) },
        "mode:": { Statistics.modes(of: numbers(in: $0)) },
        "stddev:": { Statistics.standardDeviation(of: numbers(in: $0)) },
    ]

    private static let bitwise: [String: Implementation] = [
        "bitwiseAnd:with:": integers { $0 & $1 },
        "bitwiseOr:with:": integers { $0 | $1 },
        "bitwiseXor:with:": integers { $0 ^ $1 },
        "leftshift:by:": integers { $0 << $1 },
        "rightshift:by:": integers { $0 >> $1 },
        "onesComplement:": unary { value in PredicateArithmetic.integer(value).map { ~$0 } },
    ]

    private static let others: [String: Implementation] = [
        "uppercase:": text { $0.uppercased() },
        "lowercase:": text { $0.lowercased() },
        "canonical:": text { $0._folded(for: [.caseInsensitive, .diacriticInsensitive]) },
        "length:": text { $0.utf16.count },
        "noindex:": unary { $0 },
        "random": { bounds in
            bounds.isEmpty ? Int.random(in: 0...Int(Int32.max)) : randomNumber(below: bounds[0])
        },
        "randomn:": unary(randomNumber),
        "now": { _ in Date() },
        "distanceToLocation:fromLocation:": binary { destination, origin in
            guard let destination = destination as? any _DistanceMeasuring, let origin else {
                return nil
            }
            return destination._distance(from: origin)
        },
        cast: binary(ValueCast.cast),
        element: binary(elementValue),
        valueForKeyPath: binary { object, path in
            (path as? String).flatMap { KeyPathPlan($0).value(of: object) }
        },
    ]
}

// MARK: - Shapes of functions

extension PredicateFunction {
    private static func unary(_ body: @escaping @Sendable (Any?) -> Any?) -> Implementation {
        { $0.count == 1 ? body($0[0]) : nil }
    }

    private static func binary(
        _ body: @escaping @Sendable (Any?, Any?) -> Any?
    ) -> Implementation {
        { $0.count == 2 ? body($0[0], $0[1]) : nil }
    }

    private static func real(_ body: @escaping @Sendable (Double) -> Double) -> Implementation {
        unary { PredicateArithmetic.double($0).map(body) }
    }

    /// Integers need no rounding and stay integers.
    private static func rounding(_ rule: FloatingPointRoundingRule) -> Implementation {
        unary { value in
            if case .integer(let integer) = PredicateValue(value) { return integer }
            return PredicateArithmetic.double(value).map { $0.rounded(rule) }
        }
    }

    private static func integers(
        _ body: @escaping @Sendable (Int64, Int64) -> Int64
    ) -> Implementation {
        binary { left, right in
            guard let left = PredicateArithmetic.integer(left),
                let right = PredicateArithmetic.integer(right)
            else { return nil }
            return body(left, right)
        }
    }

    private static func text(_ body: @escaping @Sendable (String) -> Any?) -> Implementation {
        unary { value in
            guard case .string(let text) = PredicateValue(value) else { return nil }
            return body(text)
        }
    }

    /// The values for a function over many: the elements of its only collection, or its arguments.
    private static func values(in arguments: [Any?]) -> [Any?] {
        guard arguments.count == 1 else { return arguments }
        guard let argument = unwrapped(arguments[0]) else { return [] }
        return elements(of: argument)?.map { unwrapped($0) } ?? arguments
    }

    /// A random number that is at least 0 and less than a bound.
    private static func randomNumber(below bound: Any?) -> Any? {
        guard let bound = PredicateArithmetic.integer(bound), bound > 0 else { return nil }
        return Int64.random(in: 0..<bound)
    }

    private static func numbers(in arguments: [Any?]) -> [Double] {
        values(in: arguments).compactMap(PredicateArithmetic.double)
    }

    private static func elementValue(_ collection: Any?, _ index: Any?) -> Any? {
        if !(index is IndexSymbol), let dictionary = collection as? [AnyHashable: Any],
            let key = index as? AnyHashable
        {
            return unwrapped(dictionary[key])
        }
        guard let elements = elements(of: collection) else { return nil }
        switch index as? IndexSymbol {
        case .first: return unwrapped(elements.first)
        case .last: return unwrapped(elements.last)
        case .size: return elements.count
        case nil: break
        }
        guard let position = PredicateArithmetic.integer(index).map(Int.init),
            elements.indices.contains(position)
        else { return nil }
        return unwrapped(elements[position])
    }
}

/// A location that can measure its distance from another, such as a `CLLocation`.
///
/// Linux-only: it lets `distanceToLocation:fromLocation:` reach a module above this one.
public protocol _DistanceMeasuring {
    /// The distance in meters, or nil if the other value is not a location.
    func _distance(from other: Any) -> Double?
}
