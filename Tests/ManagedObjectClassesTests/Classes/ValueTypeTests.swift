import CoreData
import Testing

/// A value of each type of property goes in and comes out, also after the object was a fault.
@Suite("Types of managed properties")
struct ValueTypeTests {
    /// Sets a property, saves, makes the object a fault and reads the property.
    private func keeps<Value: Equatable & Sendable>(
        _ property: ReferenceWritableKeyPath<Sample, Value> & Sendable, _ value: Value,
        location: SourceLocation = #_sourceLocation
    ) throws {
        try Garden.perform { context in
            let sample = Sample(context: context)
            sample[keyPath: property] = value
            #expect(sample[keyPath: property] == value, sourceLocation: location)
            try context.save()
            context.refresh(sample, mergeChanges: false)
            #expect(sample[keyPath: property] == value, sourceLocation: location)
        }
    }

    /// The same for an object.
    private func keeps<Value: NSObject>(
        _ property: ReferenceWritableKeyPath<Sample, Value> & Sendable,
        _ make: @Sendable () -> Value, location: SourceLocation = #_sourceLocation
    ) throws {
        try Garden.perform { context in
            let sample = Sample(context: context)
            let value = make()
            sample[keyPath: property] = value
            #expect(sample[keyPath: property].isEqual(value), sourceLocation: location)
            try context.save()
            context.refresh(sample, mergeChanges: false)
            #expect(sample[keyPath: property].isEqual(value), sourceLocation: location)
        }
    }

    @Test("Numbers, their limits, and enumerations of the target")
    func numbers() throws {
        try keeps(\.int, .min)
        try keeps(\.int8, -128)
        try keeps(\.int16, .max)
        try keeps(\.int32, .min)
        try keeps(\.int64, .max)
        try keeps(\.uint, 7)
        try keeps(\.uint8, .max)
        try keeps(\.uint16, .max)
        try keeps(\.uint32, .max)
        try keeps(\.uint64, UInt64(Int64.max))
        try keeps(\.bool, true)
        try keeps(\.double, .pi)
        try keeps(\.float, 0.1)
        try keeps(\.interval, -1.5)
        try keeps(\.decimal, Decimal(sign: .minus, exponent: -3, significand: 123_456_789))
        try keeps(\.size, .large)
        try keeps(\.level, .high)
    }

