import Foundation

/// A value in a keyed archive. Tests write archives like those of Xcode's compilers.
public indirect enum ArchiveValue: Sendable, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
    case integer(Int)
    case real(Double)
    case boolean(Bool)
    case string(String)
    case data(Data)
    case array([ArchiveValue])
    /// The plain array that is a field of a collection.
    case references([ArchiveValue])
    case dictionary([(String, ArchiveValue)])
    /// A dictionary with keys of any type.
    case entries([(ArchiveValue, ArchiveValue)])
    case object(String, [String: ArchiveValue])
    /// An object that others refer to by a label.
    case labeled(String, String, [String: ArchiveValue])
    /// The object with a label, anywhere in the archive.
    case label(String)
    /// The object that contains this value: 1 for the innermost, 2 for the one around it.
    case enclosing(Int)

    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// An array.
    public init(arrayLiteral elements: ArchiveValue...) { self = .array(elements) }
}

/// Writes keyed archives: a table of objects that refer to each other, in a binary property list.
public struct KeyedArchiveWriter {
    /// The values in the property list.
    private indirect enum Item {
        case integer(Int)
        case real(Double)
        case boolean(Bool)
        case string(String)
        case data(Data)
        case reference(Int)
        case array([Item])
        case dictionary([(String, Item)])
    }

    private var objects: [Item] = [.string("$null")]
    private var labels: [String: Int] = [:]
    /// The objects whose fields are being added, from the outermost in.
    private var open: [Int] = []

    /// The archive of an object.
    ///
    /// - Parameters:
    ///   - root: The object.
    ///   - key: Its key.
    public static func archive(_ root: ArchiveValue, forKey key: String = "root") -> Data {
        var writer = KeyedArchiveWriter()
        let reference = writer.add(root)
        let archive = Item.dictionary([
            ("$archiver", .string("NSKeyedArchiver")), ("$version", .integer(100_000)),
            ("$top", .dictionary([(key, reference)])), ("$objects", .array(writer.objects)),
        ])
        return PropertyList.data(of: archive)
    }

    /// Numbers are stored inline; everything else is an object with references to it.
    private mutating func add(_ value: ArchiveValue) -> Item {
        switch value {
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .boolean(let flag): return .boolean(flag)
        case .string(let text): return append(.string(text))
        case .data(let data): return append(.data(data))
        case .array(let elements):
            return appendInstance(of: "NSArray") { writer in
                [("NS.objects", .array(elements.map { writer.addAsObject($0) }))]
            }
        case .references(let elements): return .array(elements.map { addAsObject($0) })
        case .dictionary(let pairs):
            return add(.entries(pairs.map { (.string($0.0), $0.1) }))
        case .entries(let pairs):
            return appendInstance(of: "NSDictionary") { writer in
                let keys = pairs.map { writer.addAsObject($0.0) }
                let values = pairs.map { writer.addAsObject($0.1) }
                return [("NS.keys", .array(keys)), ("NS.objects", .array(values))]
            }
        case .object(let name, let fields):
            return appendInstance(of: name) { writer in
                Self.sorted(fields).map { ($0.key, writer.add($0.value)) }
            }
        case .labeled(let label, let name, let fields):
            return setInstance(of: name, at: place(of: label)) { writer in
                Self.sorted(fields).map { ($0.key, writer.add($0.value)) }
            }
        case .label(let label):
            return .reference(place(of: label))
        case .enclosing(let levels):
            return .reference(open[open.count - levels])
        }
    }

    private static func sorted(
        _ fields: [String: ArchiveValue]
    ) -> [(key: String, value: ArchiveValue)] {
        fields.sorted { $0.key < $1.key }
    }

    private mutating func place(of label: String) -> Int {
        if let place = labels[label] { return place }
        objects.append(.string("$null"))
        labels[label] = objects.count - 1
        return objects.count - 1
    }

    private mutating func addAsObject(_ value: ArchiveValue) -> Item {
        let item = add(value)
        if case .reference = item { return item }
        return append(item)
    }

    /// Adds an object before its fields, so that these can refer to it.
    private mutating func appendInstance(
        of name: String, fields: (inout KeyedArchiveWriter) -> [(String, Item)]
    ) -> Item {
        objects.append(.dictionary([]))
        return setInstance(of: name, at: objects.count - 1, fields: fields)
    }

    private mutating func setInstance(
        of name: String, at index: Int, fields: (inout KeyedArchiveWriter) -> [(String, Item)]
    ) -> Item {
        open.append(index)
        let fields = fields(&self)
        open.removeLast()
        let type = append(.dictionary([("$classname", .string(name))]))
        objects[index] = .dictionary(fields + [("$class", type)])
        return .reference(index)
    }

