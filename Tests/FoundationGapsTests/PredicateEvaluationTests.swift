import Testing

@testable import FoundationGaps

/// Comparisons of values of every type, boxed or not.
@Suite struct PredicateEvaluationTests {
    /// An object with key-value coding that counts its accesses.
    private final class Person: NSObject, _KeyValueCoding {
        let values: [String: Any]
        let number: Int
        var reads = 0

        init(number: Int = 0, _ values: [String: Any] = [:]) {
            self.number = number
            self.values = values
        }

        func _value(forKey key: String) -> Any? {
            reads += 1
            return values[key]
        }

        var _comparisonIdentity: AnyObject { NSNumber(value: number) }
    }

    private struct Plain {
        var name = "Ann"
        var nickname: String? = nil
        var wrapped: Int?? = 5
    }

    @Test(
        "Numbers are compared by value, whatever type contains them",
        arguments: [
            5, Int8(5), Int16(5), Int32(5), Int64(5), UInt(5), UInt8(5), Float(5), 5.0,
            Decimal(5), NSNumber(value: 5), NSNumber(value: 5.0), NSDecimalNumber(value: 5),
            Optional(5), Optional(Optional(5.0)),
        ] as [any Sendable])
    func numberBoxing(value: any Sendable) {
        #expect(NSPredicate(format: "x == 5").evaluate(with: ["x": value]))
        #expect(NSPredicate(format: "x == %@", value).evaluate(with: ["x": 5]))
        #expect(NSPredicate(format: "x IN {4, 5.0}").evaluate(with: ["x": value]))
        #expect(NSPredicate(format: "x < 5.5 AND x > 4").evaluate(with: ["x": value]))
    }

    @Test("Truth values are 1 and 0")
    func booleans() {
        #expect(NSPredicate(format: "x == YES").evaluate(with: ["x": true]))
        #expect(NSPredicate(format: "x == 1").evaluate(with: ["x": NSNumber(value: true)]))
        #expect(NSPredicate(format: "x == %@", false).evaluate(with: ["x": 0]))
    }

    @Test("Large integers keep their last digit")
    func largeIntegers() {
        let object: [String: Any] = ["x": Int64.max, "y": UInt64.max]
        #expect(NSPredicate(format: "x == %@", Int64.max).evaluate(with: object))
        #expect(!NSPredicate(format: "x == %@", Int64.max - 1).evaluate(with: object))
        #expect(NSPredicate(format: "y > x").evaluate(with: object))
    }

    @Test("Decimals keep twenty digits")
    func decimals() throws {
        let decimal = try #require(Decimal(string: "12345678901234567890.12"))
        let other = try #require(Decimal(string: "12345678901234567890.13"))
        #expect(NSPredicate(format: "x == %@", decimal).evaluate(with: ["x": decimal]))
        #expect(NSPredicate(format: "x < %@", other).evaluate(with: ["x": decimal]))
    }

    @Test("Dates, UUIDs, URLs and data compare in Swift's and in Foundation's form")
    func foundationValues() throws {
        let date = Date(timeIntervalSinceReferenceDate: 10)
        let uuid = UUID()
        let url = try #require(URL(string: "https://example.com/a"))
        let data = Data([1, 2])
        let object: [String: Any] = [
            "date": date as NSDate, "uuid": uuid as NSUUID, "url": url as NSURL,
            "data": data as NSData,
        ]
        let predicate = NSPredicate(
            format: "date == %@ AND uuid == %@ AND url == %@ AND data == %@", date, uuid, url, data)
        #expect(predicate.evaluate(with: object))
        #expect(NSPredicate(format: "date BETWEEN %@", [date - 1, date]).evaluate(with: object))
    }

    @Test("Objects are compared by isEqual, and by the identity they name")
    func objects() {
        let ann = Person(number: 1)
        #expect(NSPredicate(format: "x == %@", ann).evaluate(with: ["x": ann]))
        #expect(NSPredicate(format: "x == %@", Person(number: 1)).evaluate(with: ["x": ann]))
        #expect(!NSPredicate(format: "x == %@", Person(number: 2)).evaluate(with: ["x": ann]))
        #expect(NSPredicate(format: "SELF IN %@", [ann]).evaluate(with: ann))
        #expect(NSPredicate(format: "SELF IN %@", NSSet(array: [ann])).evaluate(with: ann))
        #expect(NSPredicate(format: "list CONTAINS %@", ann).evaluate(with: ["list": [ann]]))
    }

