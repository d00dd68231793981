import FoundationGaps

/// The objects of a keyed archive, read without creating instances of its classes.
final class KeyedArchive {
    private let objects: [PropertyListValue]
    private let top: [String: PropertyListValue]
    /// The objects whose contents are being read.
    private var open: Set<Int> = []
    /// The maximum nesting depth. Values in an archive nest only a few levels.
    private static let maximumDepth = 64
    /// How much may still be read, in references followed and characters of strings. A value that many others contain is
    /// read with each of them.
    private var budget: Int

    /// Whether more was to be read than belongs to an archive of this size. What was read is then incomplete.
    var isExhausted: Bool { budget < 0 }

    /// Reads an archive.
    ///
    /// - Throws: A `BinaryPropertyListError` if the data is no archive.
    init(_ data: Data) throws(BinaryPropertyListError) {
        guard case .dictionary(let archive) = try BinaryPropertyListReader.read(data),
            case .array(let objects)? = archive["$objects"],
            case .dictionary(let top)? = archive["$top"]
        else { throw .notAPropertyList }
        self.objects = objects
        self.top = top
        budget = 200_000 + 16 * data.count
    }

    /// The object that was archived under a key, usually `root`.
    func object(forKey key: String = "root") -> ArchivedObject? {
        top[key].flatMap { object($0) }
    }

    /// The object behind a reference; nil for anything but an object with a class.
    fileprivate func object(_ value: PropertyListValue) -> ArchivedObject? {
        guard case .reference(let index) = value, objects.indices.contains(index),
            case .dictionary(let fields) = objects[index], spend(1)
        else { return nil }
        var className = ""
        if case .reference(let index)? = fields["$class"], objects.indices.contains(index),
            case .dictionary(let description) = objects[index],
            case .string(let name)? = description["$classname"]
        {
            className = name
        }
        return ArchivedObject(archive: self, index: index, className: className, fields: fields)
    }

    /// The plain value behind a reference, or the value itself.
    fileprivate func resolve(_ value: PropertyListValue?) -> PropertyListValue? {
        guard var found = value else { return nil }
        if case .reference(let index) = found {
            guard objects.indices.contains(index) else { return nil }
            found = objects[index]
            if case .string("$null") = found, index == 0 { return nil }
        }
        if case .string(let text) = found { return spend(1 + text.utf8.count) ? found : nil }
        return spend(1) ? found : nil
    }

    private func spend(_ cost: Int) -> Bool {
        budget -= min(cost, max(budget, 0) + 1)
        return !isExhausted
    }

    /// Reads the contents of an object; nil if the object contains itself or nests too deeply.
    fileprivate func reading<Value>(_ index: Int, _ read: () throws -> Value) rethrows -> Value? {
        guard open.count < Self.maximumDepth, open.insert(index).inserted else { return nil }
        defer { open.remove(index) }
        return try read()
    }
}

/// An object of a keyed archive.
struct ArchivedObject {
    fileprivate let archive: KeyedArchive
    /// Identifies the object in the archive.
    let index: Int
    let className: String
    fileprivate let fields: [String: PropertyListValue]

    /// The object under a key.
    func object(_ key: String) -> ArchivedObject? {
        fields[key].flatMap { archive.object($0) }
    }

    /// The string under a key, which may be archived as a value or as an object.
    func string(_ key: String) -> String? {
        fields[key].flatMap(string)
    }

    private func string(_ field: PropertyListValue) -> String? {
        switch archive.resolve(field) {
        case .string(let text)?: text
        case .dictionary?: archive.object(field)?.archivedText
        default: nil
        }
    }

    /// The text of an archived string.
    private var archivedText: String? {
        guard className == "NSString" || className == "NSMutableString",
            case .string(let text)? = archive.resolve(fields["NS.string"])
        else { return nil }
        return text
    }

    /// The integer under a key.
    func integer(_ key: String) -> Int? {
        guard case .integer(let number)? = archive.resolve(fields[key]) else { return nil }
        return Int(number)
    }

    /// The Boolean under a key; false if there is none.
    func boolean(_ key: String) -> Bool {
        switch archive.resolve(fields[key]) {
        case .boolean(let flag)?: flag
        case .integer(let number)?: number != 0
        default: false
        }
    }

    /// The objects of the array or set under a key.
    func objects(_ key: String) -> [ArchivedObject] {
        object(key)?.elements.compactMap { archive.object($0) } ?? []
    }

    /// The values of the array or set under a key, as Foundation's types.
    func values(_ key: String) -> [Any] {
        object(key)?.elements.compactMap { value($0) } ?? []
    }

