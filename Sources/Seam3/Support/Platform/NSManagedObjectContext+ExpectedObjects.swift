import CoreData

// CoreData on Linux makes room for what a fetch has found.

#if canImport(ObjectiveC)
extension NSManagedObjectContext {
    /// Core Data does not know how many objects are going to be asked for.
    func expectObjects(_ count: Int) {}
}
#endif
