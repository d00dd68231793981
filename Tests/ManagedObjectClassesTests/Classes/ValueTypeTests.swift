import CoreData
import Testing

/// A value of each property type can be set and read, also after the object was a fault.
@Suite("Types of managed properties")
struct ValueTypeTests {
    /// Sets a property, saves, makes the object a fault and reads the property.
    private func keeps<Value: Equatable & Sendable>(
        _ property: ReferenceWritableKeyPath<Sample, Value> & Sendable, _ value: Value,
        location: SourceLocation = #_sourceLocation,
        set: @Sendable (Sample, Value) -> Void
    ) throws {
        try Garden.perform { context in
            let sample = Sample(context: context)
            // Assigning through a key path would first read the property, which has no value yet.
            set(sample, value)
            #expect(sample[keyPath: property] == value, sourceLocation: location)
            try context.save()
            context.refresh(sample, mergeChanges: false)
            #expect(sample[keyPath: property] == value, sourceLocation: location)
        }
    }

    /// The same for an object.
    private func keeps<Value: NSObject>(
        _ property: ReferenceWritableKeyPath<Sample, Value> & Sendable,
        _ make: @Sendable () -> Value, location: SourceLocation = #_sourceLocation,
        set: @Sendable (Sample, Value) -> Void
    ) throws {
        try Garden.perform { context in
            let sample = Sample(context: context)
            let value = make()
            set(sample, value)
            #expect(sample[keyPath: property].isEqual(value), sourceLocation: location)
            try context.save()
            context.refresh(sample, mergeChanges: false)
            #expect(sample[keyPath: property].isEqual(value), sourceLocation: location)
        }
    }

    @Test("Numbers, their limits, and enumerations of the target")
    func numbers() throws {
        try keeps(\.int, .min) { $0.int = $1 }
        try keeps(\.int8, -128) { $0.int8 = $1 }
        try keeps(\.int16, .max) { $0.int16 = $1 }
        try keeps(\.int32, .min) { $0.int32 = $1 }
        try keeps(\.int64, .max) { $0.int64 = $1 }
        try keeps(\.uint, 7) { $0.uint = $1 }
        try keeps(\.uint8, .max) { $0.uint8 = $1 }
        try keeps(\.uint16, .max) { $0.uint16 = $1 }
        try keeps(\.uint32, .max) { $0.uint32 = $1 }
        try keeps(\.uint64, UInt64(Int64.max)) { $0.uint64 = $1 }
        try keeps(\.bool, true) { $0.bool = $1 }
        try keeps(\.double, .pi) { $0.double = $1 }
        try keeps(\.float, 0.1) { $0.float = $1 }
        try keeps(\.interval, -1.5) { $0.interval = $1 }
        try keeps(\.decimal, Decimal(sign: .minus, exponent: -3, significand: 123_456_789)) {
            $0.decimal = $1
        }
        try keeps(\.size, .large) { $0.size = $1 }
        try keeps(\.level, .high) { $0.level = $1 }
    }

