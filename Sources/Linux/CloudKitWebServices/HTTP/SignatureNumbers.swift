import Foundation

/// The two numbers of an ECDSA signature on P-256, in the form that tells whether a signature was seen before.
///
/// Whoever sees a signature can make a second one of it for the same message, with `n - s` in place of `s`, where
/// `n` is the order of the curve. Here the smaller one stands for both. It also does not matter how the DER
/// form writes the numbers.
struct SignatureNumbers: Hashable {
    let r: [UInt8]
    let s: [UInt8]

    private static let size = 32
    private static let order: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff,
        0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25,
        0x51,
    ]

    /// Reads a signature in its DER form: a sequence of two numbers.
    ///
    /// - Returns: nil for anything else.
    init?(der: Data) {
        var rest = [UInt8](der)[...]
        guard rest.popFirst() == 0x30, let length = rest.popFirst(), Int(length) == rest.count,
            let r = Self.number(from: &rest), let s = Self.number(from: &rest), rest.isEmpty,
            let other = Self.difference(Self.order, s)
        else { return nil }
        self.r = r
        self.s = other.lexicographicallyPrecedes(s) ? other : s
    }

    /// Reads a number that is not negative, as 32 bytes.
    private static func number(from bytes: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.popFirst() == 0x02, let length = bytes.popFirst(), length > 0, length < 0x80,
            Int(length) <= bytes.count, let first = bytes.first, first < 0x80
        else { return nil }
        let digits = bytes.prefix(Int(length)).drop { $0 == 0 }
        bytes.removeFirst(Int(length))
        guard digits.count <= size else { return nil }
        return Array(repeating: 0, count: size - digits.count) + digits
    }

    /// A number without another one; nil if that is the larger one.
    private static func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8]? {
        var result = left
        var borrow = 0
        for index in left.indices.reversed() {
            let value = Int(left[index]) - Int(right[index]) - borrow
            borrow = value < 0 ? 1 : 0
            result[index] = UInt8(value + 256 * borrow)
        }
        return borrow == 0 ? result : nil
    }
}
