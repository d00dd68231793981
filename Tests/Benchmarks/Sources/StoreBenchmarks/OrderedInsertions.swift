import CoreData
import Measurement

/// Insertions at the second position of an ordered relationship, one by one, and their save. The
/// cost of each must not grow with their number.
enum OrderedInsertions {
    static let title = "Insert at index 1 of an ordered relationship, and save"

    nonisolated(unsafe) private static let model: NSManagedObjectModel = {
        // Unchecked because a model in use never changes.
        let (list, entry) = (NSEntityDescription(), NSEntityDescription())
        (list.name, entry.name) = ("List", "Entry")
        let (entries, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (entries.name, owner.name) = ("entries", "list")
        (entries.destinationEntity, owner.destinationEntity) = (entry, list)
        (entries.inverseRelationship, owner.inverseRelationship) = (owner, entries)
        (entries.isOrdered, entries.maxCount, owner.maxCount) = (true, 0, 1)
        (entries.isOptional, owner.isOptional) = (true, true)
        (list.properties, entry.properties) = ([entries], [owner])
        let model = NSManagedObjectModel()
        model.entities = [list, entry]
        return model
    }()

    static func table(_ options: MeasurementOptions) throws -> Table {
        var table = Table(
            title: title, columns: ["insertions", "ms inserting", "ms saving", "µs each"])
        for size in options.sizes where size <= 100_000 {
            let (insertion, save) = try run(size)
            let each = (insertion + save) / Double(size)
            let cells: [String] = [
                size.grouped, milliseconds(insertion), milliseconds(save), milliseconds(each * 1e3),
            ]
            table.add(cells)
        }
        return table
    }

    /// A time multiplied by 1,000.
    private static func milliseconds(_ seconds: Double) -> String {
        (seconds * 1e3).rounded(toPlaces: 1)
    }

    /// The CPU time of the insertions and their save in seconds.
    private static func run(_ size: Int) throws -> (insertion: Double, save: Double) {
        let file = Temporary(BenchmarkFiles.shared.newURL())
        let side = try StoreSide(file.url, model: model)
        let context = side.context
        return try context.performAndWait {
            let list = NSEntityDescription.insertNewObject(forEntityName: "List", into: context)
            for _ in 1...2 { insert(into: list, at: 0, context) }
            try context.save()
            let start = processorTime()
            for _ in 0..<size { insert(into: list, at: 1, context) }
            let inserted = processorTime()
            try context.save()
            return (inserted - start, processorTime() - inserted)
        }
    }

    private static func insert(
        into list: NSManagedObject, at index: Int, _ context: NSManagedObjectContext
    ) {
        let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
        list.mutableOrderedSetValue(forKey: "entries").insert(entry, at: index)
    }
}
