import CoreData
import Seam3
import SeededRandom
import Testing

/// Up to eight versions of a model with random changes between them. `SEAM3_MIGRATION_SEED=<seed>`
/// repeats a failed chain.
@Suite("A chain of versions", .tags(.migrationIsWhole, .identityFollowsRenames))
struct MigrationChainTests {
    private static let seeds: [UInt64] = {
        let name = "SEAM3_MIGRATION_SEED"
        let first = SeededGenerator.seed(from: name)
        if ProcessInfo.processInfo.environment[name] != nil { return [first] }
        return (0..<24).map { first &+ $0 }
    }()

    private func chain(_ seed: UInt64) -> ModelChain {
        ModelChain(seed: seed, count: 2 + Int(seed % 7))
    }

    private func expect(
        _ stack: StoreStack, has version: ModelChain.Version, _ comment: Comment
    ) throws {
        let found = try version.objects(in: stack)
        let expected = version.objects.sorted { $0.key < $1.key }
        #expect(found.map(\.key) == expected.map(\.key), comment)
        for (object, other) in zip(found, expected) where object != other {
            #expect(object == other, comment)
        }
    }

    @Test("keeps every object, value and relationship, version by version", arguments: seeds)
    func stepwise(seed: UInt64) throws {
        let chain = chain(seed)
        let folder = try TestFolder()
        var stack = try StoreStack(at: folder.store, model: chain.versions[0].model())
        try chain.versions[0].fill(stack)
        for (number, version) in chain.versions.enumerated() {
            try stack.close()
            stack = try StoreStack(at: folder.store, model: version.model())
            try expect(stack, has: version, "seed \(seed), version \(number + 1)")
        }
        try stack.close()
    }

    @Test("keeps them from any version to the last at once", arguments: seeds)
    func atOnce(seed: UInt64) throws {
        let chain = chain(seed)
        guard let last = chain.versions.last else { return }
        for (number, version) in chain.versions.enumerated() {
            let folder = try TestFolder()
            let old = try StoreStack(at: folder.store, model: version.model())
            try version.fill(old)
            try old.close()
            let stack = try StoreStack(at: folder.store, model: last.model())
            var expected = last
            expected.objects = version.objects.map { known($0, in: last) }
            try expect(stack, has: expected, "seed \(seed), from version \(number + 1)")
            try stack.close()
        }
    }

    @Test("keeps them when a file of Core Data is adopted at any version", arguments: seeds)
    func adoption(seed: UInt64) throws {
        let chain = chain(seed)
        guard let last = chain.versions.last else { return }
        for (number, version) in chain.versions.enumerated() {
            let folder = try TestFolder()
            try version.write(to: folder.store)
            try SMStore.adoptFile(at: folder.store, model: last.model())
            let stack = try StoreStack(at: folder.store, model: last.model())
            var expected = last
            expected.objects = version.objects.map { known($0, in: last) }
            try expect(stack, has: expected, "seed \(seed), adopted at version \(number + 1)")
            try stack.close()
        }
    }

    /// An object with those values whose attributes a later version has.
    private func known(_ object: ModelChain.Object, in version: ModelChain.Version)
        -> ModelChain.Object
    {
        guard let entity = version.entity(object.entity) else { return object }
        let parent = entity.parent.flatMap(version.entity)
        let names = Set(((parent?.attributes ?? []) + entity.attributes).map(\.canonical))
        var object = object
        object.values = object.values.filter { names.contains($0.key) }
        return object
    }
}
