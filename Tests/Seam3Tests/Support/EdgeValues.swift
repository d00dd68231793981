import CoreData
import Testing

/// An attribute type with its edge values.
struct EdgeValues: @unchecked Sendable, CustomTestStringConvertible {
    // Unchecked because the values are immutable.

    let name: String
    let type: NSAttributeType
    var isExternal = false
    var transformer: NSValueTransformerName?
    let values: [NSObject]
    /// The values that CloudKit cannot represent, and which stay on the device.
    var localValues: [NSObject] = []

    var testDescription: String { name }

    /// A model with one entity, whose attribute "value" is of the type.
    func model() -> NSManagedObjectModel {
        let value = NSAttributeDescription("value", type)
        value.allowsExternalBinaryDataStorage = isExternal
        value.valueTransformerName = transformer?.rawValue
        if type == .transformableAttributeType {
            value.attributeValueClassName = NSStringFromClass(GridPoint.self)
        }
        return NSManagedObjectModel(
            NSEntityDescription(
                "Item", [NSAttributeDescription("index", .integer64AttributeType), value]))
    }

    /// Whether two values are exactly the same.
    static func isSame(_ found: Any?, _ value: NSObject) -> Bool {
        switch (found, value) {
        case (let found as String, let value as NSString):
            // String equality treats two forms of an accented letter as equal.
            return Array(found.utf8) == Array("\(value)".utf8)
        case (let found as NSNumber, let value as NSNumber) where value.doubleValue.isNaN:
            return found.doubleValue.isNaN
        default:
            return (found as? NSObject)?.isEqual(value) ?? false
        }
    }

    // MARK: - The table

    private static func numbers<N: FixedWidthInteger>(_: N.Type) -> [NSObject] {
        [N.min, -1, 0, 1, N.max].map { NSNumber(value: Int64($0)) }
    }

    private static func decimals(_ texts: String...) -> [NSObject] {
        texts.map { NSDecimalNumber(string: $0) }
    }

    static let all: [EdgeValues] =
        numeric + textual + [date] + binary + [uuid, uri] + transformable

    private static let numeric: [EdgeValues] = [
        EdgeValues(name: "Integer 16", type: .integer16AttributeType, values: numbers(Int16.self)),
        EdgeValues(name: "Integer 32", type: .integer32AttributeType, values: numbers(Int32.self)),
        EdgeValues(name: "Integer 64", type: .integer64AttributeType, values: numbers(Int64.self)),
        EdgeValues(
            name: "Boolean", type: .booleanAttributeType,
            values: [NSNumber(value: true), NSNumber(value: false)]),
        EdgeValues(
            name: "Double", type: .doubleAttributeType,
            values: [
                0, -1.5, .pi, 0.1, 1e-300, Double.greatestFiniteMagnitude,
                -Double.greatestFiniteMagnitude, Double.leastNormalMagnitude, 9_007_199_254_740_991,
            ].map { NSNumber(value: $0) },
            localValues: [Double.nan, .infinity, -.infinity].map { NSNumber(value: $0) }),
        EdgeValues(
            name: "Float", type: .floatAttributeType,
            values: [
                0, -1.5, .pi, 0.1, Float.greatestFiniteMagnitude, Float.leastNormalMagnitude,
            ].map { NSNumber(value: $0) },
            localValues: [Float.nan, .infinity, -.infinity].map { NSNumber(value: $0) }),
        EdgeValues(
            name: "Decimal", type: .decimalAttributeType,
            values: decimals(
                "0", "1.50", "-0.1", "19.99", "12345678901234567890", "1234567890.0123456789",
                "99999999999999999999999999999999999999",
                "-99999999999999999999999999999999999999",
                "0.00000000000000000000000000000000000001",
                "-12345678901234567890.123456789012345678", "1e100")),
    ]

    private static let textual: [EdgeValues] = [
        EdgeValues(
            name: "String", type: .stringAttributeType,
            values: [
                "", " ", "plain", "👩‍👩‍👧‍👦🏳️‍🌈", "e\u{301} é", "q\u{323}\u{307}", "שלום", "a\u{0}b",
                "\u{FEFF}bom", "z\u{10FFFF}", "line\r\nline", "'; DROP TABLE x; --",
                String(repeating: "long ", count: 50_000),
            ].map { NSString(string: $0) })
    ]

