import CoreData
import Testing

@Suite("Validation from a model file")
struct ModelValidationTests {
    func attribute(_ settings: String) throws -> NSAttributeDescription {
        let model = try readModel("<entity name='E'><attribute name='a' \(settings)/></entity>")
        return try #require(model.entitiesByName["E"]?.attributesByName["a"])
    }

    /// The code of the first validation predicate that the value fails; nil if it passes all.
    func code(_ value: Any, _ attribute: NSAttributeDescription) -> Int? {
        zip(attribute.validationPredicates, attribute.validationWarnings)
            .first { !$0.0.evaluate(with: value) }
            .flatMap { $0.1 as? Int }
    }

    @Test(
        "Bounds of numbers give the codes for too small and too large",
        arguments: [
            "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float",
        ])
    func numbers(type: String) throws {
        let attribute = try attribute(
            "attributeType='\(type)' minValueString='-2' maxValueString='5'")
        #expect(code(NSNumber(value: -3), attribute) == NSValidationNumberTooSmallError)
        #expect(code(NSNumber(value: -2), attribute) == nil)
        #expect(code(NSNumber(value: 5), attribute) == nil)
        #expect(code(NSNumber(value: 6), attribute) == NSValidationNumberTooLargeError)
    }

    @Test("Bounds of strings are lengths")
    func lengths() throws {
        let attribute = try attribute(
            "attributeType='String' minValueString='2' maxValueString='3'")
        #expect(code("a", attribute) == NSValidationStringTooShortError)
        #expect(code("ab", attribute) == nil)
        #expect(code("abcd", attribute) == NSValidationStringTooLongError)
    }

    @Test("A regular expression must match the whole string")
    func pattern() throws {
        let attribute = try attribute(
            "attributeType='String' regularExpressionString='[A-Z]{2}'")
        #expect(code("DE", attribute) == nil)
        #expect(code("DEU", attribute) == NSValidationStringPatternMatchingError)
    }

    @Test("Bounds of dates count from 2001")
    func dates() throws {
        let attribute = try attribute(
            "attributeType='Date' minDateTimeInterval='100' maxDateTimeInterval='200'")
        func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
        #expect(code(date(99), attribute) == NSValidationDateTooSoonError)
        #expect(code(date(150), attribute) == nil)
        #expect(code(date(201), attribute) == NSValidationDateTooLateError)
    }

    @Test("Predicates and warnings must have the same number")
    func counts() async {
        await #expect(processExitsWith: .failure) {
            NSAttributeDescription().setValidationPredicates(
                [NSPredicate(value: true)], withValidationWarnings: [])
        }
    }

    @Test(
        "A derived attribute has the expression of the file",
        arguments: ["now()", "canonical:(name)", "items.@count", "items.price.@sum"])
    func derived(text: String) throws {
        let derived = try attribute(
            "attributeType='String' derived='YES' derivationExpression='\(text)'")
        let expression = (derived as? NSDerivedAttributeDescription)?.derivationExpression
        #expect(expression == NSExpression(format: text))
    }

    @Test(
        "An invalid number, pattern or expression is refused",
        arguments: [
            ("attributeType='Integer 16' minValueString='few'", "minValueString"),
            ("attributeType='String' maxValueString='1.5'", "maxValueString"),
            ("attributeType='String' regularExpressionString='[a'", "regularExpressionString"),
            ("attributeType='Date' minDateTimeInterval='today'", "minDateTimeInterval"),
            (
                "attributeType='Date' derived='YES' derivationExpression='now('",
                "derivationExpression"
            ),
        ])
    func refused(settings: String, name: String) throws {
        let error = try #require(throws: ManagedObjectModelFileError.self) {
            try attribute(settings)
        }
        #expect(error.attribute == name)
    }
}
