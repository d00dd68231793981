import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Predicates mean what NSPredicate means", .tags(.predicatesMeanTheSame))
struct PredicateMeaningTests {
    let cloud = LocalCloud.inMemory()

    /// Predicates on clocks, and the labels of the matching clocks.
    static let clocks: [(String, [String])] = [
        // nil does not equal a value, and NOT is the exact opposite.
        ("note != 'n'", ["b", "c"]), ("NOT (note == 'n')", ["b", "c"]),
        ("NOT (note != 'n')", ["a", "d"]), ("NOT (position > 1)", ["a", "c"]),
        ("note == nil", ["c"]), ("note != nil", ["a", "b", "d"]),
        // Nothing is in an empty list.
        ("note IN {}", []), ("NOT (note IN {})", ["a", "b", "c", "d"]),
        ("note IN {'n', 'm'}", ["a", "b", "d"]), ("NOT (note IN {'n'})", ["b", "c"]),
        // Comparisons of two attributes.
        ("note == label", ["d"]), ("note != label", ["a", "b", "c"]),
        ("label IN {note}", ["d"]),
        // Key paths through nil relationships.
        ("folder.name != 'one'", ["c", "d"]), ("NOT (folder.name == 'one')", ["c", "d"]),
        ("folder.name == nil", ["d"]),
    ]

    /// Predicates on folders, and the names of the matching folders, each once.
    static let folders: [(String, [String])] = [
        ("ANY clocks.note == 'n' OR ANY clocks.position == 2", ["one"]),
        ("ANY clocks.label == 'a' AND ANY clocks.label == 'b'", ["one"]),
        ("ANY clocks.label == 'a' AND ANY clocks.label == 'c'", []),
        ("NONE clocks.label == 'a'", ["empty", "two"]),
        ("ALL clocks.position > 0", ["empty", "one"]),
        ("clocks.@count == 0", ["empty"]), ("NOT (ANY clocks.note != 'n')", ["empty"]),
        ("ANY clocks.timeZone.name == 'z' OR ANY clocks.timeZone.name == 'y'", ["one", "two"]),
        ("ANY clocks.timeZone.name == 'z' AND ANY clocks.timeZone.name == 'y'", ["one"]),
        ("SUBQUERY(clocks, $c, $c.note == 'n' AND $c.position == 1).@count > 0", ["one"]),
    ]

    private func device() throws -> Device {
        let device = try Device(on: cloud)
        for name in ["one", "two", "empty"] { try device.add("Folder", ["name": name]) }
        for name in ["y", "z"] { try device.add("Zone", ["name": name]) }
        try device.add("Clock", ["label": "a", "note": "n", "position": 1])
        try device.add("Clock", ["label": "b", "note": "m", "position": 2])
        try device.add("Clock", ["label": "c", "position": 0])
        try device.add("Clock", ["label": "d", "note": "n", "position": 5])
        try device.change("d", ["label": "n"])
        for (label, folder, zone) in [("a", "one", "y"), ("b", "one", "z"), ("c", "two", "z")] {
            try device.relate(label, "folder", to: folder)
            try device.relate(label, "timeZone", to: zone)
        }
        return device
    }

    private func found(
        _ entity: String, _ key: String, _ predicate: NSPredicate, on device: Device
    ) throws -> [String] {
        try device.read { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = predicate
            let names = try context.fetch(request).compactMap { $0.value(forKey: key) as? String }
            #expect(try context.count(for: request) == names.count)
            return names.map { $0 == "n" ? "d" : $0 }.sorted()
        }
    }

    @Test("with NULL, empty lists, attributes against attributes", arguments: clocks)
    func attributes(format: String, expected: [String]) throws {
        let device = try device()
        let predicate = NSPredicate(format: format)
        #expect(try found("Clock", "label", predicate, on: device) == expected)
    }

    @Test("with several to-many paths, without duplicates", arguments: folders)
    func paths(format: String, expected: [String]) throws {
        let device = try device()
        let predicate = NSPredicate(format: format)
        #expect(try found("Folder", "name", predicate, on: device) == expected)
    }

    @Test("with a list of 10,000 values")
    func longList() throws {
        let device = try device()
        let positions = Array(2...10_001)
        #expect(
            try found(
                "Clock", "label", NSPredicate(format: "position IN %@", positions), on: device)
                == ["b", "d"])
        #expect(
            try found(
                "Clock", "label", NSPredicate(format: "NOT (position IN %@)", positions), on: device
            )
                == ["a", "c"])
    }
}
