import FoundationGaps

/// What Core Data may do where Apple's documentation leaves it open, and this module has decided otherwise.
///
/// A store of an app must be right whichever holds. Its tests run with both: they set a coordinator's behaviors, or
/// those of a process in the environment, such as `SEAM_TEST_CORE_DATA=committedObjectIDs,deletedUnreadFaults`.
struct AlternativeBehaviors: OptionSet, Sendable {
    let rawValue: Int

    /// `committedValues(forKeys:)` has the IDs of a relationship's destinations, in an array if there may be many.
    static let committedObjectIDs = AlternativeBehaviors(rawValue: 1 << 0)
    /// A fault becomes a deleted object that the next save deletes, whatever the reason why its store did not give
    /// its values. Otherwise any reason but a missing row stops the process.
    static let deletedUnreadFaults = AlternativeBehaviors(rawValue: 1 << 1)
    /// A store is given an asynchronous fetch request as it is, and not the fetch that it contains.
    static let asynchronousRequests = AlternativeBehaviors(rawValue: 1 << 2)

    private static let names: [String: AlternativeBehaviors] = [
        "committedObjectIDs": .committedObjectIDs, "deletedUnreadFaults": .deletedUnreadFaults,
        "asynchronousRequests": .asynchronousRequests,
    ]

    /// Those that the environment names.
    static let ofProcess = AlternativeBehaviors(
        (ProcessInfo.processInfo.environment["SEAM_TEST_CORE_DATA"] ?? "")
            .components(separatedBy: ",").compactMap { names[$0] })
}
