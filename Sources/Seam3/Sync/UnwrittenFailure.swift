import CoreData

/// A pass's failure that could not be written to the store's file, because the file itself is the
/// cause.
final class UnwrittenFailure: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    /// The failure of a pass.
    struct Failure {
        /// The error.
        let error: any Error
        /// The number of passes that have failed in a row.
        let count: Int
        /// The date of the retry; nil if waiting does not help.
        let retry: Date?
    }

    private let lock = NSLock()
    private var last: Failure?

    /// The last pass's failure; nil if the result of the last pass is in the file.
    var value: Failure? {
        get { lock.locked { last } }
        set { lock.locked { last = newValue } }
    }
}
