import CoreData
import Measurement

/// Inserting objects and saving them, and changing saved ones.
enum SavingComparisons {
    static var all: [Comparison] { [insertAndSave, setValue, changeAndSave] }

    private static var insertAndSave: Comparison {
        Comparison(
            "Insert and save",
            yardstick: Workload("dictionary") { size in
                let names = Staff.names(size)
                var staff = PlainStaff()
                return {
                    for index in 0..<size { staff.insertPerson(index, names[index]) }
                    return staff.people.count
                }
            },
            subject: Workload("Core Data") { size in
                let names = Staff.names(size)
                let context = Staff.makeContext(try Staff.makeCoordinator())
                return {
                    try context.performAndWait {
                        for index in 0..<size {
                            Staff.insertPerson(index, names[index], into: context)
                        }
                        let count = size
                        try context.save()
                        return count
                    }
                }
            })
    }

    /// The first change of a value in each object, found by its identifier.
    private static var setValue: Comparison {
        Comparison(
            "Set a value",
            yardstick: Workload("dictionary") { size in
                let staff = PlainStaff.filled(size)
                return {
                    for index in 0..<size { staff.people[index]?.age = 17 }
                    return size
                }
            },
            subject: Workload("Core Data") { size in
                let loaded = try LoadedStaff(size)
                return {
                    loaded.context.performAndWait {
                        for person in loaded.people { person.age = 17 }
                        return loaded.people.count
                    }
                }
            })
    }

    /// A change in each object, and the save that writes them.
    private static var changeAndSave: Comparison {
        Comparison(
            "Change and save",
            yardstick: Workload("dictionary") { size in
                let staff = PlainStaff.filled(size)
                return {
                    for index in 0..<size { staff.people[index]?.age = 17 }
                    return size
                }
            },
            subject: Workload("Core Data") { size in
                let loaded = try LoadedStaff(size)
                return {
                    try loaded.context.performAndWait {
                        for person in loaded.people { person.age = 17 }
                        try loaded.context.save()
                        return loaded.people.count
                    }
                }
            })
    }
}
