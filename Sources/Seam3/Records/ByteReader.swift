import CoreData

extension [UInt8] {
    /// Appends a number, the lowest byte first.
    mutating func append<Number: FixedWidthInteger>(number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends a number in as few bytes as it needs, seven bits each, the lowest first.
    mutating func append(variable number: UInt64) {
        var number = number
        while number >= 0x80 {
            append(UInt8(truncatingIfNeeded: number) | 0x80)
            number >>= 7
        }
        append(UInt8(number))
    }
}

/// Reads numbers from bytes that may be damaged.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }
    /// The bytes that have not been read.
    var rest: Slice<UnsafeRawBufferPointer> { bytes[place...] }

    mutating func byte() -> UInt8? {
        guard !isAtEnd else { return nil }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func number<Number: FixedWidthInteger>() -> Number? {
        let size = MemoryLayout<Number>.size
        guard bytes.count - place >= size else { return nil }
        defer { place += size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
    }

    /// A number of 63 bits at most, in as few bytes as it needs.
    mutating func variable() -> UInt64? {
        var result: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard let byte = byte() else { return nil }
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return byte == 0 && shift > 0 ? nil : result }
        }
        return nil
    }

    mutating func version() -> UInt64? {
        variable().flatMap { (1...EditStamps.lastVersion).contains($0) ? $0 : nil }
    }
}
