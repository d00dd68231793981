import CloudKitService

/// Finds the records that match a query, a page at a time.
open class CKQueryOperation: CKDatabaseOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The position where a page ended and the next begins.
    public typealias Cursor = CKQueryCursor

    /// The results limit that lets the server decide.
    public static let maximumResults = 0

    /// The query.
    public var query: CKQuery?

    /// The position to continue from. It takes precedence over ``query``.
    public var cursor: Cursor?

    /// The zone to search; if nil, all zones of a private database.
    public var zoneID: CKRecordZone.ID?

    /// The maximum number of records in the page; the server decides if it is ``maximumResults``.
    public var resultsLimit: Int = CKQueryOperation.maximumResults

    /// The fields to fetch: all if nil, none if empty.
    public var desiredKeys: [CKRecord.FieldKey]?

    /// Called for each record, in the order of the query. The result is a failure only if an asset
    /// cannot be downloaded.
    public var recordMatchedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?

    /// Called at the end with the cursor for the next page, or nil if there is none.
    public var queryResultBlock: ((Result<CKQueryOperation.Cursor?, any Error>) -> Void)?

    /// Called for each record, unless ``recordMatchedBlock`` is set.
    @available(*, deprecated, message: "use recordMatchedBlock")
    public var recordFetchedBlock: ((CKRecord) -> Void)? {
        get { legacyRecordBlock }
        set { legacyRecordBlock = newValue }
    }

    /// Called at the end.
    @available(*, deprecated, message: "use queryResultBlock")
    public var queryCompletionBlock: ((CKQueryOperation.Cursor?, (any Error)?) -> Void)? {
        get { legacyCompletionBlock }
        set { legacyCompletionBlock = newValue }
    }

    private var legacyRecordBlock: ((CKRecord) -> Void)?
    private var legacyCompletionBlock: ((CKQueryOperation.Cursor?, (any Error)?) -> Void)?

    // The end of the page; used on the operation's queue only.
    private var nextCursor: Cursor?

    /// Creates an operation without work.
    public override init() {
        super.init()
    }

    /// Creates an operation that fetches the first page.
    public convenience init(query: CKQuery) {
        self.init()
        self.query = query
    }

    /// Creates an operation that fetches the next page.
    public convenience init(cursor: Cursor) {
        self.init()
        self.cursor = cursor
    }

    // MARK: - Work

    override func execute(in database: CKDatabase) async throws {
        guard var request = try request() else { return }
        request.resultsLimit = resultsLimit > 0 ? resultsLimit : nil
        request.desiredKeys = desiredKeys
        let page = try await send(to: database) {
            [request] (service, context) async throws(CloudKitServiceError) in
            try await service.queryRecords(request, in: context)
        }
        var matches: [FetchedRecord] = []
        for case .success(let record) in page.records {
            // Records are reported together, but none waits for another's files.
            if record.hasAssets { try await deliver(&matches) }
            let zoneID =
                record.zoneID.map { CKRecordZone.ID($0, scope: database.databaseScope) }
                ?? self.zoneID ?? .default
            let recordID = CKRecord.ID(received: record.recordName, zoneID: zoneID)
            matches.append(
                (recordID, try await self.record(record, zoneID: zoneID, in: database)))
        }
        try await deliver(&matches)
        let next = page.continuationMarker.map { Cursor(request: request, marker: $0) }
        await deliver { self.nextCursor = next }
    }

    /// The request, or nil if nothing can match the query.
    private func request() throws -> QueryRecordsRequest? {
        if let cursor { return cursor.request }
        guard let query else {
            throw CKError(.invalidArguments, "A query operation needs a query or a cursor")
        }
        guard try PredicateCompiler().filters(of: query.predicate) != nil else { return nil }
        return QueryRecordsRequest(
            zoneID: zoneID.map { ZoneIDDictionary($0) }, zoneWide: zoneID == nil,
            query: try QueryDictionary(
                recordType: query.recordType, predicate: query.predicate,
                sortDescriptors: query.sortDescriptors))
    }

    // MARK: - Reports

    /// Reports the records that have arrived.
    private func deliver(_ matches: inout [FetchedRecord]) async throws {
        await deliver { [matches] in
            for (recordID, result) in matches where !self.isCancelled {
                self.report(recordID, result)
            }
        }
        matches = []
        try checkCancellation()
    }

    private func report(_ recordID: CKRecord.ID, _ result: Result<CKRecord, any Error>) {
        if let recordMatchedBlock {
            recordMatchedBlock(recordID, result)
        } else if case .success(let record) = result {
            legacyRecordBlock?(record)
        }
    }

    override func finish(with result: Result<Void, any Error>) {
        queryResultBlock?(result.map { nextCursor })
        legacyCompletionBlock?(result.error == nil ? nextCursor : nil, result.error)
    }
}
