// error: method does not override any method from its superclass
import CoreData

class Policy: NSMergePolicy {
    override func resolve(optimisticLockingConflicts list: NSMergeConflict) throws {}
}