    private mutating func append(_ item: Item) -> Item {
        objects.append(item)
        return .reference(objects.count - 1)
    }

    /// A binary property list: objects, a table of their offsets, and a trailer.
    private struct PropertyList {
        private var objects: [[UInt8]] = []

        static func data(of item: Item) -> Data {
            var list = PropertyList()
            let top = list.add(item)
            var bytes = Array("bplist00".utf8)
            var offsets: [Int] = []
            for object in list.objects {
                offsets.append(bytes.count)
                bytes += object
            }
            let table = bytes.count
            for offset in offsets { bytes += bigEndian(offset, 4) }
            bytes += [0, 0, 0, 0, 0, 0, 4, 4]
            bytes += bigEndian(offsets.count, 8) + bigEndian(top, 8) + bigEndian(table, 8)
            return Data(bytes)
        }

        private mutating func add(_ item: Item) -> Int {
            let position = objects.count
            objects.append([])
            objects[position] = bytes(of: item)
            return position
        }

        private mutating func bytes(of item: Item) -> [UInt8] {
            switch item {
            case .boolean(let flag): return [flag ? 0x09 : 0x08]
            case .integer(let number): return [0x13] + Self.bigEndian(number, 8)
            case .real(let number):
                return [0x23] + Self.bigEndian(Int(bitPattern: UInt(number.bitPattern)), 8)
            case .reference(let index): return [0x83] + Self.bigEndian(index, 4)
            case .data(let data): return Self.head(0x40, data.count) + data
            case .string(let text): return Self.head(0x50, text.utf8.count) + text.utf8
            case .array(let elements):
                let positions = elements.flatMap { Self.bigEndian(add($0), 4) }
                return Self.head(0xA0, elements.count) + positions
            case .dictionary(let pairs):
                let keys = pairs.flatMap { Self.bigEndian(add(.string($0.0)), 4) }
                let values = pairs.flatMap { Self.bigEndian(add($0.1), 4) }
                return Self.head(0xD0, pairs.count) + keys + values
            }
        }

        private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
            count < 15 ? [kind | UInt8(count)] : [kind | 0x0F, 0x12] + bigEndian(count, 4)
        }

        private static func bigEndian(_ number: Int, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    }
}

/// Expressions and predicates for archives in tests.
extension ArchiveValue {
    /// `SELF`.
    public static let evaluatedObject = ArchiveValue.object(
        "NSSelfExpression", ["NSExpressionType": 1])

    /// A constant.
    public static func constant(_ value: ArchiveValue) -> ArchiveValue {
        .object("NSConstantValueExpression", ["NSExpressionType": 0, "NSConstantValue": value])
    }

    /// A variable.
    public static func variable(_ name: String) -> ArchiveValue {
        .object("NSVariableExpression", ["NSExpressionType": 2, "NSVariable": .string(name)])
    }

    /// A key path.
    public static func path(_ path: String, of operand: ArchiveValue = evaluatedObject)
        -> ArchiveValue
    {
        .object(
            "NSKeyPathExpression",
            [
                "NSExpressionType": 3, "NSSelectorName": "valueForKeyPath:", "NSOperand": operand,
                "NSArguments": [
                    .object("NSKeyPathSpecifierExpression", ["NSKeyPath": .string(path)])
                ],
            ])
    }

    /// A function of the predicate language, or a method of an operand.
    public static func function(
        _ selector: String, of operand: ArchiveValue? = nil, _ arguments: ArchiveValue...
    ) -> ArchiveValue {
        let utilities = ArchiveValue.object(
            "NSConstantValueExpression", ["NSConstantValueClassName": "_NSPredicateUtilities"])
        return .object(
            "NSFunctionExpression",
            [
                "NSExpressionType": 4, "NSSelectorName": .string(selector),
                "NSOperand": operand ?? utilities, "NSArguments": .array(arguments),
            ])
    }

    /// A comparison by the number of its operator.
    public static func comparison(
        _ left: ArchiveValue, _ operatorType: Int, _ right: ArchiveValue
    ) -> ArchiveValue {
        .object(
            "NSComparisonPredicate",
            [
                "NSLeftExpression": left, "NSRightExpression": right,
                "NSPredicateOperator": .object(
                    "NSPredicateOperator",
                    ["NSOperatorType": .integer(operatorType), "NSModifier": 0]),
            ])
    }
}
