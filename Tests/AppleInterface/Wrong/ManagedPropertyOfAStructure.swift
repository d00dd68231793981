// error: cannot be represented in Objective-C
import CoreData

struct Place { var x = 0.0 }

class Note: NSManagedObject {
    @NSManaged var place: Place
}
