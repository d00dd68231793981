import CoreData
import Testing

@testable import Seam3

/// SQL selects, sorts, groups and counts like evaluation in memory, for random models, data and
/// requests.
///
/// `SEAM3_QUERY_SEED` is the first seed and `SEAM3_QUERY_COUNT` the number of requests of a longer
/// run. `SEAM3_QUERY_INDEX` runs only one request of the seed. A failure prints all three. Without
/// them, five fixed seeds are run, and a random one, which is printed.
@Suite(.tags(.predicatesMeanTheSame)) struct QueryDifferentialTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static func number(_ name: String) -> Int? { environment[name].flatMap { Int($0) } }

    /// The number of requests for each random world.
    private static let requestsPerWorld = 100
    private static let seeds: [UInt64] = {
        let seed = number("SEAM3_QUERY_SEED")
        if seed == nil, number("SEAM3_QUERY_COUNT") == nil {
            let random = UInt64.random(in: 1...1_000_000_000)
            print("SEAM3_QUERY_SEED=\(random) is the random one")
            return [1, 2, 3, 4, 5, random]
        }
        let first = seed ?? 1
        let count = number("SEAM3_QUERY_COUNT") ?? requestsPerWorld
        let worlds = max(1, count / requestsPerWorld)
        return (first..<first + worlds).map { UInt64($0) }
    }()

    @Test("Random requests have the same results in SQL and in memory", arguments: seeds)
    func randomRequests(seed: UInt64) throws {
        let world = try RandomWorld(seed: seed)
        let indexes =
            Self.number("SEAM3_QUERY_INDEX").map { $0..<$0 + 1 } ?? 0..<Self.requestsPerWorld
        for index in indexes {
            let query = RandomRequest(world, index: index)
            do {
                let difference = try difference(world, query)
                #expect(
                    difference == nil,
                    """
                    SEAM3_QUERY_SEED=\(seed) SEAM3_QUERY_INDEX=\(index) \
                    \(query.entity.name ?? ""): \(query.format)
                    """)
            } catch {
                Issue.record(
                    """
                    SEAM3_QUERY_SEED=\(seed) SEAM3_QUERY_INDEX=\(index) \
                    \(query.entity.name ?? ""): \(query.format): \(error)
                    """)
            }
        }
    }

    /// How the store's result differs from the one in memory; nil if it does not.
    private func difference(_ world: RandomWorld, _ query: RandomRequest) throws -> String? {
        let reference = ReferenceFetch(world: world, query: query)
        let request = query.request
        let found = try world.store.context.fetch(request)
        switch request.resultType {
        case .countResultType:
            let count = reference.window(reference.matches()).count
            let foundCount = (found.first as? NSNumber)?.intValue
            return foundCount == count ? nil : "\(foundCount ?? -1) instead of \(count)"
        case .dictionaryResultType:
            return differenceOfRows(found, reference)
        default:
            let found = found.map { ReferenceFetch.canonical($0) }
            let expected = reference.window(reference.sorted()).map { ReferenceFetch.canonical($0) }
            if request.sortDescriptors?.isEmpty ?? true {
                // Without a sort order, any window of the right size is correct.
                let all = Set(reference.matches().map { ReferenceFetch.canonical($0) })
                return found.count == expected.count && Set(found).isSubset(of: all)
                    && Set(found).count == found.count
                    ? nil : "\(found) instead of \(expected)"
            }
            return found == expected
                ? nil : "\(found) instead of \(expected), \(request.sortDescriptors ?? [])"
        }
    }

    private func differenceOfRows(_ found: [Any], _ reference: ReferenceFetch) -> String? {
        let request = reference.query.request
        let found = found.compactMap { $0 as? [String: Any] }.map { row in
            row.mapValues { ReferenceFetch.canonical($0) }
        }
        var expected = reference.rows()
        let description = """
            columns \((request.propertiesToFetch ?? []).map { Self.describe($0) }), \
            groups \(request.propertiesToGroupBy ?? []), \
            having \(request.havingPredicate.map { "\($0)" } ?? ""), \
            sort \(request.sortDescriptors ?? []), distinct \(request.returnsDistinctResults)
            """
        if request.sortDescriptors?.isEmpty ?? true {
            let left = found.map { "\($0.sorted { $0.key < $1.key })" }.sorted()
            let right = expected.map { "\($0.sorted { $0.key < $1.key })" }.sorted()
            guard left != right else { return nil }
            let extra = left.filter { !right.contains($0) }
            let missing = right.filter { !left.contains($0) }
            return "\(left.count)/\(right.count) extra \(extra.prefix(3)) missing"
                + " \(missing.prefix(3)); \(description)"
        }
        expected = reference.window(expected)
        return found == expected ? nil : "\(found) instead of \(expected); \(description)"
    }

    private static func describe(_ property: Any) -> String {
        guard let computed = property as? NSExpressionDescription else {
            return ReferenceFetch.name(property)
        }
        return "\(computed.name) = \(computed.expression.map { "\($0)" } ?? "")"
    }
}
