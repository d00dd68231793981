import CoreData

/// The values of some properties of an object, by name, in the form of the store's columns. The
/// value of a to-one relationship is the record name of its destination.
///
/// Rows, records and base values share this form.
struct PropertyValues: Equatable {
    var values: [String: SQLiteValue]
    /// The properties that were unknown when they were added; see ``isUnknown(_:)``.
    private var unknown: Set<String> = []

    init(_ values: [String: SQLiteValue] = [:]) {
        self.values = values
    }

    /// The names of the properties.
    var keys: Set<String> { Set(values.keys) }

    /// The value of a property; NULL if there is none.
    subscript(name: String) -> SQLiteValue {
        get { values[name] ?? .null }
        set {
            values[name] = newValue
            unknown.remove(name)
        }
    }

    /// Whether the value of a property is unknown: the base value of a change that was made before the file was
    /// adopted. It reads as NULL.
    func isUnknown(_ name: String) -> Bool { unknown.contains(name) && values[name] == .null }

    /// The properties whose values are unknown.
    var unknownNames: Set<String> { unknown.filter(isUnknown) }

    /// Adds properties without values yet, whose values are unknown.
    mutating func addUnknown(_ names: some Sequence<String>) {
        for name in names where values[name] == nil {
            values[name] = .null
            unknown.insert(name)
        }
    }

    /// These values, with the unknown ones taken from others.
    func knowing(_ other: PropertyValues) -> PropertyValues {
        var known = self
        for name in unknownNames { known[name] = other[name] }
        known.unknown = []
        return known
    }

    /// The values of some of the properties, with other names. Those that are converted to nil are left out.
    func renamed(
        _ names: [String: String],
        _ convert: (_ name: String, _ new: String, SQLiteValue) -> SQLiteValue?
    ) -> PropertyValues {
        var renamed = PropertyValues()
        for (name, value) in values {
            guard let new = names[name] else { continue }
            if isUnknown(name) {
                renamed.addUnknown([new])
            } else if let value = convert(name, new, value) {
                renamed[new] = value
            }
        }
        return renamed
    }

    /// The approximate size of the values in a record, in bytes.
    var byteCount: Int {
        values.reduce(0) { total, entry in
            switch entry.value {
            case .text(let text): return total + entry.key.utf8.count + text.utf8.count
            case .blob(let data): return total + entry.key.utf8.count + data.count
            default: return total + entry.key.utf8.count + 8
            }
        }
    }

    /// Adds the values of properties that have none yet: the oldest value counts.
    mutating func add(_ other: PropertyValues) {
        if !other.unknown.isEmpty { addUnknown(other.unknownNames) }
        values.merge(other.values) { first, _ in first }
    }

    /// These values, and those of other properties.
    func adding(_ other: PropertyValues) -> PropertyValues {
        var sum = self
        sum.add(other)
        return sum
    }

    /// These values without NULL.
    var present: PropertyValues { PropertyValues(values.filter { !$0.value.isNull }) }

    /// Those of some properties, as far as there are any.
    func limited(to names: Set<String>) -> PropertyValues {
        if names.isEmpty { return PropertyValues() }
        var limited = PropertyValues(values.filter { names.contains($0.key) })
        limited.unknown = unknownNames.intersection(names)
        return limited
    }

    // MARK: - Coding

    /// For each name and value in turn: one byte for the kind, a length, and the bytes.
    var encoded: Data {
        var encoder = Encoder()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            if isUnknown(name) { encoder.appendUnknown(name) } else { encoder.append(name, value) }
        }
        return encoder.data
    }

    /// Writes names and values, each name once.
    struct Encoder {
        private var bytes: [UInt8] = []

        var data: Data { Data(bytes) }

        init() { bytes.reserveCapacity(256) }

        mutating func append(_ name: String, _ value: SQLiteValue) {
            append(name, kind: 3)
            switch value {
            case .null: append(EmptyCollection(), kind: 0)
            case .integer(let number): append(UInt64(bitPattern: number), kind: 1)
            case .real(let number): append(number.bitPattern, kind: 2)
            case .text(let text): append(text, kind: 3)
            case .blob(let data): data.withUnsafeBytes { append($0, kind: 4) }
            }
        }

        mutating func appendUnknown(_ name: String) {
            append(name, kind: 3)
            append(EmptyCollection(), kind: Reader.unknown)
        }

        private mutating func append(_ content: some Collection<UInt8>, kind: UInt8) {
            appendHead(kind: kind, count: content.count)
            bytes.append(contentsOf: content)
        }

        private mutating func append(_ text: String, kind: UInt8) {
            var text = text
            text.withUTF8 { append(UnsafeRawBufferPointer($0), kind: kind) }
        }

        private mutating func append(_ number: UInt64, kind: UInt8) {
            appendHead(kind: kind, count: 8)
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }

        private mutating func appendHead(kind: UInt8, count: Int) {
            bytes.append(kind)
            withUnsafeBytes(of: UInt32(count).littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// Reads what ``encoded`` wrote, up to the first damaged bytes.
    init(encoded data: Data) {
        values = [:]
        var reader = Reader(bytes: [UInt8](data))
        while let (name, value, isUnknown) = reader.nextEntry() {
            values[name] = value
            if isUnknown { unknown.insert(name) }
        }
    }

    /// What a column of the file has: the encoding; NULL if there are no values.
    var stored: SQLiteValue { values.isEmpty ? .null : .blob(encoded) }

    /// Reads what ``stored`` wrote.
    init(stored value: SQLiteValue) {
        self = value.blob.map(PropertyValues.init(encoded:)) ?? PropertyValues()
    }

    /// Whether the bytes are an intact encoding of at least one property.
    static func isWhole(_ data: Data) -> Bool {
        var reader = Reader(bytes: [UInt8](data))
        while reader.nextEntry() != nil {}
        return !data.isEmpty && reader.isAtEnd
    }

    /// Reads what an ``Encoder`` wrote.
    struct Reader {
        /// The kind of a value that is not known.
        fileprivate static let unknown: UInt8 = 5

        private let bytes: [UInt8]
        private var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// Whether all bytes were read.
        var isAtEnd: Bool { position == bytes.count }

        /// The next name, its value, and whether that is unknown; nil at the end, or before damaged bytes.
        mutating func nextEntry() -> (name: String, value: SQLiteValue, isUnknown: Bool)? {
            guard case .text(let name)? = next() else { return nil }
            let isUnknown = kind == Self.unknown
            return next().map { (name, $0, isUnknown) }
        }

        /// The kind of the next value; nil at the end.
        private var kind: UInt8? { position < bytes.count ? bytes[position] : nil }

        private mutating func next() -> SQLiteValue? {
            guard position + 5 <= bytes.count else { return nil }
            let kind = bytes[position]
            let count = Int(clamping: number(at: position + 1, size: 4))
            let start = position + 5
            guard count <= bytes.count - start else { return nil }
            position = start + count
            switch kind {
            case 0, Self.unknown: return .null
            case 1 where count == 8: return .integer(Int64(bitPattern: number(at: start, size: 8)))
            case 2 where count == 8: return .real(Double(bitPattern: number(at: start, size: 8)))
            case 3: return .text(String(decoding: bytes[start..<position], as: UTF8.self))
            case 4: return .blob(Data(bytes[start..<position]))
            default: return nil
            }
        }

        private func number(at start: Int, size: Int) -> UInt64 {
            bytes[start..<start + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
