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

    private func rows(_ pks: ClosedRange<Int64>) -> [ObjectRow] {
        pks.map { ObjectRow(pk: $0, entity: entity) }
    }

    @Test("keeps the rows of a fetch until contexts hold its objects, however many")
    func largeFetch() {
        cache.keep(rows(1...30_000))
        cache.hold(Array(1...30_000))
        cache.makeRoom()
        #expect(cache.row(1) != nil)
        #expect(cache.row(30_000) != nil)
    }

    @Test("keeps what one fetch reads and prefetches, however much")
    func largeReadAhead() {
        cache.makeRoom()
        cache.keep(rows(1...30_000))
        cache.keep(rows(30_001...90_000))
        cache.hold(Array(1...30_000))
        // A row that has changed in the meantime is read individually.
        cache.keep(rows(7...7))
        #expect(cache.row(1) != nil)
        #expect(cache.row(90_000) != nil)
    }

    @Test("drops rows that no context holds when a fetch begins and there are too many")
    func readAhead() {
        cache.keep(rows(1...30_000))
        cache.makeRoom()
        #expect(cache.row(1) == nil)
    }

    @Test("keeps few rows that no context holds when a fetch begins")
    func fewReadAhead() {
        cache.keep(rows(1...5_000))
        cache.makeRoom()
        #expect(cache.row(1) != nil)
    }

    @Test("drops a row with the last context that holds its object")
    func release() {
        cache.keep(rows(1...1))
        cache.hold([1])
        cache.hold([1])
        cache.release([1])
        #expect(cache.row(1) != nil)
        cache.release([1])
        #expect(cache.row(1) == nil)
    }

    @Test("keeps what is still held and what was never held when most objects go")
    func releaseOfMost() {
        cache.keep(rows(1...10))
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
        cache.keep(rows(1...1))
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
