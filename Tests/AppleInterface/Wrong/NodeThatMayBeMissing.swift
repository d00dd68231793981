// error: cannot override
import CoreData

class Store: NSIncrementalStore {
    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode? { nil }
}
