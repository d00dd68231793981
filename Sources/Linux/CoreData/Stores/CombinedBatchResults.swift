import FoundationGaps

/// Batch requests that several stores answer.
extension NSPersistentStoreCoordinator {
    /// One result that covers what all stores did: their IDs together, the sum of their counts, success
    /// if all succeeded.
    ///
    /// - Returns: Nil if the results are not those of a batch update or deletion.
    static func combinedBatchResult(_ results: [Any]) -> NSPersistentStoreResult? {
        if let results = results as? [NSBatchUpdateResult], let type = results.first?.resultType {
            let values = results.map(\.result)
            let value: Any =
                switch type {
                case .statusOnlyResultType: values.succeeded
                case .updatedObjectIDsResultType: values.objectIDs
                case .updatedObjectsCountResultType: values.sum
                }
            return CombinedUpdateResult(value, type)
        }
        if let results = results as? [NSBatchDeleteResult], let type = results.first?.resultType {
            let values = results.map(\.result)
            let value: Any =
                switch type {
                case .resultTypeStatusOnly: values.succeeded
                case .resultTypeObjectIDs: values.objectIDs
                case .resultTypeCount: values.sum
                }
            return CombinedDeleteResult(value, type)
        }
        return nil
    }
}

extension [Any?] {
    /// Whether all results of a request that tells only that are true.
    var succeeded: Bool { allSatisfy { $0 as? Bool ?? false } }

    /// The sum of counts.
    var sum: Int { reduce(0) { $0 + (($1 as? NSNumber)?.intValue ?? $1 as? Int ?? 0) } }

    /// The IDs of all results.
    var objectIDs: [NSManagedObjectID] { flatMap { $0 as? [NSManagedObjectID] ?? [] } }
}

private final class CombinedUpdateResult: NSBatchUpdateResult {
    private let value: Any
    private let type: NSBatchUpdateRequestResultType

    init(_ value: Any, _ type: NSBatchUpdateRequestResultType) {
        self.value = value
        self.type = type
        super.init()
    }

    override var result: Any? { value }
    override var resultType: NSBatchUpdateRequestResultType { type }
}

private final class CombinedDeleteResult: NSBatchDeleteResult {
    private let value: Any
    private let type: NSBatchDeleteRequestResultType

    init(_ value: Any, _ type: NSBatchDeleteRequestResultType) {
        self.value = value
        self.type = type
        super.init()
    }

    override var result: Any? { value }
    override var resultType: NSBatchDeleteRequestResultType { type }
}
