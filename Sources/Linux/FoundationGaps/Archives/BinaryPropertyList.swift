/// A value of a binary property list.
///
/// Foundation's reader hides the references (UIDs) of keyed archives in a private class, so
/// archives are read with this one.
package indirect enum PropertyListValue {
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
package enum BinaryPropertyListError: Error {
    case notAPropertyList
    case damaged(offset: Int)
}

/// Reads binary property lists (`bplist00`) from data that comes from an untrusted source.
package struct BinaryPropertyListReader {
    private let bytes: [UInt8]
    private let offsets: [Int]
    private let referenceSize: Int
    /// The containers that are being read, which must not contain themselves.
    private var open: Set<Int> = []
    /// The values that were read: each is read once, however many containers share it.
    private var known: [Known?]
    /// How many bytes the values that were read have. Those of a list that is not damaged do not overlap.
    private var readCount = 0
    /// The maximum nesting depth. Containers in an archive nest only a few levels.
    private static let maximumDepth = 32

    /// A value that was read.
    private struct Known {
        let value: PropertyListValue
        /// How many levels of containers it has.
        let height: Int
        /// How many values it has, each counted as often as it occurs.
        let weight: Int
    }

    /// The top value of a property list.
    package static func read(_ data: Data) throws(BinaryPropertyListError) -> PropertyListValue {
        var (reader, top) = try reader(of: data)
        return try reader.value(top)
    }

    private static func reader(
        of data: Data
    ) throws(BinaryPropertyListError) -> (reader: BinaryPropertyListReader, top: Int) {
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
        let reader = BinaryPropertyListReader(
            bytes: bytes, offsets: offsets, referenceSize: Int(bytes[trailer + 7]))
        return (reader, top)
    }

    private init(bytes: [UInt8], offsets: [Int], referenceSize: Int) {
        self.bytes = bytes
        self.offsets = offsets
        self.referenceSize = referenceSize
        known = Array(repeating: nil, count: offsets.count)
    }

    /// Whether data is a property list whose values, each counted as often as it occurs, are not many more than it has
    /// bytes. Foundation's decoder reads a value again each time it occurs.
    package static func isModest(_ data: Data) -> Bool {
        guard var reader = try? reader(of: data), (try? reader.reader.value(reader.top)) != nil,
            let root = reader.reader.known[reader.top]
        else { return false }
        return root.weight <= 10_000 + data.count
    }

    private mutating func value(
        _ index: Int
    ) throws(BinaryPropertyListError) -> PropertyListValue {
        try entry(index).value
    }

    private mutating func entry(_ index: Int) throws(BinaryPropertyListError) -> Known {
        guard offsets.indices.contains(index), bytes.indices.contains(offsets[index]) else {
            throw .damaged(offset: index)
        }
        if let known = known[index] {
            guard open.count + known.height <= Self.maximumDepth else {
                throw .damaged(offset: index)
            }
            return known
        }
        guard open.count < Self.maximumDepth, open.insert(index).inserted else {
            throw .damaged(offset: index)
        }
        defer { open.remove(index) }
        let value = try contents(at: offsets[index])
        let parts: [Known] = elements(at: offsets[index]).compactMap { known[$0] }
        let entry = Known(
            value: value, height: 1 + (parts.map(\.height).max() ?? 0),
            weight: parts.reduce(1) { min($0 + $1.weight, Int.max / 2) })
        known[index] = entry
        return entry
    }

    /// The values in the container at an offset, which has been read.
    private func elements(at offset: Int) -> [Int] {
        switch bytes[offset] >> 4 {
        case 0xA, 0xB, 0xC: (try? indexes(at: offset, perElement: 1)) ?? []
        case 0xD: (try? indexes(at: offset, perElement: 2)) ?? []
        default: []
        }
    }

    private mutating func contents(
        at offset: Int
    ) throws(BinaryPropertyListError) -> PropertyListValue {
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
            let time = try real(at: offset + 1, size: 8)
            // On Linux, the description of a date that is not a number ends the process.
            guard !time.isNaN else { throw .damaged(offset: offset) }
            return .date(Date(timeIntervalSinceReferenceDate: time))
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

    private mutating func slice(
        at offset: Int, width: Int
    ) throws(BinaryPropertyListError) -> ArraySlice<UInt8> {
        let slice = try payload(at: offset, width: width)
        readCount += slice.count
        guard readCount <= bytes.count else { throw .damaged(offset: offset) }
        return slice
    }

    private func payload(
        at offset: Int, width: Int
    ) throws(BinaryPropertyListError) -> ArraySlice<UInt8> {
        let (count, start) = try count(at: offset)
        guard start <= bytes.count, count <= (bytes.count - start) / width else {
            throw .damaged(offset: offset)
        }
        return bytes[start..<(start + count * width)]
    }

    private mutating func references(
        at offset: Int, perElement: Int
    ) throws(BinaryPropertyListError) -> [Int] {
        _ = try slice(at: offset, width: referenceSize * perElement)
        return try indexes(at: offset, perElement: perElement)
    }

    private func indexes(
        at offset: Int, perElement: Int
    ) throws(BinaryPropertyListError) -> [Int] {
        let bytes = Array(try payload(at: offset, width: referenceSize * perElement))
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
