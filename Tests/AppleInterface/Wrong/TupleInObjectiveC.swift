// error: cannot be represented in Objective-C
import CoreData

class Note: NSManagedObject {
    @objc func move(to place: (Int, Int)) {}
}