    @Test("Foundation's value types")
    func values() throws {
        try keeps(\.string, "größe") { $0.string = $1 }
        try keeps(\.date, Date(timeIntervalSinceReferenceDate: 12.5)) { $0.date = $1 }
        try keeps(\.data, Data([0, 255])) { $0.data = $1 }
        try keeps(\.uuid, UUID()) { $0.uuid = $1 }
        try keeps(\.url, try #require(URL(string: "https://example.com/a?b=c"))) { $0.url = $1 }
        try keeps(\.attributedString, AttributedString("text")) { $0.attributedString = $1 }
        try keeps(\.calendar, Calendar(identifier: .iso8601)) { $0.calendar = $1 }
        try keeps(\.characterSet, .decimalDigits) { $0.characterSet = $1 }
        try keeps(\.dateComponents, DateComponents(year: 2001, month: 2)) { $0.dateComponents = $1 }
        try keeps(\.dateInterval, DateInterval(start: .distantPast, duration: 3)) {
            $0.dateInterval = $1
        }
        try keeps(\.indexPath, [1, 2, 3]) { $0.indexPath = $1 }
        try keeps(\.indexSet, [1, 5]) { $0.indexSet = $1 }
        try keeps(\.locale, Locale(identifier: "de_DE")) { $0.locale = $1 }
        var name = PersonNameComponents()
        name.givenName = "Ada"
        try keeps(\.personName, name) { $0.personName = $1 }
        try keeps(\.timeZone, .gmt) { $0.timeZone = $1 }
    }

    @Test("Collections and classes of the target")
    func collections() throws {
        try keeps(\.words, ["a", "b"]) { $0.words = $1 }
        try keeps(\.wordSet, ["a", "b"]) { $0.wordSet = $1 }
        try keeps(\.counts, ["a": 1]) { $0.counts = $1 }
        try keeps(\.nested, ["a": [Date(timeIntervalSinceReferenceDate: 1)]]) { $0.nested = $1 }
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
        try keeps(\.nsString, { NSString(string: "a") }) { $0.nsString = $1 }
        try keeps(\.nsNumber, { NSNumber(value: 3) }) { $0.nsNumber = $1 }
        try keeps(\.nsDecimalNumber, { NSDecimalNumber(string: "1.5") }) { $0.nsDecimalNumber = $1 }
        try keeps(\.nsDate, { NSDate(timeIntervalSinceReferenceDate: 3) }) { $0.nsDate = $1 }
        try keeps(\.nsData, { NSData(data: Data([1])) }) { $0.nsData = $1 }
        try keeps(\.nsUUID, { NSUUID() }) { $0.nsUUID = $1 }
        try keeps(\.nsURL, { NSURL(fileURLWithPath: "/a") }) { $0.nsURL = $1 }
    }

    @Test("Foundation's other classes")
    func classes() throws {
        try keeps(\.nsArray, { NSArray(array: [1, 2]) }) { $0.nsArray = $1 }
        try keeps(\.nsAttributedString, { NSAttributedString(string: "a") }) {
            $0.nsAttributedString = $1
        }
        try keeps(\.nsCalendar, { NSCalendar.current as NSCalendar }) { $0.nsCalendar = $1 }
        try keeps(\.nsDateComponents, { NSDateComponents() }) { $0.nsDateComponents = $1 }
        try keeps(\.nsDateInterval, { NSDateInterval(start: .distantPast, duration: 1) }) {
            $0.nsDateInterval = $1
        }
        try keeps(\.nsDictionary, { NSDictionary(dictionary: ["a": 1]) }) { $0.nsDictionary = $1 }
        try keeps(\.nsIndexPath, { NSIndexPath(index: 3) }) { $0.nsIndexPath = $1 }
        try keeps(\.nsIndexSet, { NSIndexSet(index: 3) }) { $0.nsIndexSet = $1 }
        try keeps(\.nsLocale, { NSLocale(localeIdentifier: "de_DE") }) { $0.nsLocale = $1 }
        try keeps(\.nsMutableArray, { NSMutableArray(array: [1]) }) { $0.nsMutableArray = $1 }
        try keeps(\.nsMutableAttributedString, { NSMutableAttributedString(string: "a") }) {
            $0.nsMutableAttributedString = $1
        }
        try keeps(\.nsMutableData, { NSMutableData(data: Data([1])) }) { $0.nsMutableData = $1 }
        try keeps(\.nsMutableDictionary, { NSMutableDictionary(dictionary: ["a": 1]) }) {
            $0.nsMutableDictionary = $1
        }
        try keeps(\.nsMutableOrderedSet, { NSMutableOrderedSet(array: [1]) }) {
            $0.nsMutableOrderedSet = $1
        }
        try keeps(\.nsMutableSet, { NSMutableSet(array: [1]) }) { $0.nsMutableSet = $1 }
        try keeps(\.nsMutableString, { NSMutableString(string: "a") }) { $0.nsMutableString = $1 }
        try keeps(\.nsObject, { NSObject() }) { $0.nsObject = $1 }
        try keeps(\.nsOrderedSet, { NSOrderedSet(array: [2, 1]) }) { $0.nsOrderedSet = $1 }
        try keeps(\.nsSet, { NSSet(array: [2, 1]) }) { $0.nsSet = $1 }
        try keeps(\.nsTimeZone, { NSTimeZone(forSecondsFromGMT: 3600) }) { $0.nsTimeZone = $1 }
        try keeps(\.nsValue, { NSNumber(value: 1) }) { $0.nsValue = $1 }
    }

    @Test("Optionals of all of these: nil at first, a value, and nil again")
    func optionals() throws {
        func keepsNil<Value: Equatable & Sendable>(
            _ property: ReferenceWritableKeyPath<Sample, Value?> & Sendable, _ value: Value,
            location: SourceLocation = #_sourceLocation
        ) throws {
            try keeps(property, nil, location: location) { $0[keyPath: property] = $1 }
            try keeps(property, value, location: location) { $0[keyPath: property] = $1 }
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
