import CoreData

// With Objective-C, this releases temporary objects at the end of each step of a long loop, not
// only when the thread or the queue becomes idle.

#if !canImport(ObjectiveC)
/// Runs a closure: there is nothing to release.
func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
#endif
