import CoreData
import Testing

@testable import Seam3

@Suite("The row cache", .tags(.boundedGrowth)) struct RowCacheTests {
    private let cache = RowCache()
    private let entity: EntitySchema

    init() throws {
        let schema = StoreSchema(
            model: ClockModel.make(), configuration: nil, assignedNames: AssignedNames())
        entity = try #require(schema.entity(named: "Zone"))
    }

    private func keep(_ pks: ClosedRange<Int64>) {
        for pk in pks { cache.keep(.stored(ObjectRow(pk: pk, entity: entity))) }
    }

    @Test("keeps the rows of a fetch until contexts hold its objects, however many")
    func largeFetch() {
        keep(1...30_000)
        cache.hold(Array(1...30_000))
        cache.makeRoom()
        #expect(cache.row(1) != nil)
        #expect(cache.row(30_000) != nil)
    }

    @Test("keeps what one fetch reads and prefetches, however much")
    func largeReadAhead() {
        cache.makeRoom()
        keep(1...30_000)
        keep(30_001...90_000)
        cache.hold(Array(1...30_000))
        // A row that another fetch or another process has changed in the meantime is read individually.
        keep(7...7)
        #expect(cache.row(1) != nil)
        #expect(cache.row(90_000) != nil)
    }

    @Test("drops rows that no context holds when a fetch begins and there are too many")
    func readAhead() {
        keep(1...30_000)
        cache.makeRoom()
        #expect(cache.row(1) == nil)
    }

    @Test("keeps few rows that no context holds when a fetch begins")
    func fewReadAhead() {
        keep(1...5_000)
        cache.makeRoom()
        #expect(cache.row(1) != nil)
    }

    @Test("does not read a row again that a fetch finds in the cached version")
    func fetchedAgain() {
        keep(1...1)
        #expect(cache.toldRow(1) != nil)
        var reads = 0
        let row = cache.keepFetched(1, version: 1) {
            reads += 1
            return nil
        }
        #expect(row?.pk == 1)
        #expect(reads == 0)
        // A fault gets it as the fetch found it.
        #expect(cache.untoldRow(1) != nil)
    }

    /// What makes a cached row unfit for a fetch that finds version 2.
    enum Outdating: CaseIterable {
        case version, invalidated, allInvalidated, neverRead
    }

    @Test("reads a row that a fetch does not find as it is cached", arguments: Outdating.allCases)
    func fetchedAnew(outdating: Outdating) {
        var old = ObjectRow(pk: 1, entity: entity)
        old.version = outdating == .version ? 1 : 2
        if outdating != .neverRead { cache.keep(.stored(old)) }
        if outdating == .invalidated { cache.invalidate([1]) }
        if outdating == .allInvalidated { cache.invalidateAll() }
        var new = ObjectRow(pk: 1, entity: entity)
        new.version = 2
        new.values[0] = .text("new")
        #expect(cache.keepFetched(1, version: 2) { .stored(new) } != nil)
        guard case .stored(let row)? = cache.untoldRow(1) else {
            Issue.record("The row is not cached.")
            return
        }
        #expect(row.values == new.values)
    }

    @Test("drops a row with the last context that holds its object")
    func release() {
        keep(1...1)
        cache.hold([1])
        cache.hold([1])
        cache.release([1])
        #expect(cache.row(1) != nil)
        cache.release([1])
        #expect(cache.row(1) == nil)
    }

    @Test("keeps what is still held and what was never held when most objects go")
    func releaseOfMost() {
        keep(1...10)
        cache.hold(Array(1...9))
        cache.hold([9])
        cache.release(Array(1...9))
        #expect(cache.row(1) == nil)
        #expect(cache.row(9) != nil)
        #expect(cache.row(10) != nil)
        cache.release([9])
        #expect(cache.row(9) == nil)
    }

    @Test("keeps the version that was returned when values are dropped")
    func invalidation() {
        cache.hold([1])
        keep(1...1)
        cache.noteVended(1, version: 7)
        cache.invalidateAll()
        #expect(cache.row(1) == nil)
        #expect(cache.vendedVersion(1) == 7)
    }

    private let membersReadAhead: [Int64: [RowCache.Member]] = [
        1: [.init(pk: 7, entityNumber: 2), .init(pk: 8, entityNumber: 2)], 2: [],
    ]

    @Test("returns prefetched members once")
    func members() {
        cache.keepMembers(membersReadAhead, ofRelationship: "clocks")
        #expect(cache.takeMembers(ofRelationship: "clocks", of: 1)?.map(\.pk) == [7, 8])
        #expect(cache.takeMembers(ofRelationship: "clocks", of: 1) == nil)
        #expect(cache.takeMembers(ofRelationship: "clocks", of: 2)?.isEmpty == true)
        #expect(cache.takeMembers(ofRelationship: "clocks", of: 3) == nil)
        #expect(cache.takeMembers(ofRelationship: "alarms", of: 2) == nil)
    }

    @Test("drops prefetched members when anything is written")
    func outdatedMembers() {
        let writes: [(RowCache) -> Void] = [
            { $0.noteSaved([(pk: 9, version: 2)], rows: []) }, { $0.invalidate([9]) },
            { $0.invalidateAll() },
        ]
        for write in writes {
            cache.keepMembers(membersReadAhead, ofRelationship: "clocks")
            write(cache)
            #expect(cache.takeMembers(ofRelationship: "clocks", of: 1) == nil)
        }
    }
}