    @Test("Foundation's value types")
    func values() throws {
        try keeps(\.string, "größe")
        try keeps(\.date, Date(timeIntervalSinceReferenceDate: 12.5))
        try keeps(\.data, Data([0, 255]))
        try keeps(\.uuid, UUID())
        try keeps(\.url, try #require(URL(string: "https://example.com/a?b=c")))
        try keeps(\.attributedString, AttributedString("text"))
        try keeps(\.calendar, Calendar(identifier: .iso8601))
        try keeps(\.characterSet, .decimalDigits)
        try keeps(\.dateComponents, DateComponents(year: 2001, month: 2))
        try keeps(\.dateInterval, DateInterval(start: .distantPast, duration: 3))
        try keeps(\.indexPath, [1, 2, 3])
        try keeps(\.indexSet, [1, 5])
        try keeps(\.locale, Locale(identifier: "de_DE"))
        var name = PersonNameComponents()
        name.givenName = "Ada"
        try keeps(\.personName, name)
        try keeps(\.timeZone, .gmt)
    }

    @Test("Collections and classes of the target")
    func collections() throws {
        try keeps(\.words, ["a", "b"])
        try keeps(\.wordSet, ["a", "b"])
        try keeps(\.counts, ["a": 1])
        try keeps(\.nested, ["a": [Date(timeIntervalSinceReferenceDate: 1)]])
        try Garden.perform { context in
            let sample = Sample(context: context)
            let label = Sample.Label("x")
            sample.label = label
            sample.labels = [label, Sample.Label("y")]
            sample.hashable = AnyHashable("key")
            #expect(sample.label === label)
            #expect(sample.labels.map(\.text) == ["x", "y"])
            #expect(sample.hashable == AnyHashable("key"))
        }
    }

    @Test("Foundation's classes for values of the model's types")
    func valueClasses() throws {
        try keeps(\.nsString) { NSString(string: "a") }
        try keeps(\.nsNumber) { NSNumber(value: 3) }
        try keeps(\.nsDecimalNumber) { NSDecimalNumber(string: "1.5") }
        try keeps(\.nsDate) { NSDate(timeIntervalSinceReferenceDate: 3) }
        try keeps(\.nsData) { NSData(data: Data([1])) }
        try keeps(\.nsUUID) { NSUUID() }
        try keeps(\.nsURL) { NSURL(fileURLWithPath: "/a") }
    }

    @Test("Foundation's other classes")
    func classes() throws {
        try keeps(\.nsArray) { NSArray(array: [1, 2]) }
        try keeps(\.nsAttributedString) { NSAttributedString(string: "a") }
        try keeps(\.nsCalendar) { NSCalendar.current as NSCalendar }
        try keeps(\.nsDateComponents) { NSDateComponents() }
        try keeps(\.nsDateInterval) { NSDateInterval(start: .distantPast, duration: 1) }
        try keeps(\.nsDictionary) { NSDictionary(dictionary: ["a": 1]) }
        try keeps(\.nsIndexPath) { NSIndexPath(index: 3) }
        try keeps(\.nsIndexSet) { NSIndexSet(index: 3) }
        try keeps(\.nsLocale) { NSLocale(localeIdentifier: "de_DE") }
        try keeps(\.nsMutableArray) { NSMutableArray(array: [1]) }
        try keeps(\.nsMutableAttributedString) { NSMutableAttributedString(string: "a") }
        try keeps(\.nsMutableData) { NSMutableData(data: Data([1])) }
        try keeps(\.nsMutableDictionary) { NSMutableDictionary(dictionary: ["a": 1]) }
        try keeps(\.nsMutableOrderedSet) { NSMutableOrderedSet(array: [1]) }
        try keeps(\.nsMutableSet) { NSMutableSet(array: [1]) }
        try keeps(\.nsMutableString) { NSMutableString(string: "a") }
        try keeps(\.nsObject) { NSObject() }
        try keeps(\.nsOrderedSet) { NSOrderedSet(array: [2, 1]) }
        try keeps(\.nsSet) { NSSet(array: [2, 1]) }
        try keeps(\.nsTimeZone) { NSTimeZone(forSecondsFromGMT: 3600) }
        try keeps(\.nsValue) { NSNumber(value: 1) }
    }

    @Test("Optionals of all of these: nil at first, a value, and nil again")
    func optionals() throws {
        func keepsNil<Value: Equatable & Sendable>(
            _ property: ReferenceWritableKeyPath<Sample, Value?> & Sendable, _ value: Value,
            location: SourceLocation = #_sourceLocation
        ) throws {
            try keeps(property, nil, location: location)
            try keeps(property, value, location: location)
            try Garden.perform { context in
                let sample = Sample(context: context)
                sample[keyPath: property] = value
                sample[keyPath: property] = nil
                #expect(sample[keyPath: property] == nil, sourceLocation: location)
            }
        }
        try keepsNil(\.optionalInt, .min)
        try keepsNil(\.optionalInt8, -1)
        try keepsNil(\.optionalInt16, 1)
        try keepsNil(\.optionalInt32, 1)
        try keepsNil(\.optionalInt64, .max)
        try keepsNil(\.optionalUint, 1)
        try keepsNil(\.optionalUint8, .max)
        try keepsNil(\.optionalUint16, 1)
        try keepsNil(\.optionalUint32, .max)
        try keepsNil(\.optionalUint64, 1)
        try keepsNil(\.optionalBool, false)
        try keepsNil(\.optionalDouble, 0.5)
        try keepsNil(\.optionalFloat, 0.5)
        try keepsNil(\.optionalInterval, 1)
        try keepsNil(\.optionalDecimal, 1.5)
        try keepsNil(\.optionalSize, .large)
        try keepsNil(\.optionalLevel, .low)
        try keepsNil(\.optionalString, "")
        try keepsNil(\.optionalDate, .distantFuture)
        try keepsNil(\.optionalData, Data())
        try keepsNil(\.optionalUuid, UUID())
        try keepsNil(\.optionalUrl, URL(fileURLWithPath: "/a"))
        try keepsNil(\.optionalAttributedString, AttributedString("a"))
        try keepsNil(\.optionalCalendar, .current)
        try keepsNil(\.optionalCharacterSet, .letters)
        try keepsNil(\.optionalDateComponents, DateComponents(day: 1))
        try keepsNil(\.optionalDateInterval, DateInterval(start: .distantPast, duration: 3))
        try keepsNil(\.optionalIndexPath, [1])
        try keepsNil(\.optionalIndexSet, [1])
        try keepsNil(\.optionalLocale, .current)
        try keepsNil(\.optionalPersonName, PersonNameComponents())
        try keepsNil(\.optionalTimeZone, .gmt)
        try keepsNil(\.optionalWords, ["a"])
        try keepsNil(\.optionalWordSet, ["a"])
        try keepsNil(\.optionalCounts, ["a": 1])
        try keepsNil(\.optionalNested, ["a": []])
    }
}
