import SeededRandom
import Testing

@testable import FoundationGaps

/// Tests the parser with random trees and damaged formats. A failure prints the seed. The
/// environment variable PREDICATE_SEED repeats it, and PREDICATE_FACTOR multiplies the number of
/// cases.
@Suite struct PredicateRandomTests {
    private static let environment = ProcessInfo.processInfo.environment

    private let seed = SeededGenerator.seed(from: "PREDICATE_SEED")
    /// The factor for the number of cases.
    private let factor = environment["PREDICATE_FACTOR"].flatMap(Int.init) ?? 1

    @Test("A random predicate's text parses back to text that reads the same")
    func roundTrip() throws {
        var random = RandomPredicates(generator: SeededGenerator(seed: seed))
        for _ in 0..<800 * factor {
            let text = random.predicate(depth: 3)._structuralFormat
            let parsed = try? PredicateBuilder(arguments: [])
                .predicate(PredicateParser.predicate(text))
            try #require(parsed?._structuralFormat == text, "seed \(seed): \(text)")
        }
    }

    @Test("A random expression's text parses back to an equal expression")
    func expressionRoundTrip() throws {
        var random = RandomPredicates(generator: SeededGenerator(seed: seed))
        for _ in 0..<800 * factor {
            let expression = random.expression(depth: 0)
            let text = PredicatePrinter.text(of: expression)
            let parsed = try? PredicateBuilder(arguments: [])
                .expression(PredicateParser.expression(text))
            try #require(parsed?.description == text, "seed \(seed): \(text)")
        }
    }

    @Test("Substitution without variables, and copying, leave a random predicate equal")
    func identity() throws {
        var random = RandomPredicates(generator: SeededGenerator(seed: seed))
        for _ in 0..<500 * factor {
            let predicate = random.predicate(depth: 3)
            let copy = predicate._structuralCopy()
            try #require(copy._isStructurallyEqual(to: predicate), "seed \(seed)")
            try #require(copy._structuralHash == predicate._structuralHash, "seed \(seed)")
            let substituted = predicate.withSubstitutionVariables([:])
            try #require(substituted._isStructurallyEqual(to: predicate), "seed \(seed)")
        }
    }

    @Test("Damaged text is parsed or refused, never a crash")
    func damagedText() throws {
        var random = RandomPredicates(generator: SeededGenerator(seed: seed))
        let alphabet = Array("()[]{}'\"\\%@K$#.,:=<>!&|+-*/~^ aA1_ANY é".utf8)
        var refused = 0
        for _ in 0..<2000 * factor {
            var bytes = Array(random.predicate(depth: 2)._structuralFormat.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random.generator) where !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &random.generator)
                let byte = alphabet[Int.random(in: alphabet.indices, using: &random.generator)]
                switch Int.random(in: 0..<3, using: &random.generator) {
                case 0: bytes[index] = byte
                case 1: bytes.insert(byte, at: index)
                default: bytes.removeSubrange(index..<min(bytes.count, index + 3))
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(PredicateFormatError) {
                let syntax = try PredicateParser.predicate(text)
                _ = try PredicateBuilder(arguments: ["a", 1, nil]).predicate(syntax)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0, "seed \(seed)")
    }
}
