import Testing

@testable import FoundationGaps

/// The format language statement by statement: each row is a format and its meaning.
@Suite struct PredicateLanguageTests {
    private static var object: [String: Any] {
        [
            "age": 42, "name": "Zürich", "empty": "", "nothing": NSNull(), "list": [3, 1, 2, 3],
            "zero": [Int](), "map": ["k": "v", "n": 5] as [String: Any], "ci": 7,
            "set": NSSet(array: [1, 2]), "ordered": NSOrderedSet(array: ["x", "y", "z"]),
            "date": Date(timeIntervalSinceReferenceDate: 100), "children": children,
        ]
    }

    private static var children: [[String: Any]] {
        [
            ["name": "Bo", "age": 3, "tags": ["a", "b"]],
            ["name": "Cy", "age": 9, "tags": ["b", "c"]],
            ["name": "Di", "age": NSNull(), "tags": [String]()],
        ]
    }

    private static let rows: [(String, Bool)] = Array(
        [operators, membership, modifiers, arithmetic, paths, functions].joined())

    @Test(
        "Every operator, option, literal and function means what the language says",
        arguments: rows)
    func meaning(format: String, expected: Bool) {
        #expect(NSPredicate(format: format).evaluate(with: Self.object) == expected)
    }

    private static let operators: [(String, Bool)] = [
        ("name UTI-EQUALS 'Zürich'", true), ("name uti-equals 'Bern'", false),
        ("name UTI-CONFORMS-TO 'Zürich'", true), ("name <[cd] 'zz'", true),
        ("name >=[cd] 'ZURICH'", true), ("name !=[cd] 'zurich'", false),
        ("name ==[n] 'Zürich'", true), ("name ==[cl] 'zÜRICH'", true),
        ("name ==[CD] 'zurich'", true),
        ("name LIKE[dc] 'ZUR*'", true), ("name LIKE 'Z\\?rich'", false), ("name LIKE ''", false),
        ("name MATCHES '^Z.+h$'", true), ("name MATCHES 'Zür'", false),
        ("name MATCHES '(?i)ZÜRICH'", true), ("empty MATCHES '.*'", true),
        ("empty LIKE '*'", true), ("name CONTAINS ''", false), ("name BEGINSWITH ''", false),
        ("name ENDSWITH ''", false), ("empty == ''", true), ("empty == nil", false),
        ("nothing MATCHES '.*'", false), ("nothing LIKE '*'", false),
        ("nothing IN 'text'", false), ("age == 1e-3", false), ("0.042E+3 == age", true),
        (".5 + .5 == 1", true), ("age == 0X2a", true), ("age == 0B101010", true),
        ("age == 0O52", true), ("TRUE == YES AND FALSE == NO", true), ("NULL == NIL", true),
        ("SELF.age == age", true), ("$x := 5 == 5", true), ("ANYKEY != nil", true),
        ("\"a\\\"b\" == 'a\"b'", true), ("'%@' == '%' OR '%@' == '%@'", true),
    ]

    private static let membership: [(String, Bool)] = [
        ("'v' IN map", true), ("5 IN map", true), ("'k' IN map", false),
        ("2 IN set", true), ("set CONTAINS 3", false), ("'y' IN ordered", true),
        ("ordered CONTAINS 'q'", false), ("'ric' IN name", true), ("'RIC' IN[c] name", true),
        ("name IN {'Bern', 'Zürich'}", true), ("name IN[cd] {'ZURICH'}", true),
        ("nothing IN {nil}", true), ("nothing IN {}", false), ("nothing IN nothing", false),
        ("age IN nothing", false), ("nothing CONTAINS 5", false), ("age NOT IN {42}", false),
        ("age BETWEEN {42, 42}", true), ("age BETWEEN {43, 41}", false),
        ("age BETWEEN {41.5, 42.5}", true), ("name BETWEEN {'A', 'z'}", true),
        ("name BETWEEN {'a', 'z'}", false), ("name BETWEEN[cd] {'a', 'zz'}", true),
        ("date BETWEEN {CAST(99, 'NSDate'), CAST(100, 'NSDate')}", true),
        ("nothing BETWEEN {nil, nil}", true), ("age BETWEEN {nil, 50}", false),
    ]

