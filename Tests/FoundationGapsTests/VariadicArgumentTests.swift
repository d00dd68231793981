import Testing

@testable import FoundationGaps

/// Values as variadic C arguments, as Apple's source passes them.
@Suite struct VariadicArgumentTests {
    @Test("Objects and bridged values can be cast to CVarArg")
    func casting() {
        let object = NSObject()
        let arguments: [any CVarArg] = [
            object, Date(), UUID(), Data(), Decimal(1), [1], Set([1]), ["a": 1], NSNull(),
        ]
        #expect(arguments.count == 9)
        #expect(NSPredicate(format: "SELF == %@", object as CVarArg).evaluate(with: object))
    }

    @Test("A string format prints them by their description")
    func stringFormat() {
        let uuid = UUID()
        #expect(String(format: "%@ %d", uuid as CVarArg, 5) == "\(uuid) 5")
        #expect(String(format: "%@", NSNumber(value: 5)) == "5")
        #expect(String(format: "%@", NSString(string: "a")) == "a")
        #expect(String(format: "%@", "text") == "text")
    }
}
