// error: cannot override instance method parameter of type 'NSManagedObjectContext?' with non-optional type 'NSManagedObjectContext'
import CoreData

class Store: NSIncrementalStore {
    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext)
        throws -> Any
    { [] }
}
