import CoreData
import Testing

@testable import Seam3

/// What SQL selects is what `NSPredicate` selects in memory.
@Suite struct QueryDifferentialTests {
    @Test("Random predicates select the same objects in SQL and in memory", arguments: 1...4)
    func randomPredicates(seed: UInt64) throws {
        let world = try QueryWorld(seed: seed)
        var generator = PredicateGenerator(world: world, seed: seed)
        for round in 0..<750 {
            let predicate = generator.predicate(depth: 2)
            let found = try world.found(predicate)
            let expected = world.expected(predicate)
            #expect(
                found == expected,
                "seed \(seed), round \(round): \(predicate._structuralFormat)")
        }
    }
}
