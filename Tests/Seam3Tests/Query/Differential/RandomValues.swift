import CoreData
import SeededRandom

/// Values of every attribute type, including nil and the limits of each type.
enum RandomValues {
    static let texts = [
        "", "a", "A", "ab", "abc", "Abc", "äbc", "ÄBC", "a\u{308}bc", "zoo", "a*b?", "a\\b", "日本",
        "z\u{10FFFF}", "\u{FFFD}", "ab%c_d", "it's", "\"quoted\"", "🇩🇪 flag", "item 9", "item 10",
        "Straße", "STRASSE", "ﬁ", "\n", "x\0y",
    ]
    static let dates = [
        Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 1.5),
        Date(timeIntervalSince1970: -5_000_000_000), Date(timeIntervalSince1970: 253_402_300_799),
        .distantPast, .distantFuture,
    ]
    static let uuids = [
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "00000000-0000-0000-0000-000000000001",
        "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    ].compactMap(UUID.init(uuidString:))
    static let urls = ["https://example.com/a", "https://example.com/b", "file:///x%20y"]
        .compactMap(URL.init(string:))
    static let blobs = [Data(), Data([0]), Data([1, 2, 3]), Data(repeating: 7, count: 300)]
    static let decimals = [
        "0", "1", "2.5", "-1", "0.1", "10", "9", "12345678901234567890123456789012345678",
    ].map { NSDecimalNumber(string: $0) }

    /// A value for an attribute; sometimes nil.
    static func value(_ type: NSAttributeType, using random: inout SeededGenerator) -> Any? {
        Int.random(in: 0..<5, using: &random) == 0 ? nil : present(type, using: &random)
    }

    /// A value for an attribute; a dictionary for a composite one.
    static func value(
        of attribute: NSAttributeDescription, using random: inout SeededGenerator
    ) -> Any? {
        guard let compositeElements = attribute.compositeElements else {
            return value(attribute.attributeType, using: &random)
        }
        var elements: [String: Any] = [:]
        for element in compositeElements {
            elements[element.name] = value(of: element, using: &random)
        }
        // A composite value whose elements are all nil is nil.
        return elements.isEmpty ? nil : elements
    }

    /// A value of a type that is not nil.
    static func present(_ type: NSAttributeType, using random: inout SeededGenerator) -> Any? {
        func pick<T>(_ values: [T]) -> T? { values.randomElement(using: &random) }
        switch type {
        case .integer16AttributeType: return pick([0, 1, 2, 3, -1, 32767, -32768])
        case .integer32AttributeType: return pick([0, 1, 2, 3, -7, Int(Int32.max), Int(Int32.min)])
        case .integer64AttributeType: return pick([0, 1, 2, 3, 5, -1, 1000, Int.max, Int.min])
        case .booleanAttributeType: return pick([true, false])
        case .doubleAttributeType:
            // Without -0.0, whose sign SQLite does not store.
            return pick([0, 1, 2.5, -1, 1e300, 0.1, 7, .infinity, -.infinity, .nan, 3])
        case .floatAttributeType:
            return pick([Float(0), 0.1, 1, 2.5, -3, .greatestFiniteMagnitude])
        case .decimalAttributeType: return pick(decimals)
        case .dateAttributeType: return pick(dates)
        case .binaryDataAttributeType: return pick(blobs)
        case .UUIDAttributeType: return pick(uuids)
        case .URIAttributeType: return pick(urls)
        case .transformableAttributeType: return pick([["a", "b"], ["c"], []] as [NSArray])
        default: return pick(texts)
        }
    }
}
