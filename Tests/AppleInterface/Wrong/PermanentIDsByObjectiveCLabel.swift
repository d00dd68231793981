// error: argument labels for method 'obtainPermanentIDs(forObjects:)' do not match those of overridden method 'obtainPermanentIDs(for:)'
import CoreData

class Store: NSIncrementalStore {
    override func obtainPermanentIDs(forObjects array: [NSManagedObject]) throws
        -> [NSManagedObjectID]
    { [] }
}
