/// Decodes a keyed archive from any source.
///
/// Linux-only. Foundation's unarchiver ends the process for an object of another class than expected, for a missing
/// element and for a cycle. This one returns nil, and has an error then. It makes the objects of property lists itself;
/// only a class of the app reads its own contents.
public final class _ArchiveDecoder: NSCoder {
    private let objects: [PropertyListValue]
    /// The fields of the objects that are being decoded; at first those of the archive's top.
    private var containers: [[String: PropertyListValue]]
    /// The classes that are allowed at present; the last one counts.
    private var allowed: [ClassList]
    private var known: [Key: Known] = [:]
    /// The objects that are being decoded, which must not contain themselves.
    private var open: Set<Int> = []
    /// How many objects the one that is being decoded has so far, each counted as often as it occurs.
    private var weight = 0
    private let isSecure: Bool
    private var failure: (any Error)?

    /// Values nest a few levels.
    private static let maximumDepth = 100
    /// What is compared, copied, or archived again takes as long as each object occurs.
    private static let maximumWeight = 200_000

    /// An object, and the classes that it was decoded with.
    private struct Key: Hashable {
        let index: Int
        let classes: Set<ObjectIdentifier>?
    }

    private struct Known {
        let object: NSObject
        let weight: Int
    }

    /// Classes that are allowed; all if there is no list.
    private struct ClassList {
        let classes: [AnyClass]?
        let identifiers: Set<ObjectIdentifier>?

        init(_ classes: [AnyClass]?) {
            self.classes = classes
            identifiers = classes.map { Set($0.map { ObjectIdentifier($0) }) }
        }

        func contains(_ type: AnyClass) -> Bool {
            guard let identifiers else { return true }
            var type: AnyClass? = type
            while let current = type {
                if identifiers.contains(ObjectIdentifier(current)) { return true }
                type = _getSuperclass(current)
            }
            return false
        }
    }

    /// Reads an archive.
    ///
    /// - Parameters:
    ///   - data: The archive.
    ///   - isSecure: Whether all classes must support secure coding.
    /// - Throws: `coderReadCorrupt` if the data is not an archive.
    public init(_ data: Data, isSecure: Bool = true) throws {
        guard case .dictionary(let archive)? = try? BinaryPropertyListReader.read(data),
            case .array(let objects)? = archive["$objects"],
            case .dictionary(let top)? = archive["$top"]
        else { throw CocoaError(.coderReadCorrupt) }
        self.objects = objects
        self.isSecure = isSecure
        containers = [top]
        allowed = [ClassList(isSecure ? [] : nil)]
        super.init()
    }

    /// The root of an archive.
    ///
    /// - Parameters:
    ///   - classes: The classes that it, and the contents of collections, may have; nil for any.
    ///   - data: The archive.
    /// - Returns: nil if the data is not an archive, or not one of such an object.
    public static func root(of classes: [AnyClass]?, in data: Data) -> NSObject? {
        guard let decoder = try? _ArchiveDecoder(data, isSecure: classes != nil) else { return nil }
        let root = decoder.object(forKey: NSKeyedArchiveRootObjectKey, of: ClassList(classes))
        return decoder.failure == nil ? root : nil
    }

    // MARK: - NSCoder

    public override var allowsKeyedCoding: Bool { true }
    public override var requiresSecureCoding: Bool { isSecure }
    public override var allowedClasses: [AnyClass]? { allowed.last?.classes }
    public override var error: (any Error)? { failure }

    public override func failWithError(_ error: any Error) {
        failure = failure ?? error
    }

    public override func containsValue(forKey key: String) -> Bool { field(key) != nil }

    public override func decodeObject(forKey key: String) -> Any? {
        object(forKey: key, of: allowed.last ?? ClassList([]))
    }

