import Testing

@testable import FoundationGaps

/// The meaning of format strings, shown by evaluating them.
@Suite struct PredicateFormatTests {
    static var object: [String: Any] {
        [
            "name": "Zürich", "age": 42, "height": 1.8, "isOpen": true, "nothing": NSNull(),
            "price": Decimal(string: "9.95") ?? 0,
            "tags": ["red", "green"], "numbers": [1, 2, 3], "owner": ["name": "Ann"],
            "children": [["name": "Bo", "age": 3], ["name": "Cy", "age": 9]],
            "size": 5,
        ]
    }

    @Test(
        "A format means what it says",
        arguments: [
            ("name == 'Zürich'", true), ("name = \"Zürich\"", true), ("name != 'Zürich'", false),
            ("name <> 'Bern'", true), ("age > 41", true), ("age >= 42", true), ("age => 43", false),
            ("age < 42", false), ("age <= 42", true), ("age =< 41", false), ("42 == age", true),
            ("age == 42.0", true), ("age == 0x2A", true), ("age == 0b101010", true),
            ("age == 0o52", true), ("age == 4.2e1", true), ("height == 1.8", true),
            ("isOpen == YES", true), ("isOpen == true", true), ("isOpen == 1", true),
            ("isOpen == NO", false), ("nothing == nil", true), ("nothing = NULL", true),
            ("name == nil", false), ("nothing != nil", false), ("name != nil", true),
            ("nothing != 5", true), ("NOT (nothing == 5)", true), ("nothing > 5", false),
            ("nothing <= nil", true), ("nothing < nil", false),
            ("age > 40 AND name == 'x'", false), ("age > 40 && height < 2", true),
            ("age > 50 OR height < 2", true), ("age > 50 || height > 2", false),
            ("!(age > 50)", true), ("NOT age > 50", true), ("not age > 50 and age == 42", true),
            ("age == 1 OR age == 42 AND age == 2", false),
            ("(age == 1 OR age == 42) AND isOpen == YES", true),
            ("((age)) == ((40 + 2))", true), ("(age + 1) * 2 == 86", true),
            ("age IN {1, 42}", true), ("age IN {}", false), ("NOT age IN {1, 2}", true),
            ("age NOT IN {1, 2}", true), ("age BETWEEN {40, 42}", true),
            ("age BETWEEN {43, 50}", false), ("'red' IN tags", true), ("'r' IN 'red'", true),
            ("tags CONTAINS 'green'", true), ("name CONTAINS 'ric'", true),
            ("name CONTAINS[cd] 'ZUR'", true), ("name CONTAINS[c] 'ZUR'", false),
            ("name BEGINSWITH 'Zü'", true), ("name BEGINSWITH[cd] 'zu'", true),
            ("name ENDSWITH 'ich'", true), ("name ENDSWITH[c] 'ICH'", true),
            ("name LIKE 'Z*h'", true), ("name LIKE 'Z?rich'", true), ("name LIKE 'Z?ich'", false),
            ("name LIKE[cd] 'zu*'", true), ("name MATCHES 'Z.*h'", true),
            ("name MATCHES 'Z'", false), ("name MATCHES[c] 'z.RICH'", true),
            ("name ==[cd] 'zurich'", true), ("nothing CONTAINS 'x'", false),
            ("owner.name == 'Ann'", true), ("ANY tags == 'red'", true),
            ("ALL tags == 'red'", false),
            ("NONE tags == 'blue'", true), ("SOME numbers > 2", true), ("ALL numbers > 0", true),
            ("ANY children.age > 8", true), ("ALL children.age > 8", false),
            ("children.@count == 2", true), ("children.@sum.age == 12", true),
            ("children.age.@max == 9", true), ("children.@avg.age == 6", true),
            ("SUBQUERY(children, $c, $c.age > 5 AND $c.name == 'Cy').@count == 1", true),
            ("numbers[0] == 1", true), ("numbers[FIRST] == 1", true), ("numbers[LAST] == 3", true),
            ("numbers[SIZE] == 3", true), ("#size == 5", true), ("name.length == 6", true),
            ("sum(numbers) == 6", true), ("sum:({1, 2}) == 3", true), ("max({1, 7, 2}) == 7", true),
            ("age - 2 == 40", true), ("-age == -42", true), ("age / 4 == 10", true),
            ("2 ** 3 == 8", true), ("age & 2 == 2", true), ("1 | 6 == 7", true), ("~0 == -1", true),
            ("1 << 4 == 16", true), ("uppercase('a') == 'A'", true),
            ("TERNARY(age > 1, 'a', 'b') == 'a'", true), ("CAST(0, 'NSDate') < now()", true),
            ("numbers UNION {4} == {1, 2, 3, 4}", true), ("TRUEPREDICATE", true),
            ("FALSEPREDICATE", false), ("TRUEPREDICATE AND age == 42", true),
            ("SELF.age == 42", true), ("price == 9.95", true), ("name == '%@'", false),
        ])
    func meaning(format: String, expected: Bool) {
        #expect(NSPredicate(format: format).evaluate(with: Self.object) == expected)
    }

