import Testing

@testable import FoundationGaps

/// Expressions: constructors, accessors and values.
@Suite struct NSExpressionTests {
    private func value(_ format: String, of object: Any? = nil) -> Any? {
        NSExpression(format: format).expressionValue(with: object, context: nil)
    }

    @Test(
        "A function of numbers has a value",
        arguments: [
            ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("7 / 2", 3), ("7.0 / 2", 3.5),
            ("2 ** 3 ** 2", 512),
            ("10 - 3 - 2", 5), ("-5 + 2", -3), ("modulus:by:(7, 4)", 3), ("sqrt(16)", 4),
            ("log(1000)", 3), ("ln(1)", 0), ("exp(0)", 1), ("floor(1.7)", 1), ("ceiling(1.2)", 2),
            ("trunc(-1.7)", -1), ("abs(-3)", 3), ("sum({1, 2, 3})", 6), ("sum(1, 2)", 3),
            ("count({4, 5})", 2), ("min({3, 1, 2})", 1), ("max({3, 1, 2})", 3),
            ("average({1, 2})", 1.5), ("median({1, 9, 3})", 3), ("median({1, 2})", 1.5),
            ("stddev({2, 4})", 1), ("bitwiseXor:with:(5, 1)", 4), ("6 & 3", 2), ("6 ^ 3", 5),
            ("~5", -6), ("8 >> 2", 2), ("1 + 2 << 1", 6), ("length('abc')", 3),
            ("CAST('12', 'NSNumber')", 12), ("noindex:(4)", 4), ("raise:toPower:(2, 10)", 1024),
        ] as [(String, Double)])
    func numbers(format: String, expected: Double) {
        #expect((value(format) as? NSNumber)?.doubleValue == expected)
    }

    @Test("Arithmetic with nil, text or a zero divisor is nil")
    func undefinedArithmetic() {
        #expect(value("nil + 1") == nil)
        #expect(value("'a' + 1") == nil)
        #expect(value("1 / 0") == nil)
        #expect(value("average({})") == nil)
        #expect(value("max({})") == nil)
    }

