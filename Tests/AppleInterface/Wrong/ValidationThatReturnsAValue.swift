// error: method does not override any method from its superclass
import CoreData

class Note: NSManagedObject {
    override func validateForInsert() -> Bool { true }
}
