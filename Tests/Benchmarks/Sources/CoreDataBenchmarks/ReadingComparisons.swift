import CoreData
import Measurement

/// Reading values and following relationships of objects whose values are in memory.
enum ReadingComparisons {
    static var all: [Comparison] { [getValue, toOne, toMany] }

    private static var getValue: Comparison {
        Comparison(
            "Get a value",
            yardstick: Workload("dictionary") { size, copies in
                let staffs = PlainStaff.copies(copies, of: size)
                let visits = Visits.inRandomOrder(copies, of: size)
                return {
                    var sum = 0
                    for visit in visits {
                        sum += Int(staffs[visit.copy].people[visit.index]?.age ?? 0)
                    }
                    return sum
                }
            },
            subject: Workload("Core Data") { size, copies in
                let staffs = try LoadedStaff.copies(copies, of: size)
                let visits = Visits.inRandomOrder(copies, of: size)
                return {
                    var sum = 0
                    for visit in visits { sum += Int(staffs[visit.copy].people[visit.index].age) }
                    return sum
                }
            })
    }

    /// Follows the relationship from each person to the employer, and reads its name.
    private static var toOne: Comparison {
        Comparison(
            "Traverse to-one",
            yardstick: Workload("dictionary") { size, copies in
                let staffs = PlainStaff.copies(copies, of: size)
                let visits = Visits.inRandomOrder(copies, of: size)
                return {
                    var sum = 0
                    for visit in visits {
                        guard let employer = staffs[visit.copy].people[visit.index]?.employer
                        else { continue }
                        sum += staffs[visit.copy].companies[employer]?.name?.utf8.count ?? 0
                    }
                    return sum
                }
            },
            subject: Workload("Core Data") { size, copies in
                let staffs = try LoadedStaff.copies(copies, of: size)
                let visits = Visits.inRandomOrder(copies, of: size)
                return {
                    var sum = 0
                    for visit in visits {
                        let person = staffs[visit.copy].people[visit.index]
                        sum += person.employer?.name?.utf8.count ?? 0
                    }
                    return sum
                }
            })
    }

    /// Follows the relationship from each company to its employees, and adds up their ages.
    private static var toMany: Comparison {
        Comparison(
            "Traverse to-many",
            yardstick: Workload("dictionary") { size, copies in
                let staffs = PlainStaff.copies(copies, of: size)
                let visits = Visits.inRandomOrder(copies, of: staffs[0].companies.count)
                return {
                    var sum = 0
                    for visit in visits {
                        let company = staffs[visit.copy].companies[visit.index]
                        for employee in company?.employees ?? [] {
                            sum += Int(staffs[visit.copy].people[employee]?.age ?? 0)
                        }
                    }
                    return sum
                }
            },
            subject: Workload("Core Data") { size, copies in
                let staffs = try LoadedStaff.copies(copies, of: size)
                let visits = Visits.inRandomOrder(copies, of: staffs[0].companies.count)
                return {
                    var sum = 0
                    for visit in visits {
                        let company = staffs[visit.copy].companies[visit.index]
                        for case let employee as Person in company.employees ?? NSSet() {
                            sum += Int(employee.age)
                        }
                    }
                    return sum
                }
            })
    }
}