    /// The hashable values of the array or set under a key.
    func hashableValues(_ key: String) -> [AnyHashable] {
        object(key)?.elements.compactMap { hashable($0) } ?? []
    }

    /// The objects of the dictionary under a key, in the order of the archive.
    func entries(_ key: String) -> [(key: String, object: ArchivedObject)] {
        object(key)?.pairs.compactMap { pair in
            guard let name = string(pair.key), let object = archive.object(pair.value)
            else { return nil }
            return (name, object)
        } ?? []
    }

    /// The dictionary under a key, as Foundation's types; nil if there is none or it is empty.
    func dictionary(_ key: String) -> [AnyHashable: Any]? {
        object(key)?.dictionary
    }

    /// The object as a dictionary of Foundation's types; nil if it is not a dictionary, or empty.
    var dictionary: [AnyHashable: Any]? {
        let pairs = pairs
        guard !pairs.isEmpty else { return nil }
        var result: [AnyHashable: Any] = [:]
        for pair in pairs {
            guard let key = hashable(pair.key) else { continue }
            result[key] = value(pair.value)
        }
        return result
    }

    /// The value under a key, as Foundation's types.
    func value(_ key: String) -> Any? {
        fields[key].flatMap { value($0) }
    }

    /// Reads the contents of the object, which may lead back to it: archives may contain cycles.
    ///
    /// - Returns: The result of `read`; nil if the object contains itself or nests too deeply.
    func reading<Value>(_ read: () throws -> Value) rethrows -> Value? {
        try archive.reading(index, read)
    }

    // MARK: - Foundation's classes

    private var elements: [PropertyListValue] {
        guard case .array(let elements)? = fields["NS.objects"] else { return [] }
        return elements
    }

    private var pairs: [(key: PropertyListValue, value: PropertyListValue)] {
        // Core Data's dictionaries with a fixed set of keys store the keys in a separate object.
        if className == "NSKnownKeysDictionary1" {
            let keys = object("searchMapping")?.object("keys")?.elements ?? []
            let values = object("values")?.elements ?? []
            return Array(zip(keys, values).map { (key: $0, value: $1) })
        }
        guard case .array(let keys)? = fields["NS.keys"] else { return [] }
        return Array(zip(keys, elements).map { (key: $0, value: $1) })
    }

    private func value(_ field: PropertyListValue) -> Any? {
        switch archive.resolve(field) {
        case .string(let text)?: text
        case .integer(let number)?: NSNumber(value: number)
        case .real(let number)?: NSNumber(value: number)
        case .boolean(let flag)?: NSNumber(value: flag)
        case .date(let date)?: date
        case .data(let data)?: data
        case .dictionary?: archive.object(field)?.foundationValue
        default: nil
        }
    }

    private func hashable(_ field: PropertyListValue) -> AnyHashable? {
        // On Linux, Foundation's hash of a decimal number recurses infinitely.
        let value = value(field)
        return value is NSDecimalNumber ? nil : value as? AnyHashable
    }

    private var foundationValue: Any? {
        switch className {
        case "NSString", "NSMutableString": return archivedText
        case "NSDate":
            guard case .real(let time)? = fields["NS.time"] else { return nil }
            return Date(timeIntervalSinceReferenceDate: time)
        case "NSData", "NSMutableData": return value("NS.data")
        case "NSUUID":
            guard case .data(let data)? = fields["NS.uuidbytes"], data.count == 16 else {
                return nil
            }
            return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        case "NSURL":
            return string("NS.relative").flatMap {
                URL(string: $0, relativeTo: reading { value("NS.base") } as? URL)
            }
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return decimal
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
            return reading { elements.compactMap { value($0) } }
        default: return nil
        }
    }

    private var decimal: NSDecimalNumber? {
        guard case .data(let data)? = archive.resolve(fields["NS.mantissa"]) else { return nil }
        return Decimal(
            archivedMantissa: data, length: integer("NS.length") ?? 0,
            exponent: integer("NS.exponent") ?? 0,
            isBigEndian: integer("NS.mantissa.bo") == 2, isNegative: boolean("NS.negative")
        ).map { NSDecimalNumber(decimal: $0) }
    }
}

extension ArchivedObject {
    /// The strings among the elements of an archived array.
    var elementStrings: [String] {
        elements.compactMap { value($0) as? String }
    }

    /// The entities of an archived configuration, which is an array or a set.
    var configurationMembers: [ArchivedObject] {
        elements.compactMap { archive.object($0) }
    }
}
