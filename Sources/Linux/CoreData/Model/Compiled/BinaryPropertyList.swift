import FoundationGaps

/// A value of a binary property list.
///
/// Foundation's reader hides the references (UIDs) of keyed archives in a private class, so
/// archives are read with this one.
indirect enum PropertyListValue {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case date(Date)
    case data(Data)
    case string(String)
    case reference(Int)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])
}

/// Why data is not a binary property list.
enum BinaryPropertyListError: Error {
    case notAPropertyList
    case damaged(offset: Int)
}

/// Reads binary property lists (`bplist00`) from data that comes from an untrusted source.
struct BinaryPropertyListReader {
    private let bytes: [UInt8]
    private let offsets: [Int]
    private let referenceSize: Int
    /// The containers that are being read, which must not contain themselves.
    private var open: Set<Int> = []
    /// The maximum nesting depth. Containers in an archive nest only a few levels.
    private static let maximumDepth = 32

    /// The top value of a property list.
    static func read(_ data: Data) throws(BinaryPropertyListError) -> PropertyListValue {
        let bytes = Array(data)
        guard bytes.starts(with: "bplist0".utf8), bytes.count >= 40 else {
            throw .notAPropertyList
        }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        let count = try number(bytes, at: trailer + 8, size: 8)
        let top = try number(bytes, at: trailer + 16, size: 8)
        let table = try number(bytes, at: trailer + 24, size: 8)
        guard (1...8).contains(offsetSize), (1...8).contains(Int(bytes[trailer + 7])),
            top < count, table < trailer, count <= (trailer - table) / offsetSize
        else { throw .damaged(offset: trailer) }
        var offsets: [Int] = []
        offsets.reserveCapacity(count)
        for i in 0..<count {
            offsets.append(try number(bytes, at: table + i * offsetSize, size: offsetSize))
        }
        var reader = BinaryPropertyListReader(
            bytes: bytes, offsets: offsets, referenceSize: Int(bytes[trailer + 7]))
        return try reader.value(top)
    }

    private init(bytes: [UInt8], offsets: [Int], referenceSize: Int) {
        self.bytes = bytes
        self.offsets = offsets
        self.referenceSize = referenceSize
    }

    private mutating func value(
        _ index: Int
    ) throws(BinaryPropertyListError) -> PropertyListValue {
        guard offsets.indices.contains(index), bytes.indices.contains(offsets[index]),
            open.count < Self.maximumDepth, open.insert(index).inserted
        else { throw .damaged(offset: index) }
        defer { open.remove(index) }
        let offset = offsets[index]
        let low = Int(bytes[offset] & 0x0F)
        switch bytes[offset] >> 4 {
        case 0x0:
            switch low {
            case 8: return .boolean(false)
            case 9: return .boolean(true)
            default: return .null
            }
        case 0x1: return .integer(try integer(at: offset + 1, size: 1 << low))
        case 0x2: return .real(try real(at: offset + 1, size: 1 << low))
        case 0x3:
            return .date(
                Date(timeIntervalSinceReferenceDate: try real(at: offset + 1, size: 8)))
        case 0x4: return .data(Data(try slice(at: offset, width: 1)))
        case 0x5: return .string(String(decoding: try slice(at: offset, width: 1), as: UTF8.self))
        case 0x6:
            let units = try slice(at: offset, width: 2)
            let pairs = stride(from: units.startIndex, to: units.endIndex, by: 2).map {
                UInt16(units[$0]) << 8 | UInt16(units[$0 + 1])
            }
            return .string(String(decoding: pairs, as: UTF16.self))
        case 0x8:
            return .reference(try Self.number(bytes, at: offset + 1, size: low + 1))
        case 0xA, 0xB, 0xC:
            var elements: [PropertyListValue] = []
            for reference in try references(at: offset, perElement: 1) {
                elements.append(try value(reference))
            }
            return .array(elements)
        case 0xD:
            return try dictionary(at: offset)
        default:
            throw .damaged(offset: offset)
        }
    }

    private mutating func dictionary(
        at offset: Int
    ) throws(BinaryPropertyListError) -> PropertyListValue {
        let all = try references(at: offset, perElement: 2)
        var entries: [String: PropertyListValue] = [:]
        for (key, element) in zip(all.prefix(all.count / 2), all.suffix(all.count / 2)) {
            guard case .string(let name) = try value(key) else {
                throw .damaged(offset: offset)
            }
            entries[name] = try value(element)
        }
        return .dictionary(entries)
    }

    // MARK: - Numbers and lengths

    /// The number of elements of the value at an offset, and the offset of the first.
    private func count(
        at offset: Int
    ) throws(BinaryPropertyListError) -> (count: Int, start: Int) {
        let low = Int(bytes[offset] & 0x0F)
        guard low == 0x0F else { return (low, offset + 1) }
        guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 1 else {
            throw .damaged(offset: offset)
        }
        let size = 1 << Int(bytes[offset + 1] & 0x0F)
        return (try Self.number(bytes, at: offset + 2, size: size), offset + 2 + size)
    }

    private func slice(
        at offset: Int, width: Int
    ) throws(BinaryPropertyListError) -> ArraySlice<UInt8> {
        let (count, start) = try count(at: offset)
        guard start <= bytes.count, count <= (bytes.count - start) / width else {
            throw .damaged(offset: offset)
        }
        return bytes[start..<(start + count * width)]
    }

    private func references(
        at offset: Int, perElement: Int
    ) throws(BinaryPropertyListError) -> [Int] {
        let bytes = Array(try slice(at: offset, width: referenceSize * perElement))
        var references: [Int] = []
        for start in stride(from: 0, to: bytes.count, by: referenceSize) {
            references.append(try Self.number(bytes, at: start, size: referenceSize))
        }
        return references
    }

    /// An unsigned number that fits an `Int`.
    private static func number(
        _ bytes: [UInt8], at offset: Int, size: Int
    ) throws(BinaryPropertyListError) -> Int {
        guard size <= 8, offset >= 0, offset <= bytes.count - size else {
            throw .damaged(offset: offset)
        }
        let value = bytes[offset..<(offset + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: value) else { throw .damaged(offset: offset) }
        return number
    }

    /// A signed number; of those with 16 bytes, the lower half is used.
    private func integer(at offset: Int, size: Int) throws(BinaryPropertyListError) -> Int64 {
        let start = size == 16 ? offset + 8 : offset
        let size = min(size, 8)
        guard start <= bytes.count - size else { throw .damaged(offset: offset) }
        let value = bytes[start..<(start + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(bitPattern: value)
    }

    private func real(at offset: Int, size: Int) throws(BinaryPropertyListError) -> Double {
        let bits = UInt64(bitPattern: try integer(at: offset, size: size))
        return size == 4
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            : Double(bitPattern: bits)
    }
}
