import CloudKit
import CoreData

/// What the blocks of an operation report, for the task that awaits its end.
///
/// It does not rely on the order, the number or the threads of the calls. What is reported after the end is
/// ignored.
final class OperationReport<Report>: @unchecked Sendable {
    // Unchecked because the lock guards the report, and `starting` what decides whether the operation starts.

    private let lock = NSLock()
    private var report: Report
    private let end = FirstResult<Report>()
    private let starting = NSRecursiveLock()
    private var isAdded = false
    private var isCanceled = false

    init(_ report: Report) {
        self.report = report
    }

    /// Notes a part of the report.
    func note(_ part: (inout Report) -> Void) {
        lock.locked { part(&report) }
    }

    /// Ends the report.
    ///
    /// - Parameter finish: Completes the report, or throws the error of the operation.
    func end(_ finish: (inout Report) throws -> Void) {
        end.resume(
            with: Result {
                try lock.locked {
                    try finish(&report)
                    return report
                }
            })
    }

    /// Ends the report of an operation that has ended without a result.
    private func endUnanswered(isCanceled: Bool) {
        end { _ in throw CKError(isCanceled ? .operationCancelled : .serverResponseLost) }
    }

    /// The report of an operation, which is canceled with the task.
    ///
    /// - Parameters:
    ///   - operation: The operation, whose blocks are set.
    ///   - add: Starts it.
    func value(of operation: CKDatabaseOperation, _ add: () -> Void) async throws -> Report {
        // The operation may be gone by then.
        operation.completionBlock = { [weak operation] in
            self.endUnanswered(isCanceled: operation?.isCancelled == true)
        }
        return try await withTaskCancellationHandler {
            starting.locked {
                // An operation that is canceled before it is added may not call its blocks.
                if isCanceled { return endUnanswered(isCanceled: true) }
                isAdded = true
                add()
            }
            return try await end.value()
        } onCancel: {
            starting.locked {
                isCanceled = true
                if isAdded { operation.cancel() }
            }
        }
    }
}
