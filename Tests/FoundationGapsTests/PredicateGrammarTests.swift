import Testing

@testable import FoundationGaps

/// The keywords and operators of the format language, one by one.
@Suite struct PredicateGrammarTests {
    @Test(
        "Every conversion takes an argument of any type",
        arguments: [
            "@", "c", "C", "d", "D", "i", "o", "O", "u", "U", "x", "X", "e", "E", "f", "F", "g",
            "G", "a", "A", "hd", "hhd", "ld", "lld", "qd", "zd", "lu", "llu", "hx", "lf",
        ])
    func conversion(letters: String) {
        let predicate = NSPredicate(format: "a == %\(letters)", 5)
        #expect(predicate.isEqual(NSPredicate(format: "a == 5")))
    }

    @Test("Quotes around a conversion make it a string")
    func quotedConversion() {
        #expect(NSPredicate(format: "a == '%@' AND b == \"%K\"")._structuralFormat.contains("%@"))
        #expect(NSPredicate(format: "SELF == '%d'").evaluate(with: "%d"))
    }

    @Test(
        "A key that is a reserved word is escaped, and printed so",
        arguments: PredicateKeyword.reserved.subtracting(["UTI-CONFORMS-TO", "UTI-EQUALS"])
            .union(PredicateKeyword.reservedInBrackets).sorted())
    func escapedKey(word: String) throws {
        for key in [word, word.lowercased()] {
            let predicate = NSPredicate(format: "#\(key) == 1")
            let comparison = try #require(predicate as? NSComparisonPredicate)
            #expect(comparison.leftExpression.keyPath == key)
            #expect(predicate._structuralFormat == "#\(key) == 1")
            #expect(predicate.evaluate(with: [key: 1]))
        }
    }

    @Test(
        "Keywords are read in any case, and operators with any space",
        arguments: [
            ("a==1 and b==2", "a == 1 AND b == 2"), ("a=1 Or b=2", "a == 1 OR b == 2"),
            ("nOt a=1", "NOT a == 1"), ("a\t=\n1", "a == 1"),
            ("a Between{1,2}", "a BETWEEN {1, 2}"),
            ("aNy a LiKe 'x'", "ANY a LIKE \"x\""), ("a=nIl", "a == nil"), ("a=Yes", "a == 1"),
            ("truePredicate", "TRUEPREDICATE"), ("self=1", "SELF == 1"),
        ])
    func spelling(format: String, printed: String) {
        #expect(NSPredicate(format: format)._structuralFormat == printed)
    }

    @Test(
        "AND binds tighter than OR, NOT tighter than AND, and parentheses tightest",
        arguments: [
            ("a=1 OR b=1 AND c=1", "a=1 OR (b=1 AND c=1)"),
            ("a=1 AND b=1 OR c=1", "(a=1 AND b=1) OR c=1"),
            ("NOT a=1 AND b=1", "(NOT a=1) AND b=1"), ("NOT a=1 OR b=1", "(NOT a=1) OR b=1"),
            ("!a=1 && b=1 || c=1", "((NOT a=1) AND b=1) OR c=1"),
            ("a + b * c = 1", "(a + (b * c)) = 1"), ("a ** b * c = 1", "((a ** b) * c) = 1"),
            ("a - b - c = 1", "((a - b) - c) = 1"), ("a << b + c = 1", "(a << (b + c)) = 1"),
            ("a | b & c = 1", "(a | (b & c)) = 1"), ("a & b << c = 1", "(a & (b << c)) = 1"),
        ])
    func precedence(format: String, grouped: String) {
        #expect(NSPredicate(format: format).isEqual(NSPredicate(format: grouped)))
    }

    @Test(
        "Backslashes in a string escape quotes, themselves and white space",
        arguments: [
            (#"SELF == 'it\'s'"#, "it's"), (#"SELF == "say \"x\"""#, #"say "x""#),
            (#"SELF == 'a\\b'"#, #"a\b"#), (#"SELF == 'a\nb\tc\rd'"#, "a\nb\tc\rd"),
        ])
    func escapes(format: String, text: String) {
        #expect(NSPredicate(format: format).evaluate(with: text))
    }

    @Test(
        "A format that does not parse is refused with Apple's text",
        arguments: ["", "age", "age * 25", "age === 25", ",", "()"])
    func failureText(format: String) {
        let failure = #expect(throws: _PredicateFormatFailure.self) {
            try NSPredicate._parsing(format)
        }
        #expect(failure?.description == "Unable to parse the format string \"\(format)\"")
    }

    @Test("The deepest predicate that parses can be printed, compared and evaluated")
    func deepestPredicates() throws {
        let limit = PredicateParser.depthLimit
        let chain = String(repeating: "1 + ", count: PredicateParser.chainLimit - 1)
        let formats = [
            String(repeating: "NOT ", count: limit - 2) + "SELF == 1",
            String(repeating: "-", count: limit - 2) + "SELF == 1",
            String(repeating: "abs(", count: limit - 2) + "1"
                + String(repeating: ")", count: limit - 2) + " == 1",
            chain + "1 == SELF",
        ]
        for format in formats {
            let predicate = try NSPredicate._parsing(format)
            let again = try NSPredicate._parsing(format)
            #expect(predicate.isEqual(again))
            #expect(predicate.hash == again.hash)
            #expect(!predicate._structuralFormat.isEmpty)
            _ = predicate.evaluate(with: 1)
        }
    }
}