    private static let modifiers: [(String, Bool)] = [
        ("ANY list == 2", true), ("SOME list == 9", false), ("ALL list >= 1", true),
        ("ALL list > 1", false), ("NONE list == 3", false), ("NONE list == 4", true),
        ("NOT ANY list == 3", false), ("ANY zero == 1", false), ("ALL zero == 1", true),
        ("ANY set == 2", true), ("ALL ordered BETWEEN {'x', 'z'}", true),
        ("ANY children.name BEGINSWITH[c] 'c'", true), ("ALL children.name LIKE '??'", true),
        ("ANY children.name IN {'Cy', 'Ed'}", true), ("ANY children.age == nil", true),
        ("ALL children.age > 0", false), ("ANY children.tags == 'c'", true),
        ("NONE children.tags == 'z'", true), ("ANY children.name CONTAINS 'y'", true),
        ("SUBQUERY(children, $c, $c.age > 2)[FIRST].name == 'Bo'", true),
        ("SUBQUERY(children, $c, ANY $c.tags == 'b').@count == 2", true),
        ("SUBQUERY(list, $n, $n == 3).@count == 2", true),
        ("SUBQUERY(children, $c, SUBQUERY($c.tags, $t, $t == 'a').@count > 0).@count == 1", true),
        ("SUBQUERY(nothing, $x, TRUEPREDICATE).@count == 0", true),
        ("ANY SUBQUERY(children, $c, $c.age > 5).name == 'Cy'", true),
    ]

    private static let arithmetic: [(String, Bool)] = [
        ("1 + 2 * 3 == 7", true), ("2 * 3 ** 2 == 18", true), ("-2 ** 2 == 4", true),
        ("10 - 4 - 3 == 3", true), ("100 / 5 / 2 == 10", true), ("(1 + 2) * 3 == 9", true),
        ("--age == 42", true), ("-age + 50 == 8", true), ("7 / 2 == 3", true),
        ("7.0 / 2 == 3.5", true), ("6 & 3 == 2", true), ("6 | 3 == 7", true), ("6 ^ 3 == 5", true),
        ("1 << 3 == 8", true), ("-8 >> 1 == -4", true), ("~~5 == 5", true),
        ("1 | 2 & 2 == 3", true), ("1 + 1 << 2 == 8", true), ("age + nothing == nil", true),
        ("{1, 2} UNION {2, 3} == {1, 2, 3}", true), ("list INTERSECT {3, 4} == {3, 3}", true),
        ("set MINUS {1} == {2}", true), ("{1, 2} UNION {3} INTERSECT {3} == {3}", true),
        ("{1} UNION ({2, 3} MINUS {2}) == {1, 3}", true), ("2 IN {1} UNION {2}", true),
    ]

    private static let paths: [(String, Bool)] = [
        ("list[0] == 3", true), ("list[age - 41] == 1", true), ("list[FIRST] == 3", true),
        ("list[LAST] == 3", true), ("list[SIZE] == 4", true), ("ordered[1] == 'y'", true),
        ("list[-1] == nil", true), ("zero[FIRST] == nil", true), ("map['k'] == 'v'", true),
        ("map['zz'] == nil", true), ("map.k == 'v'", true), ("children[1].name == 'Cy'", true),
        ("children[LAST].tags[SIZE] == 0", true), ("list.@count == 4", true),
        ("list.@sum.self == 9", true), ("children.@sum.age == 12", true),
        ("children.age.@sum == 12", true), ("children.@avg.age == 6", true),
        ("children.@min.age == 3", true), ("children.age.@max == 9", true),
        ("children.@max.name == 'Di'", true), ("zero.@max.self == nil", true),
        ("zero.@sum.self == 0", true), ("nothing.@count == nil", true),
        ("children.@unionOfObjects.name == {'Bo', 'Cy', 'Di'}", true),
        ("list.@distinctUnionOfObjects.self == {3, 1, 2}", true),
        ("children.@unionOfArrays.tags == {'a', 'b', 'b', 'c'}", true),
        ("children.@distinctUnionOfArrays.tags == {'a', 'b', 'c'}", true),
        ("'c' IN children.@unionOfSets.tags", true),
        ("'z' IN children.@distinctUnionOfSets.tags", false),
        ("children.@unionOfObjects.name[0] == 'Bo'", true), ("name.length == 6", true),
        ("name.uppercaseString == 'ZÜRICH'", true), ("nothing.length == nil", true),
        ("#ci == 7", true), ("ci == 7", true), ("map.#k == 'v'", true),
        ("CAST(CAST(5, 'NSDate'), 'NSNumber') == 5", true), ("CAST('12', 'NSNumber') == 12", true),
        ("CAST(12, 'NSString') == '12'", true), ("CAST('1.5', 'NSDecimalNumber') == 1.5", true),
        ("CAST('x', 'NSNumber') == nil", true), ("CAST(age, 'NSUnknown') == nil", true),
        ("TERNARY(nothing == nil, 1, 2) == 1", true),
        ("TERNARY(age > 50, 'a', name) == name", true),
        ("TERNARY(age > 1 AND age < 50, age + 1, 0) == 43", true),
        ("FUNCTION(name, 'hasPrefix:', 'Z') == YES", true), ("FUNCTION(name, 'length') == 6", true),
        ("FUNCTION(SELF, 'valueForKey:', 'age') == 42", true),
    ]

