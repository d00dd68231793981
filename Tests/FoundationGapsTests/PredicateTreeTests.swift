import Testing

@testable import FoundationGaps

/// The public tree of a parsed format, read with Apple's API only.
@Suite struct PredicateTreeTests {
    @Test("A comparison shows its two sides, operator, modifier and options")
    func comparison() throws {
        let predicate = NSPredicate(format: "ANY tags.name LIKE[cd] %@", "a*")
        let comparison = try #require(predicate as? NSComparisonPredicate)
        #expect(comparison.comparisonPredicateModifier == .any)
        #expect(comparison.predicateOperatorType == .like)
        #expect(comparison.options == [.caseInsensitive, .diacriticInsensitive])
        #expect(comparison.leftExpression.expressionType == .keyPath)
        #expect(comparison.leftExpression.keyPath == "tags.name")
        #expect(comparison.rightExpression.expressionType == .constantValue)
        #expect(comparison.rightExpression.constantValue as? String == "a*")
    }

    @Test("AND and OR are flat, and AND binds tighter")
    func compound() throws {
        let predicate = NSPredicate(format: "a == 1 OR b == 2 AND c == 3 AND d == 4 OR e == 5")
        let compound = try #require(predicate as? NSCompoundPredicate)
        #expect(compound.compoundPredicateType == .or)
        #expect(compound.subpredicates.count == 3)
        let middle = try #require(compound.subpredicates[1] as? NSCompoundPredicate)
        #expect(middle.compoundPredicateType == .and)
        #expect(middle.subpredicates.count == 3)
    }

    @Test("A key path behind a variable is a function with an operand")
    func pathOfVariable() throws {
        let expression = NSExpression(format: "SUBQUERY(items, $x, $x.price > 5).@count")
        #expect(expression.expressionType == .function)
        #expect(expression.function == "valueForKeyPath:")
        #expect(expression.arguments?.first?.keyPath == "@count")
        let subquery = expression.operand
        #expect(subquery.expressionType == .subquery)
        #expect(subquery.variable == "x")
        #expect((subquery.collection as? NSExpression)?.keyPath == "items")
        let filter = try #require(subquery.predicate as? NSComparisonPredicate)
        #expect(filter.leftExpression.operand.variable == "x")
    }

    @Test("A number literal is an NSNumber, and so is a truth value")
    func literals() {
        #expect(NSExpression(format: "5").constantValue is NSNumber)
        #expect(NSExpression(format: "true").constantValue as? Int == 1)
    }

    @Test("Enum raw values are Apple's")
    func rawValues() {
        #expect(NSComparisonPredicate.Operator.contains.rawValue == 99)
        #expect(NSComparisonPredicate.Operator.between.rawValue == 100)
        #expect(NSExpression.ExpressionType.subquery.rawValue == 13)
        #expect(NSExpression.ExpressionType.conditional.rawValue == 20)
    }

    @Test("The walker tells every kind of predicate apart, Foundation's own compounds included")
    func walker() {
        let comparison = NSPredicate(format: "a == 1")
        guard case .comparison = _PredicateNode(comparison) else {
            Issue.record("not a comparison")
            return
        }
        let foundation = NSCompoundPredicate(andPredicateWithSubpredicates: [comparison])
        guard case .compound(.and, let parts) = _PredicateNode(foundation), parts.count == 1 else {
            Issue.record("not a compound")
            return
        }
        guard case .constant(true) = _PredicateNode(NSPredicate(value: true)),
            case .constant(false) = _PredicateNode(NSPredicate(format: "FALSEPREDICATE")),
            case .block = _PredicateNode(NSPredicate { _, _ in true })
        else {
            Issue.record("not told apart")
            return
        }
    }

    @Test("Predicates are equal by structure")
    func equality() {
        let first = NSPredicate(format: "a == %@ AND b IN {1, 2}", "x")
        let second = NSPredicate(format: "a == 'x' && b IN { 1,2 }")
        #expect(first.isEqual(second))
        #expect(first.hash == second.hash)
        #expect(!first.isEqual(NSPredicate(format: "a == 'y' AND b IN {1, 2}")))
        #expect(!NSPredicate(format: "a == 1").isEqual(NSPredicate(format: "ANY a == 1")))
        #expect(!NSPredicate(format: "a == 'x'").isEqual(NSPredicate(format: "a ==[c] 'x'")))
    }

    @Test("Foundation's compound predicates compare, copy and print by structure")
    func foundationCompound() {
        let parts = [NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2")]
        let foundation = NSCompoundPredicate(orPredicateWithSubpredicates: parts)
        let parsed = NSPredicate(format: "a == 1 OR b == 2")
        #expect(foundation._isStructurallyEqual(to: parsed))
        #expect(parsed.isEqual(foundation))
        #expect(foundation._structuralHash == parsed.hash)
        #expect(foundation._structuralCopy().isEqual(parsed))
        #expect(foundation._structuralFormat == "a == 1 OR b == 2")
    }

    @Test("Variables are replaced by constants, except those that a subquery binds")
    func substitution() {
        let predicate = NSPredicate(format: "a == $v AND SUBQUERY(b, $x, $x == $v).@count > 0")
        let substituted = predicate.withSubstitutionVariables(["v": 5, "x": 6])
        #expect(
            substituted._structuralFormat == "a == 5 AND SUBQUERY(b, $x, $x == 5).@count > 0")
        let object: [String: Any] = ["a": 5, "b": [5]]
        #expect(substituted.evaluate(with: object))
        #expect(predicate.evaluate(with: object, substitutionVariables: ["v": 5]))
    }

    @Test("Variables in Foundation's own compound are replaced too")
    func substitutionInFoundationCompound() {
        let predicate: NSPredicate = NSCompoundPredicate(
            notPredicateWithSubpredicate: NSPredicate(format: "a == $v"))
        let substituted = predicate.withSubstitutionVariables(["v": 1])
        #expect(substituted._structuralFormat == "NOT a == 1")
    }

    @Test(
        "The format of a comparison is Apple's",
        arguments: [
            ("a=='x'", "a == \"x\""), ("a<>1", "a != 1"), ("a = TRUE", "a == 1"),
            ("a = NULL", "a == nil"),
            ("a in {1,2}", "a IN {1, 2}"), ("not (a=1 or b=2)", "NOT (a == 1 OR b == 2)"),
            ("a=1 and (b=2 or c=3)", "a == 1 AND (b == 2 OR c == 3)"),
            ("any a.b beginswith[cd] 'x'", "ANY a.b BEGINSWITH[cd] \"x\""),
            ("TRUEPREDICATE", "TRUEPREDICATE"),
            ("(a+1)*2 > 3", "(a + 1) * 2 > 3"), ("a[FIRST] = 1", "a[FIRST] == 1"),
        ])
    func printing(format: String, printed: String) {
        #expect(NSPredicate(format: format)._structuralFormat == printed)
    }
}
