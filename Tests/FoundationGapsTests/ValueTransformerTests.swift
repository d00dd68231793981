import Testing

@testable import FoundationGaps

/// Value transformers and their names.
@Suite struct ValueTransformerTests {
    private final class Reversing: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? {
            (value as? String).map { String($0.reversed()) }
        }
    }

    @Test("A registered transformer is found by its name, the very instance")
    func registration() throws {
        let name = NSValueTransformerName("ValueTransformerTests.Reversing")
        #expect(ValueTransformer(forName: name) == nil)
        let transformer = Reversing()
        ValueTransformer.setValueTransformer(transformer, forName: name)
        let found = try #require(ValueTransformer(forName: name))
        #expect(found === transformer)
        #expect(found.transformedValue("abc") as? String == "cba")
        #expect(ValueTransformer.valueTransformerNames().contains(name))
        ValueTransformer.setValueTransformer(nil, forName: name)
        #expect(ValueTransformer(forName: name) == nil)
    }

    @Test("Secure unarchiving is the inverse of archiving")
    func secureRoundTrip() throws {
        let transformer = try #require(
            ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
        let objects: [NSObject] = [
            NSString(string: "text"), NSArray(array: [1, "two"]),
            NSDictionary(dictionary: ["a": 1]),
            NSDate(timeIntervalSinceReferenceDate: 1), NSUUID(), NSNumber(value: 1.5),
        ]
        for object in objects {
            let data = try #require(transformer.reverseTransformedValue(object) as? Data)
            #expect((transformer.transformedValue(data) as? NSObject)?.isEqual(object) == true)
        }
    }

    @Test("Swift collections can be archived as well")
    func swiftCollections() throws {
        let transformer = NSSecureUnarchiveFromDataTransformer()
        let data = try #require(transformer.reverseTransformedValue(["a", "b"]) as? Data)
        #expect(transformer.transformedValue(data) as? [String] == ["a", "b"])
    }

    @Test("What is no archive becomes nil")
    func garbage() {
        let transformer = NSSecureUnarchiveFromDataTransformer()
        #expect(transformer.transformedValue(Data([1, 2, 3])) == nil)
        #expect(transformer.transformedValue(nil) == nil)
        #expect(transformer.transformedValue("text") == nil)
        #expect(transformer.reverseTransformedValue(nil) == nil)
    }

    @Test("Truth values are negated and nil is tested")
    func booleans() {
        let transformer = ValueTransformer(forName: .negateBooleanTransformerName)
        #expect(transformer?.transformedValue(true) as? Bool == false)
        let isNil = ValueTransformer(forName: .isNilTransformerName)
        #expect(isNil?.transformedValue(nil) as? Bool == true)
        #expect(isNil?.transformedValue("x") as? Bool == false)
    }
}
