import Foundation
import Testing

@testable import CloudKitWebServices

/// What makes two signatures the same.
@Suite("Signatures")
struct SignatureTests {
    private static let order = bytes(
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        stride(from: 0, to: hexadecimal.count, by: 2).compactMap { offset in
            let start = hexadecimal.index(hexadecimal.startIndex, offsetBy: offset)
            return UInt8(hexadecimal[start...].prefix(2), radix: 16)
        }
    }

    private static func number(_ digits: [UInt8]) -> [UInt8] {
        [0x02, UInt8(digits.count)] + digits
    }

    private static func numbers(_ r: [UInt8], _ s: [UInt8]) -> SignatureNumbers? {
        let content = number(r) + number(s)
        return SignatureNumbers(der: Data([0x30, UInt8(content.count)] + content))
    }

    @Test("A signature and its mirror image are the same, and others are not")
    func mirrors() throws {
        // The order without one, and one.
        let large = [0] + Self.order.dropLast() + [0x50]
        #expect(Self.numbers([5], [1]) == Self.numbers([5], large))
        #expect(Self.numbers([5], [1])?.s == Array(repeating: 0, count: 31) + [1])
        #expect(Self.numbers([5], [1]) != Self.numbers([5], [2]))
        #expect(Self.numbers([5], [1]) != Self.numbers([6], [1]))
        #expect(Self.numbers([1], [5]) != Self.numbers([5], [1]))
    }

    @Test("How the numbers are written makes no other signature")
    func encodings() {
        #expect(Self.numbers([5], [1]) == Self.numbers([0, 0, 5], [0, 1]))
    }

    @Test("What is no signature has no numbers")
    func nonsense() {
        let large = [0] + Self.order.dropLast() + [0x52]
        for (r, s) in [([], [1]), ([5], []), ([0xff], [1]), ([5], large)] as [([UInt8], [UInt8])] {
            #expect(Self.numbers(r, s) == nil)
        }
        let whole: [UInt8] = [0x30, 6, 2, 1, 5, 2, 1, 1]
        #expect(SignatureNumbers(der: Data(whole)) != nil)
        for count in whole.indices {
            #expect(SignatureNumbers(der: Data(whole.prefix(count))) == nil)
        }
        #expect(SignatureNumbers(der: Data(whole + [0])) == nil)
        #expect(SignatureNumbers(der: Data([0x30, 0x81, 6] + whole.dropFirst(2))) == nil)
        #expect(SignatureNumbers(der: Data(repeating: 0x30, count: 100)) == nil)
    }
}