    @Test("A remainder of a division by zero stops the process")
    func remainderOfZero() async {
        await #expect(processExitsWith: .failure) {
            _ = NSExpression(format: "modulus:by:(1, 0)").expressionValue(with: nil, context: nil)
        }
    }

    @Test("Decimal arithmetic is exact")
    func decimals() throws {
        let expression = NSExpression(format: "a + b")
        let object: [String: Any] = [
            "a": try #require(Decimal(string: "0.1")), "b": try #require(Decimal(string: "0.2")),
        ]
        let sum = expression.expressionValue(with: object, context: nil) as? NSDecimalNumber
        #expect(sum == NSDecimalNumber(string: "0.3"))
    }

    @Test("An integer that would overflow becomes a floating-point number")
    func overflow() {
        #expect(value("9223372036854775807 + 1") as? Double == 9_223_372_036_854_775_808)
    }

    @Test("Strings change case")
    func text() {
        #expect(value("uppercase('straße')") as? String == "STRASSE")
        #expect(value("lowercase:('ABC')") as? String == "abc")
        #expect(value("canonical('École')") as? String == "ecole")
    }

    @Test("Elements of collections are found by index, word and key")
    func elements() {
        let object: [String: Any] = ["list": [4, 5, 6], "map": ["k": "v"]]
        #expect(value("list[1]", of: object) as? Int == 5)
        #expect(value("list[FIRST]", of: object) as? Int == 4)
        #expect(value("list[last]", of: object) as? Int == 6)
        #expect(value("list[SIZE]", of: object) as? Int == 3)
        #expect(value("list[9]", of: object) == nil)
        #expect(value("map['k']", of: object) as? String == "v")
    }

    @Test("Collection operators work before and after the key")
    func collectionOperators() {
        let object: [String: Any] = [
            "people": [
                ["age": 3, "tags": ["a", "b"]], ["age": 5, "tags": ["b"]],
                ["age": 3, "tags": ["c"]],
            ]
        ]
        #expect(value("people.@sum.age", of: object) as? Int == 11)
        #expect(value("people.age.@sum", of: object) as? Int == 11)
        #expect(value("people.@min.age", of: object) as? Int == 3)
        #expect(value("people.@max.age", of: object) as? Int == 5)
        #expect(value("people.@count", of: object) as? Int == 3)
        #expect(value("people.@unionOfObjects.age", of: object) as? [Int] == [3, 5, 3])
        #expect(value("people.@distinctUnionOfObjects.age", of: object) as? [Int] == [3, 5])
        #expect(
            value("people.@unionOfArrays.tags", of: object) as? [String] == ["a", "b", "b", "c"])
        #expect(
            value("people.@distinctUnionOfArrays.tags", of: object) as? [String] == ["a", "b", "c"])
    }

    @Test("Set operations follow the order of their first operand")
    func setOperations() {
        #expect(value("{1, 2} UNION {2, 3}") as? [Int] == [1, 2, 3])
        #expect(value("{1, 2, 3} INTERSECT {3, 2}") as? [Int] == [2, 3])
        #expect(value("{1, 2, 3} MINUS {2}") as? [Int] == [1, 3])
    }

    @Test("Methods of targets are called by selector")
    func methods() {
        #expect(value("FUNCTION('abc', 'hasPrefix:', 'ab')") as? Bool == true)
        #expect(value("FUNCTION('abc', 'length')") as? Int == 3)
        let date = value("FUNCTION(CAST(5, 'NSDate'), 'dateByAddingTimeInterval:', 2)") as? Date
        #expect(date == Date(timeIntervalSinceReferenceDate: 7))
    }

    @Test("Variables come from the context, and an assignment sets one there")
    func variables() {
        let context = NSMutableDictionary(dictionary: ["v": 4])
        #expect(
            NSExpression(format: "$v + 1").expressionValue(with: nil, context: context) as? Int == 5
        )
        _ = NSExpression(format: "$w := 9").expressionValue(with: nil, context: context)
        #expect(context["w"] as? Int == 9)
    }

    @Test("A block gets the object, the arguments' values and the context")
    func block() {
        let expression = NSExpression(
            block: { object, arguments, _ in "\(object ?? "nil")-\(arguments)" },
            arguments: [NSExpression(forConstantValue: 1), NSExpression(forKeyPath: "length")])
        #expect(expression.expressionValue(with: "abc", context: nil) as? String == "abc-[1, 3]")
    }

    @Test("An app's subclass takes part in evaluation")
    func subclass() {
        final class Answer: NSExpression {
            init() { super.init(expressionType: .block) }

            override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any?
            {
                42
            }
        }
        let predicate = NSComparisonPredicate(
            leftExpression: Answer(), rightExpression: NSExpression(forConstantValue: 42),
            modifier: .direct, type: .equalTo)
        #expect(predicate.evaluate(with: nil))
    }

    @Test("Every constructor's parts can be read back")
    func accessors() {
        let one = NSExpression(forConstantValue: 1)
        let path = NSExpression(forKeyPath: "a.b")
        let filter = NSPredicate(format: "x == 1")
        #expect(one.constantValue as? Int == 1)
        #expect(path.keyPath == "a.b")
        #expect(NSExpression(forVariable: "v").variable == "v")
        let function = NSExpression(forFunction: "sum:", arguments: [path])
        #expect(function.function == "sum:" && function.arguments == [path])
        let method = NSExpression(forFunction: path, selectorName: "length", arguments: nil)
        #expect(method.operand == path && method.function == "length")
        let aggregate = NSExpression(forAggregate: [one, path])
        #expect(aggregate.collection as? [NSExpression] == [one, path])
        let union = NSExpression(forUnionSet: one, with: path)
        #expect(union.left == one && union.right == path)
        #expect(union.expressionType == .unionSet)
        #expect(NSExpression(forIntersectSet: one, with: path).expressionType == .intersectSet)
        #expect(NSExpression(forMinusSet: one, with: path).expressionType == .minusSet)
        let subquery = NSExpression(
            forSubquery: path, usingIteratorVariable: "x", predicate: filter)
        #expect(subquery.variable == "x" && subquery.predicate == filter)
        let conditional = NSExpression(
            forConditional: filter, trueExpression: one, falseExpression: path)
        #expect(conditional.true == one && conditional.false == path)
        #expect(NSExpression.expressionForEvaluatedObject().expressionType == .evaluatedObject)
        #expect(NSExpression.expressionForAnyKey().expressionType == .anyKey)
    }

    @Test("Numbers come back as NSNumber")
    func boxing() {
        #expect(value("1 + 1") is NSNumber)
        #expect(value("1 + 1") as? Int == 2)
        #expect(value("{1}.@count") as? Int32 == 1)
    }

    @Test("Decimals cannot be divided by zero")
    func decimalDivision() async {
        await #expect(processExitsWith: .failure) {
            _ = NSExpression(format: "%@ / 0", NSDecimalNumber(value: 1))
                .expressionValue(with: nil, context: nil)
        }
    }

    @Test("Decimals cannot overflow")
    func decimalOverflow() async {
        await #expect(processExitsWith: .failure) {
            _ = NSExpression(
                format: "%@ * %@", NSDecimalNumber.maximum, NSDecimalNumber(value: 1000)
            ).expressionValue(with: nil, context: nil)
        }
    }

    @Test("NSNull prints as NSNull, nil as nil")
    func null() {
        #expect(NSExpression(forConstantValue: NSNull()).description == "<null>")
        #expect(NSExpression(forConstantValue: nil).description == "nil")
    }

    @Test("A number that a type cannot represent has no value of it")
    func casts() {
        for number in [Double.infinity, -Double.infinity] {
            let decimal = NSExpression(
                format: "CAST(%@, 'NSDecimalNumber')", argumentArray: [number])
            #expect(decimal.expressionValue(with: nil, context: nil) == nil)
        }
        let date = NSExpression(
            format: "CAST(CAST(%@, 'NSDate'), 'NSString')", argumentArray: [Double.nan])
        #expect(date.expressionValue(with: nil, context: nil) == nil)
    }
}
