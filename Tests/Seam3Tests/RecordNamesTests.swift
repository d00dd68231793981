import CoreData
import Testing

@testable import Seam3

/// The names of new records are UUIDs in the order of their creation.
@Suite struct RecordNamesTests {
    @Test("Each name is a UUID of version 7, greater than the one before")
    func order() throws {
        var names = RecordNames()
        let made = (0..<10_000).map { _ in names.next() }
        #expect(made == made.sorted())
        #expect(Set(made).count == made.count)
        for name in made {
            let uuid = try #require(UUID(uuidString: name))
            #expect(uuid.uuidString == name)
            #expect(uuid.uuid.6 >> 4 == 7)
            #expect(uuid.uuid.8 >> 6 == 2)
        }
    }

    @Test("Two generators create different names at the same moment")
    func twoMakers() {
        let now = Date()
        var first = RecordNames(now: now)
        var second = RecordNames(now: now)
        let names = (0..<1000).map { _ in first.next() } + (0..<1000).map { _ in second.next() }
        #expect(Set(names).count == names.count)
    }

    @Test("A name begins with the milliseconds since 1970")
    func time() {
        var names = RecordNames(now: Date(timeIntervalSince1970: 305_419_896))
        #expect(names.next().hasPrefix("00471C71-C4C0-7"))
    }
}
