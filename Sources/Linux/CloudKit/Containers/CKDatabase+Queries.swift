extension CKDatabase {
    typealias QueryResults = (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
        queryCursor: CKQueryOperation.Cursor?
    )

    /// Finds the first page of the records that match a query.
    public func fetch(
        withQuery query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                        queryCursor: CKQueryOperation.Cursor?
                    ), any Error
                >
            ) -> Void
    ) {
        let operation = CKQueryOperation(query: query)
        operation.zoneID = zoneID
        addConvenience(complete(operation, desiredKeys, resultsLimit, completionHandler))
    }

    /// Finds the next page of the records that match a query.
    public func fetch(
        withCursor queryCursor: CKQueryOperation.Cursor,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                        queryCursor: CKQueryOperation.Cursor?
                    ), any Error
                >
            ) -> Void
    ) {
        let operation = CKQueryOperation(cursor: queryCursor)
        addConvenience(complete(operation, desiredKeys, resultsLimit, completionHandler))
    }

    /// Finds the first page of the records that match a query.
    ///
    /// - Returns: the records in the order of the query, and a cursor if there are more.
    public func records(
        matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
        queryCursor: CKQueryOperation.Cursor?
    ) {
        try await value {
            let operation = CKQueryOperation(query: query)
            operation.zoneID = zoneID
            return complete(operation, desiredKeys, resultsLimit, $0)
        }
    }

    /// Finds the next page of the records that match a query.
    public func records(
        continuingMatchFrom queryCursor: CKQueryOperation.Cursor,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
        queryCursor: CKQueryOperation.Cursor?
    ) {
        try await value {
            complete(CKQueryOperation(cursor: queryCursor), desiredKeys, resultsLimit, $0)
        }
    }

    /// Finds the first records that match a query, as many as the server returns at once.
    @available(*, deprecated, message: "use fetch(withQuery:inZoneWith:...)")
    public func perform(
        _ query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?,
        completionHandler: @escaping @Sendable ([CKRecord]?, (any Error)?) -> Void
    ) {
        fetch(withQuery: query, inZoneWith: zoneID) { result in
            result.map { $0.matchResults.compactMap { try? $0.1.get() } }
                .complete(completionHandler)
        }
    }

    /// Finds the first records that match a query, as many as the server returns at once.
    @_disfavoredOverload
    @available(*, deprecated, message: "use records(matching:inZoneWith:desiredKeys:resultsLimit:)")
    public func records(
        matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?
    ) async throws -> [CKRecord] {
        let results: QueryResults = try await records(
            matching: query, inZoneWith: zoneID, desiredKeys: nil)
        return results.matchResults.compactMap { try? $0.1.get() }
    }

    private func complete(
        _ operation: CKQueryOperation, _ desiredKeys: [CKRecord.FieldKey]?, _ resultsLimit: Int,
        _ completion: @escaping @Sendable (Result<QueryResults, any Error>) -> Void
    ) -> CKQueryOperation {
        let matches = Locked<[(CKRecord.ID, Result<CKRecord, any Error>)]>([])
        operation.desiredKeys = desiredKeys
        operation.resultsLimit = resultsLimit
        operation.recordMatchedBlock = { recordID, result in
            matches.withLock { $0.append((recordID, result)) }
        }
        operation.queryResultBlock = { completion($0.map { (matches.value, $0) }) }
        return operation
    }
}
