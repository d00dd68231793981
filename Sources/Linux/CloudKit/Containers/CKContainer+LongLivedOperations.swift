// Operations that outlive their process do not exist on Linux; these methods find none.
extension CKContainer {
    /// Fetches the IDs of the long-lived operations: none.
    public func fetchAllLongLivedOperationIDs(
        completionHandler: @escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void
    ) {
        completionHandler([], nil)
    }

    /// Fetches the IDs of the long-lived operations: none.
    public func allLongLivedOperationIDs() async throws -> [CKOperation.ID] { [] }

    /// Fetches a long-lived operation: none.
    public func fetchLongLivedOperation(
        withID operationID: CKOperation.ID,
        completionHandler: @escaping @Sendable (CKOperation?, (any Error)?) -> Void
    ) {
        completionHandler(nil, nil)
    }

    /// Fetches a long-lived operation: none.
    public func longLivedOperation(for operationID: CKOperation.ID) async throws -> CKOperation? {
        nil
    }
}
