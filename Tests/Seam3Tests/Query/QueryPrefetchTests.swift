import CoreData
import Testing

@testable import Seam3

/// The members of to-many relationships of every kind that a fetch prefetches.
@Suite struct QueryPrefetchTests {
    /// Twelve objects of each entity. An object's number determines its members, whose order is not
    /// that of their creation.
    private func library() throws -> QueryStore {
        let library = try QueryStore(model: LibraryModel.make())
        func twelve(_ entity: String) -> [NSManagedObject] {
            (0..<12).map { number in
                let object = library.insert(entity)
                object.setValue("\(entity) \(number)", forKey: "name")
                return object
            }
        }
        let (articles, tags, readers) = (twelve("Article"), twelve("Tag"), twelve("Reader"))
        let (people, albums, tracks) = (twelve("Person"), twelve("Album"), twelve("Track"))
        for number in 0..<12 {
            func some(_ objects: [NSManagedObject], _ count: Int) -> [NSManagedObject] {
                (0..<count).map { objects[(number * 5 + $0 * 7) % 12] }
            }
            articles[number].setValue(NSSet(array: some(tags, number % 4)), forKey: "tags")
            articles[number].setValue(
                NSOrderedSet(array: some(readers, number % 5)), forKey: "readers")
            people[number].setValue(NSSet(array: some(people, number % 3)), forKey: "friends")
            albums[number / 3].mutableOrderedSetValue(forKey: "tracks").insert(
                tracks[number], at: 0)
        }
        try library.save()
        return library
    }

    /// The names of the members of all objects of an entity, sorted if the relationship is
    /// unordered.
    private func names(
        _ library: QueryStore, _ entity: String, _ relationship: String, readAhead: Bool
    ) throws -> [[String]] {
        library.context.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        if readAhead { request.relationshipKeyPathsForPrefetching = [relationship] }
        return try library.fetch(request).map { object in
            let value = object.value(forKey: relationship)
            let read = { (objects: [Any]) in
                objects.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
            }
            if let ordered = value as? NSOrderedSet { return read(ordered.array) }
            return read((value as? NSSet)?.allObjects ?? []).sorted()
        }
    }

    @Test(
        "Prefetched members are the existing ones, in order, and cost no statement each",
        arguments: [
            ("Article", "tags"), ("Tag", "articles"), ("Article", "readers"),
            ("Reader", "articles"), ("Person", "friends"), ("Album", "tracks"),
        ])
    func members(entity: String, relationship: String) throws {
        let library = try library()
        let expected = try names(library, entity, relationship, readAhead: false)
        #expect(expected.contains { $0.count > 1 })
        var selections = 0
        let connection = try library.store.database().connection
        connection.trace = {
            if $0.hasPrefix("SELECT t") || $0.hasPrefix("SELECT l") { selections += 1 }
        }
        let found = try names(library, entity, relationship, readAhead: true)
        connection.trace = nil
        #expect(found == expected)
        #expect(selections < 12)
    }

    @Test("Prefetched members are read again after a change")
    func change() throws {
        let library = try library()
        _ = try names(library, "Album", "tracks", readAhead: true)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Track")
        for track in try library.fetch(request) { library.context.delete(track) }
        try library.save()
        let found = try names(library, "Album", "tracks", readAhead: false)
        #expect(found.allSatisfy { $0.isEmpty })
    }
}
