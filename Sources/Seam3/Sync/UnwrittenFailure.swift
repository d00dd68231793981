import CoreData

/// A pass's failure that could not be written to the store's file, which was what failed.
final class UnwrittenFailure: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    /// What a pass failed with.
    struct Failure {
        /// The error.
        let error: any Error
        /// How many passes in a row have failed.
        let count: Int
        /// When it will be repeated; nil if waiting does not help.
        let retry: Date?
    }

    private let lock = NSLock()
    private var last: Failure?

    /// The last pass's failure; nil if the file knows how the last pass ended.
    var value: Failure? {
        get { lock.locked { last } }
        set { lock.locked { last = newValue } }
    }
}
