import CoreData
import Measurement

/// Fetching, and firing the faults that a fetch returns.
enum FetchingComparisons {
    static var all: [Comparison] { [fetchAll, fetchAgain, fetchByPredicate, fireFaults] }

    /// Every object, in a context that has none: each becomes a fault with an entry in the
    /// context's registry, as the yardstick makes an object for each and enters it.
    private static var fetchAll: Comparison {
        Comparison(
            "Fetch all as faults",
            yardstick: Workload("dictionary") { size in
                let store = PlainStaff.filled(size)
                return {
                    var registered: [Int: PlainPerson] = [:]
                    var results: [PlainPerson] = []
                    for identifier in store.people.keys {
                        let person = PlainPerson(identifier: identifier)
                        registered[identifier] = person
                        results.append(person)
                    }
                    return results.count + registered.count - size
                }
            },
            subject: Workload("Core Data") { size in
                let context = Staff.makeContext(try Staff.makeFilledCoordinator(size))
                return {
                    try context.performAndWait { try context.fetch(Person.fetchRequest()).count }
                }
            })
    }

    /// Every object, in a context that knows them all.
    private static var fetchAgain: Comparison {
        Comparison(
            "Fetch all again",
            yardstick: Workload("dictionary") { size in
                let store = PlainStaff.filled(size)
                return {
                    var results: [PlainPerson] = []
                    for identifier in 0..<size {
                        if let person = store.people[identifier] { results.append(person) }
                    }
                    return results.count
                }
            },
            subject: Workload("Core Data") { size in
                let loaded = try LoadedStaff(size)
                return {
                    try loaded.context.performAndWait {
                        try loaded.context.fetch(Person.fetchRequest()).count
                    }
                }
            })
    }

    /// One object in a hundred, found by testing all.
    private static var fetchByPredicate: Comparison {
        Comparison(
            "Fetch by predicate",
            yardstick: Workload("dictionary") { size in
                let store = PlainStaff.filled(size)
                return {
                    let matching = store.people.values.filter {
                        $0.age == 20 && ($0.name?.hasSuffix("2") ?? false)
                    }
                    return matching.count
                }
            },
            subject: Workload("Core Data") { size in
                let context = Staff.makeContext(try Staff.makeFilledCoordinator(size))
                return {
                    try context.performAndWait {
                        let request: NSFetchRequest<Person> = Person.fetchRequest()
                        request.predicate = NSPredicate(
                            format: "age == %d AND name ENDSWITH %@", 20, "2")
                        return try context.fetch(request).count
                    }
                }
            })
    }

    /// Reads the values of objects that the context knows as faults.
    private static var fireFaults: Comparison {
        Comparison(
            "Fire faults",
            yardstick: Workload("dictionary") { size in
                let store = PlainStaff.filled(size)
                let faults = (0..<size).map { PlainPerson(identifier: $0) }
                return {
                    var sum = 0
                    for fault in faults {
                        guard let row = store.people[fault.identifier] else { continue }
                        fault.name = row.name
                        fault.age = row.age
                        fault.salary = row.salary
                        fault.employer = row.employer
                        sum += Int(fault.age)
                    }
                    return sum
                }
            },
            subject: Workload("Core Data") { size in
                let loaded = try LoadedStaff(size, asFaults: true)
                return {
                    loaded.context.performAndWait {
                        loaded.people.reduce(0) { $0 + Int($1.age) }
                    }
                }
            })
    }
}
