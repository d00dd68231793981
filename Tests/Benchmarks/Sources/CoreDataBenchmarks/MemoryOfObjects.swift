import CoreData
import Measurement

/// The heap memory of an object in the store, as a fault, and with its values.
enum MemoryOfObjects {
    static let title = "Memory per object"

    /// Measures a number of people without relationships.
    ///
    /// - Parameter size: The number of people. The results are means.
    static func table(size: Int) throws -> Table {
        var table = Table(title: title, columns: ["state", "bytes"])
        func add(_ state: String, _ bytes: Int) {
            table.add([state, (bytes / size).grouped])
        }
        let names = Staff.names(size)
        add("plain object in a dictionary", growth { PlainStaff.filled(people: names) })
        var coordinator: NSPersistentStoreCoordinator?
        add(
            "row in the in-memory store",
            try growth {
                coordinator = try Staff.makeFilledCoordinator(people: names)
                return coordinator
            })
        guard let coordinator else { return table }
        let context = Staff.makeContext(coordinator)
        var people: [Person] = []
        add(
            "fault in a context",
            try growth {
                people = try context.fetch(Person.fetchRequest())
                return people
            })
        add(
            "its values, once fired",
            growth {
                for person in people { _ = person.age }
                return people
            })
        add(
            "its first unsaved change",
            growth {
                for person in people { person.age = 17 }
                return people
            })
        return table
    }

    /// The memory that a block allocates and that is still allocated while its result exists.
    private static func growth<Result>(_ make: () throws -> Result) rethrows -> Int {
        let before = MemoryUse.heapBytes
        let result = try make()
        return withExtendedLifetime(result) { MemoryUse.heapBytes - before }
    }
}

extension PlainStaff {
    /// People without companies.
    static func filled(people names: [String]) -> PlainStaff {
        var staff = PlainStaff()
        for (index, name) in names.enumerated() { staff.insertPerson(index, name) }
        return staff
    }
}

extension Staff {
    /// A coordinator whose store holds people without companies.
    static func makeFilledCoordinator(
        people names: [String]
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = try makeCoordinator()
        let context = makeContext(coordinator)
        for (index, name) in names.enumerated() { insertPerson(index, name, into: context) }
        try context.save()
        return coordinator
    }
}