    public override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        object(forKey: key, of: ClassList(classes ?? (isSecure ? [] : nil)))
    }

    public override func decodeObject<Wanted: NSObject & NSCoding>(
        of type: Wanted.Type, forKey key: String
    ) -> Wanted? {
        object(forKey: key, of: ClassList([type])) as? Wanted
    }

    public override func decodePropertyList(forKey key: String) -> Any? {
        object(forKey: key, of: ClassList(ArchivedClass.propertyLists))
    }

    public override func decodeBool(forKey key: String) -> Bool { number(key)?.boolValue ?? false }
    public override func decodeCInt(forKey key: String) -> Int32 { decodeInt32(forKey: key) }
    public override func decodeInt32(forKey key: String) -> Int32 {
        Int32(truncatingIfNeeded: decodeInt64(forKey: key))
    }
    public override func decodeInt64(forKey key: String) -> Int64 { number(key)?.int64Value ?? 0 }
    public override func decodeInteger(forKey key: String) -> Int {
        Int(truncatingIfNeeded: decodeInt64(forKey: key))
    }
    public override func decodeFloat(forKey key: String) -> Float { number(key)?.floatValue ?? 0 }
    public override func decodeDouble(forKey key: String) -> Double {
        number(key)?.doubleValue ?? 0
    }

    public override func withDecodedUnsafeBytes<Result>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        guard case .data(let data)? = field(key).flatMap(resolved) else { return try body(nil) }
        return try data.withUnsafeBytes { try body($0) }
    }

    // Values without a key are of archives that no keyed archiver has written.

    public override func decodeObject() -> Any? {
        fail()
        return nil
    }

    public override func decodeData() -> Data? {
        fail()
        return nil
    }

    public override func decodePropertyList() -> Any? {
        fail()
        return nil
    }

    public override func decodeValue(
        ofObjCType type: UnsafePointer<Int8>, at data: UnsafeMutableRawPointer
    ) {
        fail()
    }

    private func fail() { failWithError(CocoaError(.coderReadCorrupt)) }

    // MARK: - Values

    /// An archiver adds a `$` to the keys that begin with one.
    private func field(_ key: String) -> PropertyListValue? {
        containers.last?[key.hasPrefix("$") ? "$" + key : key]
    }

    /// What is behind a reference; the value itself if it is none.
    private func resolved(_ value: PropertyListValue) -> PropertyListValue? {
        guard case .reference(let index) = value else { return value }
        return objects.indices.contains(index) ? objects[index] : nil
    }

    private func number(_ key: String) -> NSNumber? {
        switch field(key) {
        case .integer(let number)?: NSNumber(value: number)
        case .real(let number)?: NSNumber(value: number)
        case .boolean(let flag)?: NSNumber(value: flag)
        default: nil
        }
    }

    private func object(forKey key: String, of classes: ClassList) -> NSObject? {
        guard failure == nil, let field = field(key) else { return nil }
        allowed.append(classes)
        defer { allowed.removeLast() }
        return object(field)
    }

    /// The object behind a reference; nil for a null, and after a failure.
    private func object(_ value: PropertyListValue) -> NSObject? {
        guard failure == nil else { return nil }
        guard case .reference(let index) = value, objects.indices.contains(index) else {
            fail()
            return nil
        }
        if case .string("$null") = objects[index] { return nil }
        let key = Key(index: index, classes: allowed.last?.identifiers)
        if let known = known[key] { return counted(known) }
        guard open.count < Self.maximumDepth, open.insert(index).inserted else {
            fail()
            return nil
        }
        let before = weight
        weight = 1
        let object = newObject(objects[index])
        let known = object.map { Known(object: $0, weight: weight) }
        weight = before
        open.remove(index)
        guard failure == nil, let known else {
            fail()
            return nil
        }
        self.known[key] = known
        return counted(known)
    }

    private func counted(_ known: Known) -> NSObject? {
        weight += known.weight
        if weight > Self.maximumWeight { fail() }
        return failure == nil ? known.object : nil
    }

    private func newObject(_ value: PropertyListValue) -> NSObject? {
        let plain: NSObject?
        switch value {
        case .string(let text): plain = NSString(string: text)
        case .integer(let number): plain = NSNumber(value: number)
        case .real(let number): plain = NSNumber(value: number)
        case .boolean(let flag): plain = NSNumber(value: flag)
        case .date(let date): plain = NSDate(timeInterval: 0, since: date)
        case .data(let data): plain = NSData(data: data)
        case .dictionary(let fields): return instance(fields)
        case .null, .reference, .array: return nil
        }
        return plain.flatMap { isAllowed($0) ? $0 : nil }
    }

    private func isAllowed(_ object: NSObject) -> Bool {
        guard let list = allowed.last else { return false }
        let type: AnyClass =
            switch object {
            case is NSDecimalNumber: NSDecimalNumber.self
            case is NSNumber: NSNumber.self
            case is NSString: NSString.self
            default: Swift.type(of: object)
            }
        return list.contains(type)
    }

    // MARK: - Objects

    private func instance(_ fields: [String: PropertyListValue]) -> NSObject? {
        guard case .dictionary(let description)? = fields["$class"].flatMap(resolved),
            case .string(let name)? = description["$classname"]
        else { return nil }
        containers.append(fields)
        defer { containers.removeLast() }
        if let archived = ArchivedClass(rawValue: name) {
            // The class is checked before anything in it is decoded.
            guard allowed.last?.contains(archived.type) == true else { return nil }
            return propertyList(archived)
        }
        guard let type = type(named: name), allowed.last?.contains(type) == true,
            let coding = type as? any (NSObject & NSCoding).Type
        else { return nil }
        if isSecure {
            guard let secure = type as? any NSSecureCoding.Type, secure.supportsSecureCoding else {
                return nil
            }
        }
        return coding.init(coder: self)
    }

    /// The class with a name: one that was registered for it, or that is allowed, or any.
    private func type(named name: String) -> AnyClass? {
        if let registered = NSKeyedUnarchiver.class(forClassName: name) { return registered }
        if let own = allowed.last?.classes?.first(where: { NSStringFromClass($0) == name }) {
            return own
        }
        let isName = name.utf8.allSatisfy {
            $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") || $0 >= 0x80
                || ("0"..."9").contains(Character(UnicodeScalar($0)))
                || ("a"..."z").contains(Character(UnicodeScalar($0 | 0x20)))
        }
        return isName ? NSClassFromString(name) : nil
    }

    private func propertyList(_ archived: ArchivedClass) -> NSObject? {
        switch archived {
        case .string: return text("NS.string").map { NSString(string: $0) }
        case .mutableString: return text("NS.string").map { NSMutableString(string: $0) }
        case .data: return bytes("NS.data").map { NSData(data: $0) }
        case .mutableData: return bytes("NS.data").map { NSMutableData(data: $0) }
        case .date:
            guard case .real(let time)? = field("NS.time"), !time.isNaN else { return nil }
            return NSDate(timeIntervalSinceReferenceDate: time)
        case .uuid:
            guard let data = bytes("NS.uuidbytes"), data.count == 16 else { return nil }
            return NSUUID(uuidBytes: [UInt8](data))
        case .url: return url()
        case .decimal, .decimalPlaceholder: return decimal()
        case .null: return NSNull()
        case .array: return members("NS.objects").map { NSArray(array: $0) }
        case .mutableArray: return members("NS.objects").map { NSMutableArray(array: $0) }
        case .set: return unique("NS.objects").map { NSSet(array: $0) }
        case .mutableSet: return unique("NS.objects").map { NSMutableSet(array: $0) }
        case .orderedSet: return orderedMembers().map { NSOrderedSet(array: $0) }
        case .mutableOrderedSet: return orderedMembers().map { NSMutableOrderedSet(array: $0) }
        case .dictionary:
            return entries().map { NSDictionary(objects: $0.values, forKeys: $0.keys) }
        case .mutableDictionary:
            return entries().map { NSMutableDictionary(objects: $0.values, forKeys: $0.keys) }
        }
    }

    private func text(_ key: String) -> String? {
        guard case .string(let text)? = field(key).flatMap(resolved) else { return nil }
        return text
    }

    private func bytes(_ key: String) -> Data? {
        guard case .data(let data)? = field(key).flatMap(resolved) else { return nil }
        return data
    }

    /// An address that Swift's `URL` can have: Foundation ends the process for any other when a collection with it is used.
    private func url() -> NSURL? {
        guard let text = text("NS.relative") else { return nil }
        var base: URL?
        if let field = field("NS.base") {
            allowed.append(ClassList([NSURL.self]))
            defer { allowed.removeLast() }
            base = (object(field) as? NSURL).flatMap { URL(string: $0.absoluteString) }
        }
        guard failure == nil else { return nil }
        return URL(string: text, relativeTo: base)?._bridgeToObjectiveC()
    }

    private func decimal() -> NSDecimalNumber? {
        guard let mantissa = bytes("NS.mantissa") else { return nil }
        return Decimal(
            archivedMantissa: mantissa, length: decodeInteger(forKey: "NS.length"),
            exponent: decodeInteger(forKey: "NS.exponent"),
            isBigEndian: decodeInteger(forKey: "NS.mantissa.bo") == 2,
            isNegative: decodeBool(forKey: "NS.negative")
        ).map { NSDecimalNumber(decimal: $0) }
    }

    // MARK: - Collections

    private func members(_ key: String) -> [NSObject]? {
        guard case .array(let references)? = field(key) else { return nil }
        return members(references)
    }

    private func members(_ references: [PropertyListValue]) -> [NSObject]? {
        var members: [NSObject] = []
        members.reserveCapacity(references.count)
        for reference in references {
            guard let member = object(reference) else { return nil }
            members.append(member)
        }
        return members
    }

    /// The members of a set, or the keys of a dictionary.
    private func unique(_ key: String) -> [NSObject]? {
        members(key).flatMap { isHashable($0) ? $0 : nil }
    }

    /// Whether objects can be the members of a set. Foundation's hash of a decimal number recurses infinitely, and that of
    /// a collection is its count, so that each is compared with each.
    private func isHashable(_ objects: [NSObject]) -> Bool {
        if objects.contains(where: { $0 is NSDecimalNumber }) { return false }
        let count = objects.count {
            $0 is NSArray || $0 is NSSet || $0 is NSDictionary || $0 is NSOrderedSet
        }
        weight += min(count, Self.maximumWeight) * min(count, Self.maximumWeight)
        return weight <= Self.maximumWeight
    }

    private func orderedMembers() -> [NSObject]? {
        if containsValue(forKey: "NS.objects") { return unique("NS.objects") }
        var references: [PropertyListValue] = []
        while let field = field("NS.object.\(references.count)") { references.append(field) }
        return members(references).flatMap { isHashable($0) ? $0 : nil }
    }

    private func entries() -> (keys: [NSObject], values: [NSObject])? {
        guard let keys = unique("NS.keys"), let values = members("NS.objects"),
            keys.count == values.count
        else { return nil }
        return (keys, values)
    }
}
