import Foundation

/// Rounds with damaged inputs, each from a seed of its own.
///
/// A run prints its seed, so that it can be repeated after an input has ended the process: `FUZZ_SEED` repeats it, and
/// `FUZZ_SECONDS` lets it go on with the following seeds.
public struct FuzzRun {
    private let name: String
    private let rounds: Int

    /// - Parameters:
    ///   - name: What is tested.
    ///   - rounds: How many rounds the run has, unless it has a time.
    public init(_ name: String, rounds: Int) {
        self.name = name
        self.rounds = rounds
    }

    private static func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
    }

    private func say(_ text: String) {
        FileHandle.standardError.write(Data("Fuzzing \(name): \(text)\n".utf8))
    }

    /// The most seconds that a round may take.
    private static let mostSeconds = 10.0

    /// Runs the rounds.
    ///
    /// - Parameter body: A round, with its random numbers.
    /// - Returns: The seeds of the rounds that took too long.
    public func run(_ body: (inout SeededGenerator) throws -> Void) rethrows -> [UInt64] {
        let first = Self.number("FUZZ_SEED") ?? .random(in: 0...UInt64(UInt32.max))
        let seconds = Self.number("FUZZ_SECONDS").map(Double.init)
        let start = Date()
        var slow: [UInt64] = []
        var round: UInt64 = 0
        while seconds.map({ Date().timeIntervalSince(start) < $0 }) ?? (round < UInt64(rounds)) {
            let seed = first &+ round
            if round % UInt64(rounds) == 0 { say("FUZZ_SEED=\(seed)") }
            let began = Date()
            var generator = SeededGenerator(seed: seed)
            try body(&generator)
            if Date().timeIntervalSince(began) > Self.mostSeconds { slow.append(seed) }
            round += 1
        }
        if seconds != nil { say("\(round) rounds") }
        return slow
    }

    /// Runs the rounds; see ``run(_:)-(_)``.
    public func run(_ body: (inout SeededGenerator) async throws -> Void) async rethrows -> [UInt64]
    {
        let first = Self.number("FUZZ_SEED") ?? .random(in: 0...UInt64(UInt32.max))
        let seconds = Self.number("FUZZ_SECONDS").map(Double.init)
        let start = Date()
        var slow: [UInt64] = []
        var round: UInt64 = 0
        while seconds.map({ Date().timeIntervalSince(start) < $0 }) ?? (round < UInt64(rounds)) {
            let seed = first &+ round
            if round % UInt64(rounds) == 0 { say("FUZZ_SEED=\(seed)") }
            let began = Date()
            var generator = SeededGenerator(seed: seed)
            try await body(&generator)
            if Date().timeIntervalSince(began) > Self.mostSeconds { slow.append(seed) }
            round += 1
        }
        if seconds != nil { say("\(round) rounds") }
        return slow
    }
}

// MARK: - Mutations

extension SeededGenerator {
    /// Numbers at which sums, lengths and conversions break.
    public static let oddNumbers: [Int64] = [
        .min, .min + 1, -(1 << 53), -1 << 31, -256, -1, 0, 1, 2, 127, 128, 255, 256, 65_535,
        1 << 31,
        1 << 32, 1 << 53, 1 << 62, .max - 1, .max,
    ]

    /// One of the elements.
    public mutating func pick<Elements: Collection>(_ elements: Elements) -> Elements.Element? {
        elements.randomElement(using: &self)
    }

    /// Bytes with a few changes: other bits, odd numbers, parts that are removed, repeated, or of other bytes.
    public mutating func damaged(_ original: [UInt8], with other: [UInt8] = []) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &self) { damage(&bytes, with: other) }
        return bytes
    }

    private mutating func damage(_ bytes: inout [UInt8], with other: [UInt8]) {
        guard let place = bytes.indices.randomElement(using: &self) else { return }
        let end = min(bytes.count, place + Int.random(in: 1...16, using: &self))
        switch Int.random(in: 0..<8, using: &self) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
        case 1: bytes[place] = .random(in: .min ... .max, using: &self)
        case 2: bytes[place] = pick([0, 1, 0x7F, 0x80, 0xFE, 0xFF]) ?? 0
        case 3:
            let number = pick(Self.oddNumbers) ?? 0
            let size = pick([1, 2, 4, 8]) ?? 1
            for index in 0..<size where place + index < bytes.count {
                bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - index)))
            }
        case 4: bytes.removeSubrange(place..<end)
        case 5: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 6: bytes.removeSubrange(place...)
        default:
            guard let from = other.indices.randomElement(using: &self) else { return }
            bytes.replaceSubrange(
                place..<end, with: other[from..<min(other.count, from + end - place)])
        }
    }

    /// Text with a few changes.
    public mutating func damaged(_ text: String, words: [String] = []) -> String {
        var bytes = damaged(Array(text.utf8))
        if Bool.random(using: &self), let word = pick(words) {
            let place = Int.random(in: 0...bytes.count, using: &self)
            bytes.insert(contentsOf: word.utf8, at: place)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
