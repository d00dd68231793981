import CoreData

/// Decompresses raw DEFLATE data, as described in [RFC
/// 1951](https://www.rfc-editor.org/rfc/rfc1951): Core Data stores a store's model in that form.
struct Inflate {
    /// The data ends too early or violates the format.
    struct Damage: Error {}

    private let input: [UInt8]
    private var position = 0
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var output: [UInt8] = []

    private init(_ data: Data) { input = [UInt8](data) }

    /// Decompresses data.
    ///
    /// - Parameters:
    ///   - data: The compressed bytes, without a header.
    ///   - limit: The maximum size of the result in bytes.
    /// - Throws: ``Damage``.
    static func unpacked(_ data: Data, limit: Int = 64 << 20) throws -> Data {
        var inflate = Inflate(data)
        var isLast = false
        while !isLast {
            isLast = try inflate.take(1) == 1
            switch try inflate.take(2) {
            case 0: try inflate.copyStored()
            case 1: try inflate.decode(.fixedLiterals, .fixedDistances, limit: limit)
            case 2:
                let (literals, distances) = try inflate.readCodes()
                try inflate.decode(literals, distances, limit: limit)
            default: throw Damage()
            }
            guard inflate.output.count <= limit else { throw Damage() }
        }
        return Data(inflate.output)
    }

    // MARK: - Bits

    private mutating func take(_ count: Int) throws -> Int {
        while bitCount < count {
            guard position < input.count else { throw Damage() }
            bits |= UInt32(input[position]) << UInt32(bitCount)
            position += 1
            bitCount += 8
        }
        let value = bits & ((1 << UInt32(count)) - 1)
        bits >>= UInt32(count)
        bitCount -= count
        return Int(value)
    }

    private mutating func symbol(_ code: Code) throws -> Int {
        var word = 0
        var first = 0
        var index = 0
        for length in 1...15 {
            word |= try take(1)
            let count = code.counts[length]
            if word - count < first { return code.symbols[index + (word - first)] }
            index += count
            first = (first + count) << 1
            word <<= 1
        }
        throw Damage()
    }

    // MARK: - Blocks

    private mutating func copyStored() throws {
        bits = 0
        bitCount = 0
        guard position + 4 <= input.count else { throw Damage() }
        let length = Int(input[position]) | Int(input[position + 1]) << 8
        let complement = Int(input[position + 2]) | Int(input[position + 3]) << 8
        position += 4
        guard length == ~complement & 0xffff, position + length <= input.count else {
            throw Damage()
        }
        output += input[position..<position + length]
        position += length
    }

    private static let codeOrder = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]

    private mutating func readCodes() throws -> (literals: Code, distances: Code) {
        let literalCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        var codeLengths = Array(repeating: 0, count: 19)
        for index in 0..<(try take(4) + 4) { codeLengths[Self.codeOrder[index]] = try take(3) }
        let code = Code(lengths: codeLengths)
        var lengths: [Int] = []
        while lengths.count < literalCount + distanceCount {
            switch try symbol(code) {
            case let length where length < 16: lengths.append(length)
            case 16:
                guard let last = lengths.last else { throw Damage() }
                lengths += Array(repeating: last, count: try take(2) + 3)
            case 17: lengths += Array(repeating: 0, count: try take(3) + 3)
            default: lengths += Array(repeating: 0, count: try take(7) + 11)
            }
        }
        guard lengths.count == literalCount + distanceCount else { throw Damage() }
        return (
            Code(lengths: Array(lengths[..<literalCount])),
            Code(lengths: Array(lengths[literalCount...]))
        )
    }

    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
        131, 163, 195, 227, 258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
        2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
    ]

    private mutating func decode(_ literals: Code, _ distances: Code, limit: Int) throws {
        while true {
            let literal = try symbol(literals)
            if literal < 256 {
                output.append(UInt8(literal))
            } else if literal == 256 {
                return
            } else {
                let lengthIndex = literal - 257
                guard Self.lengthBases.indices.contains(lengthIndex) else { throw Damage() }
                let length =
                    Self.lengthBases[lengthIndex] + (try take(Self.lengthBits[lengthIndex]))
                let distanceIndex = try symbol(distances)
                guard Self.distanceBases.indices.contains(distanceIndex) else { throw Damage() }
                let distance =
                    Self.distanceBases[distanceIndex] + (try take(max(0, distanceIndex / 2 - 1)))
                guard distance <= output.count, output.count + length <= limit else {
                    throw Damage()
                }
                // The copied bytes may overlap the ones being appended.
                for _ in 0..<length { output.append(output[output.count - distance]) }
            }
        }
    }
}

extension Inflate {
    /// A canonical Huffman code: how many symbols each length has, and the symbols in order.
    fileprivate struct Code {
        var counts = Array(repeating: 0, count: 16)
        var symbols: [Int] = []

        init(lengths: [Int]) {
            for length in 1...15 {
                let members = lengths.indices.filter { lengths[$0] == length }
                counts[length] = members.count
                symbols += members
            }
        }

        static let fixedLiterals = Code(
            lengths: Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112)
                + Array(repeating: 7, count: 24) + Array(repeating: 8, count: 8))
        static let fixedDistances = Code(lengths: Array(repeating: 5, count: 30))
    }
}
