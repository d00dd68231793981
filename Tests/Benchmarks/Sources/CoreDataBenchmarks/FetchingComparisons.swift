import CoreData
import Measurement

/// Fetching, and firing the faults that a fetch returns.
enum FetchingComparisons {
    static var all: [Comparison] { [fetchAll, fetchAgain, fetchByPredicate, fireFaults] }

    /// Fetches every object in a context without objects. Each becomes a fault that is registered
    /// with the context, and the yardstick creates and registers an object for each. Both retain
    /// what they have fetched, because memory that one copy frees would be in the caches for the
    /// next one.
    private static var fetchAll: Comparison {
        Comparison(
            "Fetch all as faults",
            yardstick: Workload("dictionary") { size, copies in
                let staffs = PlainStaff.copies(copies, of: size)
                var fetched: [(registered: [Int: PlainPerson], results: [PlainPerson])] = []
                return {
                    var count = 0
                    for staff in staffs {
                        // A context also reserves capacity when it knows the number of objects.
                        var registered = [Int: PlainPerson](minimumCapacity: size)
                        var results: [PlainPerson] = []
                        results.reserveCapacity(size)
                        for identifier in staff.people.keys {
                            let person = PlainPerson(identifier: identifier)
                            registered[identifier] = person
                            results.append(person)
                        }
                        count += results.count + registered.count - size
                        fetched.append((registered, results))
                    }
                    return count
                }
            },
            subject: Workload("Core Data") { size, copies in
                let contexts = try Staff.makeContexts(copies, of: size)
                var fetched: [[Person]] = []
                return {
                    for context in contexts {
                        fetched.append(try context.fetch(Person.fetchRequest()))
                    }
                    return fetched.reduce(0) { $0 + $1.count }
                }
            })
    }

    /// Fetches every object in a context that has registered all of them.
    private static var fetchAgain: Comparison {
        Comparison(
            "Fetch all again",
            yardstick: Workload("dictionary") { size, copies in
                let staffs = PlainStaff.copies(copies, of: size)
                return {
                    var count = 0
                    for staff in staffs {
                        var results: [PlainPerson] = []
                        results.reserveCapacity(size)
                        for identifier in 0..<size {
                            if let person = staff.people[identifier] { results.append(person) }
                        }
                        count += results.count
                    }
                    return count
                }
            },
            subject: Workload("Core Data") { size, copies in
                let staffs = try LoadedStaff.copies(copies, of: size)
                return {
                    try staffs.reduce(0) {
                        $0 + (try $1.context.fetch(Person.fetchRequest()).count)
                    }
                }
            })
    }

    /// Finds one object in a hundred by testing all of them.
    private static var fetchByPredicate: Comparison {
        Comparison(
            "Fetch by predicate",
            yardstick: Workload("dictionary") { size, copies in
                let staffs = PlainStaff.copies(copies, of: size)
                return {
                    var count = 0
                    for staff in staffs {
                        let matching = staff.people.values.filter {
                            $0.age == 20 && ($0.name?.hasSuffix("2") ?? false)
                        }
                        count += matching.count
                    }
                    return count
                }
            },
            subject: Workload("Core Data") { size, copies in
                let contexts = try Staff.makeContexts(copies, of: size)
                return {
                    var count = 0
                    for context in contexts {
                        let request: NSFetchRequest<Person> = Person.fetchRequest()
                        request.predicate = NSPredicate(
                            format: "age == %d AND name ENDSWITH %@", 20, "2")
                        count += try context.fetch(request).count
                    }
                    return count
                }
            })
    }

    /// Reads the values of objects that are faults.
    private static var fireFaults: Comparison {
        Comparison(
            "Fire faults",
            yardstick: Workload("dictionary") { size, copies in
                let staffs = PlainStaff.copies(copies, of: size)
                let faults = staffs.map { _ in
                    (0..<size).map { PlainPerson(identifier: $0) }
                }
                let visits = Visits.inRandomOrder(copies, of: size)
                return {
                    var sum = 0
                    for visit in visits {
                        let fault = faults[visit.copy][visit.index]
                        guard let row = staffs[visit.copy].people[fault.identifier] else {
                            continue
                        }
                        fault.name = row.name
                        fault.age = row.age
                        fault.salary = row.salary
                        fault.employer = row.employer
                        sum += Int(fault.age)
                    }
                    return sum
                }
            },
            subject: Workload("Core Data") { size, copies in
                let staffs = try LoadedStaff.copies(copies, of: size, asFaults: true)
                let visits = Visits.inRandomOrder(copies, of: size)
                return {
                    var sum = 0
                    for visit in visits { sum += Int(staffs[visit.copy].people[visit.index].age) }
                    return sum
                }
            })
    }
}

extension Staff {
    /// Contexts without objects, each on a store with a number of people and their companies.
    fileprivate static func makeContexts(
        _ copies: Int, of size: Int
    ) throws -> [NSManagedObjectContext] {
        try (0..<copies).map { _ in makeContext(try makeFilledCoordinator(size)) }
    }
}
