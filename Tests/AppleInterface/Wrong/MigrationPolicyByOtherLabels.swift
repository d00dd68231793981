// error: argument labels for method
import CoreData

class Policy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSourceInstance source: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {}
}
