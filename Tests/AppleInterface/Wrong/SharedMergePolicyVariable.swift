// error: is not concurrency-safe because it involves shared mutable state
// language-mode: 6
import CoreData

func prefer(_ context: NSManagedObjectContext) {
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
}