    @Test("Kinds without a common order are neither less, equal nor greater")
    func incomparable() {
        for sign in ["<", "<=", ">", ">=", "=="] {
            #expect(!NSPredicate(format: "x \(sign) 5").evaluate(with: ["x": "5"]))
        }
        #expect(NSPredicate(format: "x != 5").evaluate(with: ["x": "5"]))
    }

    @Test(
        "nil equals only nil",
        arguments: [
            ("==", nil, true), ("!=", nil, false), ("<=", nil, true), (">=", nil, true),
            ("<", nil, false), (">", nil, false), ("==", 1, false), ("!=", 1, true),
            ("<", 1, false), (">=", 1, false),
        ] as [(String, Int?, Bool)])
    func nilRules(sign: String, value: Int?, expected: Bool) {
        let predicate = NSPredicate(format: "x \(sign) %@", value)
        #expect(predicate.evaluate(with: ["x": NSNull()]) == expected)
        #expect(predicate.evaluate(with: [String: Any]()) == expected)
        #expect(NSPredicate(format: "NOT x \(sign) %@", value).evaluate(with: [:]) == !expected)
    }

    @Test(
        "String operators are false for nil",
        arguments: ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"])
    func textOperatorsAndNil(name: String) {
        #expect(!NSPredicate(format: "x \(name) 'a'").evaluate(with: ["x": NSNull()]))
        #expect(!NSPredicate(format: "x \(name) nil").evaluate(with: ["x": "a"]))
    }

    @Test("nil is in a list only if the list contains it")
    func nilMembership() {
        #expect(!NSPredicate(format: "x IN {1, 2}").evaluate(with: [:]))
        #expect(NSPredicate(format: "x IN {1, nil}").evaluate(with: [:]))
        #expect(!NSPredicate(format: "x BETWEEN {1, 2}").evaluate(with: [:]))
    }

    @Test("ANY of an empty set is false, ALL of an empty set is true")
    func emptyCollections() {
        let object: [String: Any] = ["tags": [String]()]
        #expect(!NSPredicate(format: "ANY tags == 'a'").evaluate(with: object))
        #expect(NSPredicate(format: "ALL tags == 'a'").evaluate(with: object))
        #expect(NSPredicate(format: "NONE tags == 'a'").evaluate(with: object))
    }

    @Test("ANY reaches through two to-many relationships")
    func nestedCollections() {
        let object: [String: Any] = [
            "teams": [
                ["members": [["age": 1], ["age": 2]]], ["members": [["age": 3]]],
            ]
        ]
        #expect(NSPredicate(format: "ANY teams.members.age == 3").evaluate(with: object))
        #expect(!NSPredicate(format: "ANY teams.members.age == 4").evaluate(with: object))
    }

    @Test("ANY of a value that is not a collection stops the program with Apple's text")
    func anyOfScalar() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = NSPredicate(format: "ANY x == 1").evaluate(with: ["x": 1])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("must be either an NSArray or an NSSet"))
    }

    @Test(
        "LIKE matches whole strings",
        arguments: [
            ("abc", "abc", true), ("abc", "a?c", true), ("abc", "a*", true), ("abc", "*c", true),
            ("abc", "*b*", true), ("abc", "b", false), ("", "*", true), ("", "?", false),
            ("aXbXc", "a*b*c", true), ("a*c", "a\\*c", true), ("abc", "a\\*c", false),
            ("aaaaaaaaaaaaaaaaaaaaaaaa", "*a*a*a*a*a*a*b", false), ("é", "?", true),
            ("x\ny", "x*y", true), ("mississippi", "m*iss*ip*", true),
        ])
    func like(text: String, pattern: String, expected: Bool) {
        #expect(NSPredicate(format: "SELF LIKE %@", pattern).evaluate(with: text) == expected)
    }

    @Test(
        "MATCHES matches whole strings",
        arguments: [
            ("abc", "a.c", true), ("abc", "ab", false), ("abc", "ab|abc", true),
            ("ab1", "[a-z]+\\d", true), ("ABC", "abc", false),
        ])
    func matches(text: String, pattern: String, expected: Bool) {
        #expect(NSPredicate(format: "SELF MATCHES %@", pattern).evaluate(with: text) == expected)
    }

    @Test("Options fold case and diacritics in every string operator")
    func options() {
        let formats = [
            "SELF ==[cd] 'ecole'", "SELF IN[cd] {'ECOLE'}", "SELF LIKE[cd] 'EC*'",
            "SELF MATCHES[cd] 'eco.E'", "SELF CONTAINS[cd] 'COL'", "SELF BEGINSWITH[cd] 'Ec'",
            "SELF ENDSWITH[cd] 'OLE'", "SELF BETWEEN[cd] {'ecola', 'ECOLZ'}",
        ]
        for format in formats {
            #expect(NSPredicate(format: format).evaluate(with: "École"), "\(format)")
        }
        #expect(!NSPredicate(format: "SELF ==[c] 'ecole'").evaluate(with: "École"))
        #expect(!NSPredicate(format: "SELF ==[d] 'ecole'").evaluate(with: "École"))
    }

    @Test("Composed and decomposed characters differ without options and agree with them")
    func normalization() {
        let decomposed = "e\u{301}"
        #expect(!NSPredicate(format: "SELF == %@", decomposed).evaluate(with: "é"))
        #expect(NSPredicate(format: "SELF ==[c] %@", decomposed).evaluate(with: "É"))
        #expect(NSPredicate(format: "SELF ==[cd] %@", decomposed).evaluate(with: "é"))
    }

    @Test("Key paths read plain Swift values, optionals unwrapped")
    func plainValues() {
        #expect(NSPredicate(format: "name == 'Ann' AND nickname == nil").evaluate(with: Plain()))
        #expect(NSPredicate(format: "wrapped == 5").evaluate(with: Plain()))
        #expect(NSPredicate(format: "ANY SELF.name == 'Ann'").evaluate(with: [Plain()]))
    }

    @Test("Key paths read the keys of Foundation's values")
    func foundationKeys() {
        let date = Date(timeIntervalSinceReferenceDate: 7)
        let object: [String: Any] = ["text": "abc", "date": date, "missing": NSNull()]
        #expect(NSPredicate(format: "text.length == 3").evaluate(with: object))
        #expect(
            NSPredicate(format: "date.timeIntervalSinceReferenceDate == 7").evaluate(with: object))
        #expect(NSPredicate(format: "missing.length == nil").evaluate(with: object))
    }

    @Test("An unknown key of a plain object stops the program with Apple's text")
    func unknownKey() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = NSPredicate(format: "salary == 1").evaluate(with: Plain())
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("not key value coding-compliant for the key salary"))
    }

    @Test("An unbound variable stops the program with Apple's text")
    func unboundVariable() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = NSPredicate(format: "a == $v").evaluate(with: ["a": 1])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Can't get value for 'v' in bindings"))
    }

    @Test("The right-hand side of a false AND is not evaluated")
    func shortCircuit() {
        let person = Person(["a": 1])
        #expect(!NSPredicate(format: "a == 2 AND a == 1").evaluate(with: person))
        #expect(person.reads == 1)
    }

    @Test("Blocks and Foundation's compounds evaluate within ours, with the variables")
    func blocks() {
        let block = NSPredicate { object, bindings in
            (object as? Int) == (bindings?["v"] as? Int)
        }
        let compound = NSCompoundPredicate(
            andPredicateWithSubpredicates: [block, NSPredicate(format: "SELF == $v")])
        #expect(compound.evaluate(with: 5, substitutionVariables: ["v": 5]))
        #expect(!compound.evaluate(with: 5, substitutionVariables: ["v": 6]))
        #expect(compound.withSubstitutionVariables(["v": 5]).evaluate(with: 5))
    }

    @Test("A predicate filters Foundation's collections")
    func filtering() {
        let predicate = NSPredicate(format: "SELF > 1")
        #expect(NSArray(array: [1, 2, 3]).filtered(using: predicate).count == 2)
        #expect(NSSet(array: [1, 2, 3]).filtered(using: predicate).count == 2)
    }
}
