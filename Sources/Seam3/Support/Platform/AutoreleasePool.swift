import CoreData

// Where Objective-C is, what a step of a long loop leaves behind is freed at the end of the step, and not
// only when the thread or the queue comes to rest.

#if !canImport(ObjectiveC)
/// Runs a closure: there is nothing to free afterward.
func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
#endif
