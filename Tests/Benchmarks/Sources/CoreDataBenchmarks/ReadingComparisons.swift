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
                return {
                    var sum = 0
                    for index in 0..<size {
                        for staff in staffs { sum += Int(staff.people[index]?.age ?? 0) }
                    }
                    return sum
                }
            },
            subject: Workload("Core Data") { size, copies in
                let staffs = try LoadedStaff.copies(copies, of: size)
                return {
                    var sum = 0
                    for index in 0..<size {
                        for staff in staffs { sum += Int(staff.people[index].age) }
                    }
                    return sum
                }
            })
    }

    /// From each person to the employer, and to the name of that.
    private static var toOne: Comparison {
        Comparison(
            "Traverse to-one",
            yardstick: Workload("dictionary") { size, copies in
                let staffs = PlainStaff.copies(copies, of: size)
                return {
                    var sum = 0
                    for index in 0..<size {
                        for staff in staffs {
                            guard let employer = staff.people[index]?.employer else { continue }
                            sum += staff.companies[employer]?.name?.utf8.count ?? 0
                        }
                    }
                    return sum
                }
            },
            subject: Workload("Core Data") { size, copies in
                let staffs = try LoadedStaff.copies(copies, of: size)
                return {
                    var sum = 0
                    for index in 0..<size {
                        for staff in staffs {
                            sum += staff.people[index].employer?.name?.utf8.count ?? 0
                        }
                    }
                    return sum
                }
            })
    }

    /// From each company to its employees, whose ages are added up.
    private static var toMany: Comparison {
        Comparison(
            "Traverse to-many",
            yardstick: Workload("dictionary") { size, copies in
                let staffs = PlainStaff.copies(copies, of: size)
                let numbers = staffs[0].companies.count
                return {
                    var sum = 0
                    for number in 0..<numbers {
                        for staff in staffs {
                            for employee in staff.companies[number]?.employees ?? [] {
                                sum += Int(staff.people[employee]?.age ?? 0)
                            }
                        }
                    }
                    return sum
                }
            },
            subject: Workload("Core Data") { size, copies in
                let staffs = try LoadedStaff.copies(copies, of: size)
                let numbers = staffs[0].companies.count
                return {
                    var sum = 0
                    for number in 0..<numbers {
                        for staff in staffs {
                            for case let employee as Person
                                in staff.companies[number].employees ?? NSSet()
                            {
                                sum += Int(employee.age)
                            }
                        }
                    }
                    return sum
                }
            })
    }
}
