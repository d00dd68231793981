import CoreData
import Measurement

/// Reading values and following relationships of objects whose values are in memory.
enum ReadingComparisons {
    static var all: [Comparison] { [getValue, toOne, toMany] }

    private static var getValue: Comparison {
        Comparison(
            "Get a value",
            yardstick: Workload("dictionary") { size in
                let staff = PlainStaff.filled(size)
                return {
                    var sum = 0
                    for index in 0..<size { sum += Int(staff.people[index]?.age ?? 0) }
                    return sum
                }
            },
            subject: Workload("Core Data") { size in
                let loaded = try LoadedStaff(size)
                return {
                    loaded.context.performAndWait {
                        loaded.people.reduce(0) { $0 + Int($1.age) }
                    }
                }
            })
    }

    /// From each person to the employer, and to the name of that.
    private static var toOne: Comparison {
        Comparison(
            "Traverse to-one",
            yardstick: Workload("dictionary") { size in
                let staff = PlainStaff.filled(size)
                return {
                    var sum = 0
                    for index in 0..<size {
                        guard let employer = staff.people[index]?.employer else { continue }
                        sum += staff.companies[employer]?.name?.utf8.count ?? 0
                    }
                    return sum
                }
            },
            subject: Workload("Core Data") { size in
                let loaded = try LoadedStaff(size)
                return {
                    loaded.context.performAndWait {
                        loaded.people.reduce(0) { $0 + ($1.employer?.name?.utf8.count ?? 0) }
                    }
                }
            })
    }

    /// From each company to its employees, whose ages are added up.
    private static var toMany: Comparison {
        Comparison(
            "Traverse to-many",
            yardstick: Workload("dictionary") { size in
                let staff = PlainStaff.filled(size)
                let numbers = staff.companies.count
                return {
                    var sum = 0
                    for number in 0..<numbers {
                        for employee in staff.companies[number]?.employees ?? [] {
                            sum += Int(staff.people[employee]?.age ?? 0)
                        }
                    }
                    return sum
                }
            },
            subject: Workload("Core Data") { size in
                let loaded = try LoadedStaff(size)
                return {
                    loaded.context.performAndWait {
                        var sum = 0
                        for company in loaded.companies {
                            for case let employee as Person in company.employees ?? NSSet() {
                                sum += Int(employee.age)
                            }
                        }
                        return sum
                    }
                }
            })
    }
}