    @Test("SELF is the evaluated object")
    func evaluatedObject() {
        #expect(NSPredicate(format: "SELF == 'a'").evaluate(with: "a"))
        #expect(NSPredicate(format: "SELF IN %@", ["a", "b"]).evaluate(with: "b"))
    }

    @Test("A conversion inserts the argument in its place")
    func conversions() {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let uuid = UUID()
        let object: [String: Any] = ["date": date, "uuid": uuid, "age": 42, "height": 1.5]
        #expect(NSPredicate(format: "%K == %@", "age", 42).evaluate(with: object))
        #expect(NSPredicate(format: "age == %d AND height == %f", 42, 1.5).evaluate(with: object))
        #expect(NSPredicate(format: "age == %ld", 42).evaluate(with: object))
        #expect(NSPredicate(format: "age == %lud AND height == %f", 42, 1.5).evaluate(with: object))
        #expect(NSPredicate(format: "date == %@", date).evaluate(with: object))
        #expect(NSPredicate(format: "date < %@", date + 1).evaluate(with: object))
        #expect(NSPredicate(format: "uuid == %@", uuid as CVarArg).evaluate(with: object))
        #expect(NSPredicate(format: "uuid IN %@", [UUID(), uuid]).evaluate(with: object))
        #expect(NSPredicate(format: "age == %@", NSNumber(value: 42)).evaluate(with: object))
        #expect(NSPredicate(format: "age BETWEEN %@", [1, 50]).evaluate(with: object))
        #expect(
            NSPredicate(format: "%K.%K == %@", argumentArray: ["a", "b", 1])
                .evaluate(with: ["a": ["b": 1]]))
    }

    @Test("An argument may be nil")
    func nilArgument() {
        let name: String? = nil
        #expect(NSPredicate(format: "name == %@", name).evaluate(with: ["name": NSNull()]))
        #expect(!NSPredicate(format: "name == %@", name).evaluate(with: ["name": "x"]))
    }

    @Test(
        "Text that is not a predicate is refused",
        arguments: [
            "", "age", "age * 25", "age === 25", ",", "()", "a ==", "== 1", "a == 1 AND", "(a == 1",
            "a == 1)", "a IN {1", "a == 'x", "a b", "ANY a", "a LIKE[x] 'b'", "%", "a == %y",
            "SUBQUERY(a, b, c == 1) == 1", "a == 12abc", "a..b == 1", "nosuchfunction(1) == 1",
        ])
    func unparsable(format: String) {
        #expect(throws: PredicateFormatError.self) { try PredicateParser.predicate(format) }
    }

    @Test("Too few arguments are refused")
    func insufficientArguments() throws {
        let syntax = try PredicateParser.predicate("a == %@ AND b == %@")
        #expect(throws: PredicateFormatError.insufficientArguments) {
            try PredicateBuilder(arguments: [1]).predicate(syntax)
        }
    }

    @Test("A format from a file is an error if it cannot be parsed")
    func formatsFromFiles() throws {
        #expect(throws: _PredicateFormatFailure.self) { try NSPredicate._parsing("a ===") }
        #expect(throws: _PredicateFormatFailure.self) { try NSPredicate._parsing("a == %@") }
        #expect(try NSPredicate._parsing("a == %@", [1]).evaluate(with: ["a": 1]))
    }

    @Test("A comparison can be made from a format by its own class")
    func formatOfSubclass() {
        #expect(NSComparisonPredicate(format: "a == 1").leftExpression.keyPath == "a")
    }

    @Test("A format that cannot be parsed stops the program with Apple's text")
    func misparseTraps() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = NSPredicate(format: "age ===")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Unable to parse the format string \"age ===\""))
    }

    @Test("A predicate of many comparisons is parsed, however many keys and operators they hold")
    func manyComparisons() throws {
        let format = Array(repeating: "a.b + 1 == 3", count: 3000).joined(separator: " OR ")
        let predicate = try NSPredicate._parsing(format)
        #expect(predicate.evaluate(with: ["a": ["b": 2]]))
    }

    @Test("Nesting deeper than the limit is refused, not a crash")
    func nestingLimit() {
        let chain = "a" + String(repeating: " + a", count: 100_000) + " == 1"
        #expect(throws: PredicateFormatError.self) { try PredicateParser.predicate(chain) }
        let deep = String(repeating: "(", count: 10_000) + "a == 1"
        #expect(throws: PredicateFormatError.self) { try PredicateParser.predicate(deep) }
        let negated = String(repeating: "!", count: 10_000) + "a == 1"
        #expect(throws: PredicateFormatError.self) { try PredicateParser.predicate(negated) }
    }
}
