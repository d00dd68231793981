// error: argument labels for method
import CoreData

class Store: NSIncrementalStore {
    override func newValue(
        for relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any { [] }
}
