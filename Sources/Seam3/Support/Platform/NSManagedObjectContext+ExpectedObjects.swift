import CoreData

// CoreData on Linux reserves memory for the objects of a fetch.

#if canImport(ObjectiveC)
extension NSManagedObjectContext {
    /// Core Data cannot be told how many objects will be created.
    func expectObjects(_ count: Int) {}
}
#endif
