import Testing

@testable import FoundationGaps

/// An app's class that can be archived.
final class PlainlyCoded: NSObject, NSCoding {
    let number: Int

    init(_ number: Int) {
        self.number = number
    }

    init?(coder: NSCoder) {
        number = coder.decodeInteger(forKey: "number")
    }

    func encode(with coder: NSCoder) {
        coder.encode(number, forKey: "number")
    }
}

/// An app's class that can be archived securely.
final class SecurelyCoded: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    override init() {}

    init?(coder: NSCoder) {}

    func encode(with coder: NSCoder) {}
}

/// Value transformers and their names.
@Suite struct ValueTransformerTests {
    private final class Reversing: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? {
            (value as? String).map { String($0.reversed()) }
        }
    }

    @Test("A registered transformer is found by its name, as the same instance")
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

    private final class SecureTransformer: NSSecureUnarchiveFromDataTransformer {
        override class var allowedTopLevelClasses: [AnyClass] {
            super.allowedTopLevelClasses + [SecurelyCoded.self]
        }
    }

    @Test("Secure unarchiving accepts allowed classes only, in collections too")
    func allowedClasses() throws {
        let standard = NSSecureUnarchiveFromDataTransformer()
        let special = SecureTransformer()
        for value in [SecurelyCoded(), [SecurelyCoded()], ["a": [SecurelyCoded()]]] as [Any] {
            #expect(standard.reverseTransformedValue(value) == nil)
            let data = try #require(special.reverseTransformedValue(value) as? Data)
            #expect(special.transformedValue(data) != nil)
            #expect(standard.transformedValue(data) == nil)
        }
        struct Point {}
        for value in [PlainlyCoded(1), [1, PlainlyCoded(1)], Point(), ["a": Point()]] as [Any] {
            #expect(special.reverseTransformedValue(value) == nil)
        }
    }

    @Test("Keyed unarchiving accepts everything that can be coded")
    func keyedRoundTrip() throws {
        let transformer = try #require(
            ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName))
        let data = try #require(transformer.reverseTransformedValue(PlainlyCoded(7)) as? Data)
        #expect((transformer.transformedValue(data) as? PlainlyCoded)?.number == 7)
        struct Point {}
        #expect(transformer.reverseTransformedValue(Point()) == nil)
        #expect(transformer.reverseTransformedValue([Point()]) == nil)
    }

    @Test("Data that is not an archive becomes nil")
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
