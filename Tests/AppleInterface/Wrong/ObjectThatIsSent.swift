// error: has non-Sendable type 'NSManagedObject'
// language-mode: 6
import CoreData

struct Message: Sendable { let object: NSManagedObject }
