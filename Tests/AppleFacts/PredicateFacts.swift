import CoreData
import Testing

/// Runs in a separate process, because the predicate or expression may raise an exception.
@Suite("Predicates and expressions in memory") struct PredicateFacts {
    private static func matches(_ format: String, _ values: [String: Any] = [:]) -> Bool {
        NSPredicate(format: format, argumentArray: []).evaluate(
            with: NSDictionary(dictionary: values))
    }

    private static func value(_ format: String, _ values: [String: Any] = [:]) -> Any? {
        NSExpression(format: format, argumentArray: []).expressionValue(
            with: NSDictionary(dictionary: values), context: nil)
    }

    @Test("Parts of texts that are empty")
    func emptyText() {
        let found = ["CONTAINS", "BEGINSWITH", "ENDSWITH"].filter {
            Self.matches("text \($0) ''", ["text": "a"])
        }
        fact("FG-1", expected: [], observed: found)
    }

    @Test("Letters in two forms")
    func normalization() {
        let values = ["text": "e\u{301}"]
        fact("FG-2", expected: false, observed: Self.matches("text == '\u{e9}'", values))
    }

    @Test("Aggregates of nil")
    func aggregates() async {
        await #expect(processExitsWith: .success) {
            let count = PredicateFacts.value("count:(missing)") as? Int
            let sum = PredicateFacts.value("sum:(missing)") as? Int
            fact("FG-3", expected: [0, 0], observed: [count, sum])
        }
    }

    @Test("ANY and ALL of nil")
    func quantifiers() async {
        await #expect(processExitsWith: .success) {
            let any = PredicateFacts.matches("ANY missing == 1")
            let all = PredicateFacts.matches("ALL missing == 1")
            fact("FG-4", expected: [false, true], observed: [any, all])
        }
    }

    @Test("Escapes in texts")
    func escapes() async {
        await #expect(processExitsWith: .success) {
            let text = PredicateFacts.value(#"'a\qb'"#) as? String
            fact("FG-5", expected: #"a\qb"#, observed: text)
        }
    }

    @Test("Keys with the names of indexes")
    func indexNames() async {
        await #expect(processExitsWith: .success) {
            let found = PredicateFacts.matches("SIZE == 1", ["SIZE": 1])
            fact("FG-6", expected: true, observed: found)
        }
    }

    @Test("Divisions")
    func division() async {
        await #expect(processExitsWith: .success) {
            let half = PredicateFacts.value("5 / 2") as? Double
            let none = PredicateFacts.value("count / 0", ["count": 5])
            fact("FG-7", expected: "2.0 true", observed: "\(half ?? -1) \(none == nil)")
        }
    }

    @Test("Random numbers")
    func random() async {
        await #expect(processExitsWith: .success) {
            let number = PredicateFacts.value("random()") as? Double ?? -1
            let isInteger = number.rounded() == number && (0...2_147_483_647).contains(number)
            fact("FG-8", expected: true, observed: isInteger)
        }
    }

    @Test("Uniform types")
    func uniformTypes() async {
        await #expect(processExitsWith: .success) {
            let found = PredicateFacts.matches(
                "text UTI-EQUALS 'public.text'", ["text": "public.text"])
            fact("FG-9", expected: true, observed: found)
        }
    }

    @Test("Constants in print")
    func constants() throws {
        let uuid = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
        let values: [Any] = [
            NSUUID(uuidString: uuid.uuidString) as Any, Data([1]) as NSData,
            NSURL(string: "https://example.org") as Any, NSDecimalNumber(string: "1.5"),
        ]
        let printed = values.map { value in
            NSPredicate(format: "value == %@", argumentArray: [value]).predicateFormat
        }
        fact("FG-10", expected: true, observed: printed.allSatisfy { $0.contains("CAST(") })
    }
}