    private static let functions: [(String, Bool)] = [
        ("sum({1, 2}) == 3", true), ("sum:({1, 2}) == 3", true), ("sum:(1, 2, 3) == 6", true),
        ("count:(list) == 4", true), ("COUNT(list) == 4", true), ("min:({3, 1}) == 1", true),
        ("max(list) == 3", true), ("average:({1, 2}) == 1.5", true),
        ("median({1, 3, 9}) == 3", true),
        ("mode:({1, 2, 2}) == {2}", true), ("stddev({2, 4}) == 1", true),
        ("add:to:(1, 2) == 3", true), ("from:subtract:(5, 2) == 3", true),
        ("multiply:by:(2, 3) == 6", true), ("divide:by:(7, 2) == 3", true),
        ("modulus:by:(7, 4) == 3", true), ("sqrt:(16) == 4", true), ("log(100) == 2", true),
        ("ln:(1) == 0", true), ("raise:toPower:(2, 5) == 32", true), ("exp(0) == 1", true),
        ("floor:(-1.5) == -2", true), ("ceiling:(1.2) == 2", true), ("abs:(-7) == 7", true),
        ("trunc(1.9) == 1", true), ("uppercase:('aé') == 'AÉ'", true),
        ("lowercase(name) == 'zürich'", true), ("canonical:(name) == 'zurich'", true),
        ("length:(name) == 6", true), ("noindex:(age) == 42", true),
        ("random() >= 0", true), ("random:(1) == 0", true), ("randomn:(1) == 0", true),
        ("random:(10) BETWEEN {0, 9}", true), ("now() > date", true), ("now:() > date", true),
        ("bitwiseAnd:with:(6, 3) == 2", true), ("bitwiseOr:with:(6, 3) == 7", true),
        ("bitwiseXor:with:(6, 3) == 5", true), ("leftshift:by:(1, 4) == 16", true),
        ("rightshift:by:(16, 2) == 4", true), ("onesComplement:(0) == -1", true),
        ("objectFrom:withIndex:(list, 1) == 1", true),
        ("castObject:toType:('5', 'NSNumber') == 5", true),
        ("valueForKeyPath:(map, 'k') == 'v'", true), ("sqrt(nothing) == nil", true),
        ("abs(floor(-1.5) + sqrt(4)) == 0", true),
    ]

