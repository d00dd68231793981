import CoreData
import Testing

@Suite struct ValidationCodeTests {
    private static func makeLibrary() throws -> Library {
        try Library(
            model: readModel(
                """
                <entity name='Thing'>
                    <attribute name='number' optional='YES' attributeType='Integer 32'
                        minValueString='1' maxValueString='9'/>
                    <attribute name='date' optional='YES' attributeType='Date'
                        minDateTimeInterval='0' maxDateTimeInterval='100'/>
                    <attribute name='text' optional='YES' attributeType='String'
                        minValueString='2' maxValueString='4'
                        regularExpressionString='[a-z]*'/>
                </entity>
                """))
    }

    static let failures: [(key: String, value: any Sendable, code: Int)] = [
        ("number", 10, 1610), ("number", 0, 1620),
        ("date", Date(timeIntervalSinceReferenceDate: 101), 1630),
        ("date", Date(timeIntervalSinceReferenceDate: -1), 1640),
        ("text", "abcde", 1660), ("text", "a", 1670), ("text", "AB", 1680),
    ]

    @Test("Each limit of a model has its code, with the object, the key and the value")
    func codes() throws {
        for (key, value, code) in Self.failures {
            let library = try Self.makeLibrary()
            library.perform { context in
                let thing = Library.insert("Thing", [key: value], in: context)
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.errorCode == code, "\(key) \(value)")
                #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === thing)
                #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == key)
                #expect(error?.userInfo[NSValidationValueErrorKey] != nil)
                #expect(error?.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
            }
        }
    }

    @Test("Several limits in several objects are 1560 with every error in one list")
    func nested() throws {
        try Self.makeLibrary().perform { context in
            Library.insert("Thing", ["number": 0, "text": "abcde"], in: context)
            Library.insert("Thing", ["number": 10], in: context)
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .validationMultipleErrors)
            let details = error?.userInfo[NSDetailedErrorsKey] as? [CocoaError] ?? []
            #expect(details.map(\.errorCode).sorted() == [1610, 1620, 1660])
        }
    }
}