    private static let date = EdgeValues(
        name: "Date", type: .dateAttributeType,
        values: [
            // From the year 1 to the end of the year 9999.
            -62_135_596_800, -2_208_988_800, -0.001, 0, 0.001, 978_307_200, 1_700_000_000.123,
            253_402_300_799.999,
        ].map { NSDate(timeIntervalSince1970: $0) })

    private static let binary: [EdgeValues] = [
        EdgeValues(
            name: "Binary", type: .binaryDataAttributeType,
            values: [
                Data(), Data([0]), Data((0...255).map { UInt8($0) }),
                Data(repeating: 0xAB, count: 2_000_000),
            ].map { NSData(data: $0) }),
        EdgeValues(
            name: "Binary, external", type: .binaryDataAttributeType, isExternal: true,
            values: [
                Data(), Data([0]), Data(repeating: 6, count: 128 * 1024),
                Data(repeating: 7, count: 128 * 1024 + 1), Data(repeating: 8, count: 300_000),
            ].map { NSData(data: $0) }),
    ]

    private static let uuid = EdgeValues(
        name: "UUID", type: .UUIDAttributeType,
        values: [
            "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
            "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
        ].compactMap { NSUUID(uuidString: $0) })

    private static let uri = EdgeValues(
        name: "URI", type: .URIAttributeType,
        values: [
            "https://example.com/a%20b?c=d&e=f#g", "mailto:a@example.com", "file:///tmp/x",
            "relative/path", "https://user:word@example.com:8080/%F0%9F%98%80",
        ].compactMap { NSURL(string: $0) })

    private static let transformable: [EdgeValues] = [
        EdgeValues(
            name: "Transformable", type: .transformableAttributeType,
            values: [
                NSArray(array: [NSString(string: "a"), NSNumber(value: 2)]), NSArray(),
                NSString(string: "text"),
                NSDictionary(dictionary: ["k": NSNumber(value: 1), "l": NSString(string: "v")]),
                GridPoint(3, 4), NSArray(array: [GridPoint(5, 6)]),
            ]),
        EdgeValues(
            name: "Transformable by keyed archives", type: .transformableAttributeType,
            transformer: .keyedUnarchiveFromDataTransformerName,
            values: [GridPoint(1, 2), NSString(string: "text")]),
        EdgeValues(
            name: "Transformable by archives", type: .transformableAttributeType,
            transformer: NSValueTransformerName("NSUnarchiveFromData"),
            values: [GridPoint(1, 2), NSArray(array: [GridPoint(3, 4)])]),
        EdgeValues(
            name: "Transformable by name", type: .transformableAttributeType,
            transformer: GridPointTransformer.name,
            values: [GridPoint(0, 0), GridPoint(.min, .max), GridPoint(-7, 12)]),
    ]
}

/// An app's class, whose objects a transformable attribute stores.
final class GridPoint: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let x: Int64
    let y: Int64

    init(_ x: Int64, _ y: Int64) {
        self.x = x
        self.y = y
    }

    init?(coder: NSCoder) {
        x = coder.decodeInt64(forKey: "x")
        y = coder.decodeInt64(forKey: "y")
    }

    func encode(with coder: NSCoder) {
        coder.encode(x, forKey: "x")
        coder.encode(y, forKey: "y")
    }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? GridPoint).map { $0.x == x && $0.y == y } ?? false
    }

    override var hash: Int { x.hashValue ^ y.hashValue }
}

/// The secure transformer of ``GridPoint``, registered when its name is first used.
final class GridPointTransformer: NSSecureUnarchiveFromDataTransformer {
    static let name: NSValueTransformerName = {
        let name = NSValueTransformerName("GridPointTransformer")
        ValueTransformer.setValueTransformer(GridPointTransformer(), forName: name)
        return name
    }()

    override class var allowedTopLevelClasses: [AnyClass] { [GridPoint.self] }
}
