/// SHA-256, of which edit stamps have the first bytes.
enum SecureHash {
    static func digest(_ message: [UInt8]) -> [UInt8] {
        var state = start
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        let count = UInt64(message.count) * 8
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * UInt64($0))) }
        for block in stride(from: 0, to: bytes.count, by: 64) {
            add(bytes[block..<block + 64], to: &state)
        }
        return state.flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) }
        }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
            block[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            words.append(
                words[index - 16] &+ words[index - 7]
                    &+ (turn(early, 7) ^ turn(early, 18) ^ early >> 3)
                    &+ (turn(late, 17) ^ turn(late, 19) ^ late >> 10))
        }
        var now = state
        for index in 0..<64 {
            let (a, e) = (now[0], now[4])
            let choice = e & now[5] ^ ~e & now[6]
            let first =
                now[7] &+ (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) &+ choice
                &+ roundConstants[index] &+ words[index]
            let majority = a & now[1] ^ a & now[2] ^ now[1] & now[2]
            let second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) &+ majority
            now = [
                first &+ second, now[0], now[1], now[2], now[3] &+ first, now[4], now[5], now[6],
            ]
        }
        for index in state.indices { state[index] = state[index] &+ now[index] }
    }

    private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    private static let primes: [UInt32] = (2...311).filter { number in
        !(2..<number).contains { $0 * $0 <= number && number % $0 == 0 }
    }

    private static let start = primes.prefix(8).map { fraction(UInt64($0), power: 2) }
    private static let roundConstants = primes.map { fraction(UInt64($0), power: 3) }

    /// The first 32 bits after the point of a number's square or cube root.
    private static func fraction(_ number: UInt64, power: Int) -> UInt32 {
        // The greatest whole number whose square or cube is not greater than the number with as many more bits.
        var root: UInt64 = 0
        for bit in stride(from: UInt64(36), through: 0, by: -1) {
            let next = root | 1 << bit
            if isAtMost(next, number, power: power) { root = next }
        }
        return UInt32(truncatingIfNeeded: root)
    }

    private static func isAtMost(_ root: UInt64, _ number: UInt64, power: Int) -> Bool {
        let square = root.multipliedFullWidth(by: root)
        guard power == 3 else {
            return (square.high, square.low) <= (number, 0)
        }
        let low = square.low.multipliedFullWidth(by: root)
        let high = square.high.multipliedFullWidth(by: root)
        let (middle, carries) = low.high.addingReportingOverflow(high.low)
        let top = high.high + (carries ? 1 : 0)
        return (top, middle, low.low) <= (number >> 32, number << 32, 0)
    }
}
