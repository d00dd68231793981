import CoreData
import Measurement

/// Inserting and saving objects, and changing saved ones.
enum SavingComparisons {
    static var all: [Comparison] { [insertAndSave, setValue, changeAndSave] }

    private static var insertAndSave: Comparison {
        Comparison(
            "Insert and save",
            yardstick: Workload("dictionary") { size, copies in
                let names = Staff.names(size)
                var staffs = Array(repeating: PlainStaff(), count: copies)
                return {
                    for index in 0..<size {
                        for copy in 0..<copies {
                            let person = staffs[copy].insertPerson(index, names[index])
                            staffs[copy].noteChange(of: person)
                        }
                    }
                    for copy in 0..<copies { staffs[copy].save() }
                    return staffs.reduce(0) { $0 + $1.people.count }
                }
            },
            subject: Workload("Core Data") { size, copies in
                let names = Staff.names(size)
                let contexts = try (0..<copies).map { _ in
                    Staff.makeContext(try Staff.makeCoordinator())
                }
                return {
                    for index in 0..<size {
                        for context in contexts {
                            Staff.insertPerson(index, names[index], into: context)
                        }
                    }
                    for context in contexts { try context.save() }
                    return size * copies
                }
            })
    }

    /// The first change of a value in each object, and the end of the event.
    private static var setValue: Comparison {
        Comparison(
            "Set a value",
            yardstick: Workload("dictionary") { size, copies in
                let staffs = PlainStaff.copies(copies, of: size)
                let visits = Visits.inRandomOrder(copies, of: size)
                return {
                    for visit in visits { staffs[visit.copy].people[visit.index]?.age = 17 }
                    return visits.count
                }
            },
            subject: Workload("Core Data") { size, copies in
                let staffs = try LoadedStaff.copies(copies, of: size)
                let visits = Visits.inRandomOrder(copies, of: size)
                return {
                    setValues(in: staffs, visits)
                    for staff in staffs { staff.context.processPendingChanges() }
                    return staffs.reduce(0) { $0 + $1.people.count }
                }
            })
    }

    /// A change in each object, and the save that writes them.
    private static var changeAndSave: Comparison {
        Comparison(
            "Change and save",
            yardstick: Workload("dictionary") { size, copies in
                var staffs = PlainStaff.savedCopies(copies, of: size)
                let visits = Visits.inRandomOrder(copies, of: size)
                return {
                    for visit in visits {
                        guard let person = staffs[visit.copy].people[visit.index] else { continue }
                        person.age = 17
                        staffs[visit.copy].noteChange(of: person)
                    }
                    for copy in 0..<copies { staffs[copy].save() }
                    return visits.count
                }
            },
            subject: Workload("Core Data") { size, copies in
                let staffs = try LoadedStaff.copies(copies, of: size)
                let visits = Visits.inRandomOrder(copies, of: size)
                return {
                    setValues(in: staffs, visits)
                    for staff in staffs { try staff.context.save() }
                    return staffs.reduce(0) { $0 + $1.people.count }
                }
            })
    }

    private static func setValues(in staffs: [LoadedStaff], _ visits: [Visits.Visit]) {
        for visit in visits { staffs[visit.copy].people[visit.index].age = 17 }
    }
}