    @Test(
        "Two ways to write the same predicate make equal predicates with equal hashes",
        arguments: [
            ("SOME a == 1", "ANY a == 1"), ("NONE a == 1", "NOT (ANY a == 1)"),
            ("a NOT IN {1}", "NOT (a IN {1})"), ("a = 1", "a == 1"), ("a <> 1", "a != 1"),
            ("a =< 1", "a <= 1"), ("a => 1", "a >= 1"), ("a = YES", "a == TRUE"),
            ("a = true", "a = 1"), ("a == NIL", "a == NULL"), ("!a == 1", "NOT (a == 1)"),
            ("a == 'x'", "a == \"x\""), ("a ==[cd] 'x'", "a ==[dc] 'x'"), ("SELF.a == 1", "a == 1"),
            ("a + 1 == 2", "add:to:(a, 1) == 2"), ("sum(a) == 1", "sum:(a) == 1"),
            ("a == 1 AND b == 2 AND c == 3", "a == 1 && b == 2 && c == 3"),
            ("CAST(a, 'NSDate') == b", "cast(a, \"NSDate\") == b"),
            ("a[first] == 1", "a[FIRST] == 1"), ("a == 0x10", "a == 16"),
        ])
    func synonyms(first: String, second: String) {
        let first = NSPredicate(format: first)
        let second = NSPredicate(format: second)
        #expect(first.isEqual(second) && second.isEqual(first))
        #expect(first.hash == second.hash)
        #expect((first.copy() as? NSPredicate)?.isEqual(second) == true)
    }

    @Test(
        "Predicates that differ in one part are not equal",
        arguments: [
            ("a == 1", "b == 1"), ("a == 1", "a == 2"), ("a == 1", "a != 1"),
            ("a == 'x'", "a ==[c] 'x'"), ("a LIKE[c] 'x'", "a LIKE[cd] 'x'"),
            ("ANY a == 1", "ALL a == 1"), ("a == 1 AND b == 2", "a == 1 OR b == 2"),
            ("a == 1 AND b == 2", "b == 2 AND a == 1"), ("a[FIRST] == 1", "a[LAST] == 1"),
            ("SUBQUERY(a, $x, $x == 1).@count > 0", "SUBQUERY(a, $y, $y == 1).@count > 0"),
            ("a UNION b == c", "a MINUS b == c"), ("$a == 1", "a == 1"), ("SELF == 1", "a == 1"),
            ("TERNARY(a == 1, 2, 3) == 4", "TERNARY(a == 1, 3, 2) == 4"),
            ("FUNCTION(a, 'length') == 1", "FUNCTION(a, 'hash') == 1"),
            ("a IN {1, 2}", "a IN {2, 1}"), ("sum(a) == 1", "max(a) == 1"),
            ("TRUEPREDICATE", "FALSEPREDICATE"), ("a == nil", "a == ''"),
            ("a + b == 1", "b + a == 1"),
        ])
    func differences(first: String, second: String) {
        #expect(!NSPredicate(format: first).isEqual(NSPredicate(format: second)))
    }

    @Test(
        "The format of every kind of predicate parses back to an equal one",
        arguments: rows.map(\.0))
    func roundTrip(format: String) throws {
        let predicate = NSPredicate(format: format)
        let text = predicate._structuralFormat
        let parsed = try NSPredicate._parsing(text)
        #expect(parsed._structuralFormat == text)
        // A path from a subquery's element, for example, is a different tree with the same text.
        #expect(parsed.evaluate(with: Self.object) == predicate.evaluate(with: Self.object))
    }

    @Test(
        "Anything outside the language is refused",
        arguments: [
            "a == ?", "a ?? b", "a == 1 AND", "AND a == 1", "a == 1 OR OR b == 2", "NOT", "a IN",
            "a BETWEEN", "a LIKE", "a ==[q] 1", "a ==[] 1", "{1, 2", "a == {1,}", "a == [1]",
            "ANY a", "ANY (a == 1)", "SUBQUERY(a, $x).@count == 1", "SUBQUERY(a, $x, b) == 1",
            "CAST(a) == 1", "TERNARY(a, 1, 2) == 1", "a.b. == 1", ".a == 1", "a == 'x\"",
            "a == 0x", "a == 0b2", "a == 1 2", "$ == 1", "# == 1", "a == 99999999999999999999x",
            "a; b", "a == 1;", "a:b == 1", "TRUEPREDICATE == 1", "(a == 1) == 1",
            "a == 1 == 2", "a AND b", "NOT a", "sum: == 1", "a.#and", "@ == 1", "like == 1",
        ])
    func refused(format: String) {
        #expect(throws: _PredicateFormatFailure.self) { try NSPredicate._parsing(format) }
    }
}
