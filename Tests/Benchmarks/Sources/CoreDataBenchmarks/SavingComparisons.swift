import CoreData
import Measurement

/// Inserting objects and saving them.
enum SavingComparisons {
    static var all: [Comparison] { [insertAndSave] }

    private static var insertAndSave: Comparison {
        Comparison(
            "Insert and save",
            yardstick: Workload("dictionary") { size in
                var staff = PlainStaff()
                return {
                    for index in 0..<size { staff.insertPerson(index) }
                    return staff.people.count
                }
            },
            subject: Workload("Core Data") { size in
                let context = Staff.makeContext(try Staff.makeCoordinator())
                return {
                    try context.performAndWait {
                        for index in 0..<size { Staff.insertPerson(index, into: context) }
                        let count = context.insertedObjects.count
                        try context.save()
                        return count
                    }
                }
            })
    }
}
