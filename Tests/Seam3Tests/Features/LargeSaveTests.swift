import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("A save, whether empty or very large", .tags(.boundedGrowth)) struct LargeSaveTests {
    private static func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription(
            "Item",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("number", .integer64AttributeType),
            ])
        entity.uniquenessConstraints = [["number"]]
        return NSManagedObjectModel(entity)
    }

    private let device: Device

    init() throws {
        device = try Device(on: LocalCloud.inMemory(), model: Self.model())
    }

    /// A number that the file keeps.
    private func sequence(_ column: String) throws -> Int64 {
        try device.store.lock.locked {
            try device.store.openedDatabase().connection.firstRow(
                "SELECT \(column) FROM sm_sequence"
            ) { $0.integer(at: 0) } ?? 0
        }
    }

    private static func insert(
        _ count: Int, from first: Int = 0, in context: NSManagedObjectContext
    ) -> [NSManagedObject] {
        (first..<first + count).map { number in
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            item.setValue("name \(number)", forKey: "name")
            item.setValue(number, forKey: "number")
            return item
        }
    }

    @Test("takes its objects' IDs in blocks, and no two stores of a file get the same one")
    func permanentIDs() throws {
        let other = try device.anotherContainer(model: Self.model()).newBackgroundContext()
        let first = try sequence("next_pk")
        var ids: [NSManagedObjectID] = []
        for (index, context) in [device.context, other, device.context, other].enumerated() {
            ids += try context.performAndWait {
                let items = Self.insert(750, from: index * 750, in: context)
                try context.obtainPermanentIDs(for: items)
                return items.map(\.objectID)
            }
        }
        #expect(ids.allSatisfy { !$0.isTemporaryID })
        #expect(Set(ids.map { $0.uriRepresentation().lastPathComponent }).count == 3000)
        #expect(try sequence("next_pk") == first + 4000)
        for context in [device.context, other] {
            try context.performAndWait { try context.save() }
        }
        #expect(try device.count("Item") == 3000)
    }

    @Test("that is empty writes nothing, unless the metadata have changed") func empty() throws {
        try device.add("Item", ["number": 1])
        let revision = try sequence("next_revision")
        try device.edit { _ in }
        let request = NSSaveChangesRequest(
            inserted: [], updated: nil, deleted: [], locked: nil)
        _ = try device.store.execute(request, with: nil)
        #expect(try sequence("next_revision") == revision)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        var metadata = try #require(device.store.metadata)
        metadata["key"] = "value"
        device.store.metadata = metadata
        try device.edit { _ in }
        try device.relaunch(model: Self.model())
        #expect(device.store.metadata?["key"] as? String == "value")
    }

    @Test("of very many objects leaves no more rows in memory than a limit, and none that is wrong")
    func bounds() throws {
        let setting = ProcessInfo.processInfo.environment["SEAM3_LARGE_SAVE"]
        let count = setting.flatMap(Int.init) ?? SaveWriter.mostCachedRows + 500
        let start = ThisProcess.peakMemory
        nonisolated(unsafe) var items: [NSManagedObject] = []
        let context = device.context
        context.performAndWait { items = Self.insert(count, in: context) }
        let inserted = ThisProcess.peakMemory
        try context.performAndWait { try context.save() }
        if setting != nil {
            print(
                "\(count) objects: \((inserted - start) / 1_048_576) MB at the peak of the insertion,",
                "\((ThisProcess.peakMemory - inserted) / 1_048_576) MB more at that of the save")
        }
        let store = device.store
        let keys = try context.performAndWait {
            try items.map { try #require(store.key(of: $0.objectID)) }
        }
        #expect(keys.filter { store.rowCache.row($0) != nil }.count == SaveWriter.mostCachedRows)
        #expect(keys.allSatisfy { store.rowCache.vendedVersion($0) == 1 })
        try context.performAndWait {
            for index in [0, count - 1] {
                context.refresh(items[index], mergeChanges: false)
                #expect(items[index].value(forKey: "number") as? Int == index)
                items[index].setValue("changed", forKey: "name")
            }
            try context.save()
        }
        #expect(try device.values("number", of: "Item", as: Int.self)["changed"] != nil)
    }

    @Test("finds the objects that share a value by an index, without scanning the table")
    func plan() throws {
        try device.store.lock.locked {
            let database = try device.store.openedDatabase()
            let entity = try #require(database.schema.entity(named: "Item"))
            let constraint = try #require(entity.constraints.first)
            let plan = try database.connection.rows(
                "EXPLAIN QUERY PLAN " + constraint.rowStatement, [.integer(1)]
            ) { $0.text(at: 3) }
            #expect(plan.contains { $0.contains("SEARCH other USING") && $0.contains("unique") })
            #expect(!plan.contains { $0.contains("SCAN") })
        }
    }
}
