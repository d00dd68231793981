import CloudKitService

/// Fetches records by ID.
open class CKFetchRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The records to fetch.
    public var recordIDs: [CKRecord.ID]?

    /// The fields to fetch: all if nil, none if empty.
    public var desiredKeys: [CKRecord.FieldKey]?

    /// Called with the fraction of a record that has been fetched; the last is 1.
    public var perRecordProgressBlock: ((CKRecord.ID, Double) -> Void)?

    /// Called for each ID with the record or its error.
    public var perRecordResultBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?

    /// Called at the end. The operation succeeds even if some records failed.
    public var fetchRecordsResultBlock: ((Result<Void, any Error>) -> Void)?

    /// Called for each record, unless ``perRecordResultBlock`` is set.
    @available(*, deprecated, message: "use perRecordResultBlock")
    public var perRecordCompletionBlock: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)? {
        get { legacyPerRecordBlock }
        set { legacyPerRecordBlock = newValue }
    }

    /// Called at the end, with a partial failure if records failed.
    @available(*, deprecated, message: "use fetchRecordsResultBlock")
    public var fetchRecordsCompletionBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)? {
        get { legacyCompletionBlock }
        set { legacyCompletionBlock = newValue }
    }

    private var legacyPerRecordBlock: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?
    private var legacyCompletionBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)?
    private var fetchesCurrentUser = false

    // The reported results, for the deprecated block; used on the operation's queue only.
    private var reports = FetchReports<CKRecord.ID, CKRecord>()

    /// Creates an operation without work.
    public required override init() {
        super.init()
    }

    /// Creates an operation that fetches records.
    public convenience init(recordIDs: [CKRecord.ID]) {
        self.init()
        self.recordIDs = recordIDs
    }

    /// An operation that fetches the record of the signed-in user.
    public class func fetchCurrentUserRecordOperation() -> Self {
        let operation = Self()
        operation.fetchesCurrentUser = true
        return operation
    }

    // MARK: - Work

    override func execute(in database: CKDatabase) async throws {
        let recordIDs = try await recordIDsToFetch(in: database)
        let limit = CKModifyRecordsOperation.maximumItemCount
        guard recordIDs.count <= limit else {
            throw CKError(
                .limitExceeded,
                "Your request contains \(recordIDs.count) items which is more than the maximum"
                    + " number of items in a single request (\(limit))")
        }
        for (zoneID, recordIDs) in ZoneBatch.groups(of: recordIDs) {
            try await fetch(recordIDs, of: zoneID, in: database)
        }
    }

    private func recordIDsToFetch(in database: CKDatabase) async throws -> [CKRecord.ID] {
        guard fetchesCurrentUser else {
            var seen: Set<CKRecord.ID> = []
            return (recordIDs ?? []).filter { seen.insert($0).inserted }
        }
        let user = try await send(to: database) {
            (service, context) async throws(CloudKitServiceError) in
            try await service.fetchCaller(in: context)
        }
        return [CKRecord.ID(received: user.userRecordName)]
    }

    private func fetch(
        _ recordIDs: [CKRecord.ID], of zoneID: CKRecordZone.ID, in database: CKDatabase
    ) async throws {
        let request = LookUpRecordsRequest(
            zoneID: ZoneIDDictionary(zoneID), records: recordIDs.map { .init($0.recordName) },
            desiredKeys: desiredKeys)
        do {
            let response = try await send(to: database) {
                (service, context) async throws(CloudKitServiceError) in
                try await service.lookUpRecords(request, in: context)
            }
            var fetched: [FetchedRecord] = []
            for (recordID, item) in zip(recordIDs, response.records) {
                switch item {
                case .success(let record):
                    // Records are reported together, but none waits for another's files.
                    if record.hasAssets { try await deliver(&fetched) }
                    let result = try await self.record(record, zoneID: zoneID, in: database)
                    fetched.append((recordID, result))
                case .failure(let error):
                    fetched.append((recordID, .failure(CKError(error))))
                }
            }
            try await deliver(&fetched)
            if let interruption = response.interruption { throw Interruption(interruption) }
        } catch let interruption as Interruption {
            throw interruption.error
        } catch let error as CKError where error.concernsZone {
            await deliver {
                for recordID in recordIDs { self.report(recordID, .failure(error)) }
            }
        }
    }

    /// An error that ends the operation.
    private struct Interruption: Error {
        let error: CKError

        init(_ error: CloudKitServiceError) { self.error = CKError(error) }
    }

    /// Reports the records that have arrived.
    private func deliver(_ fetched: inout [FetchedRecord]) async throws {
        await deliver { [fetched] in
            for (recordID, result) in fetched where !self.isCancelled {
                self.report(recordID, result)
            }
        }
        fetched = []
        try checkCancellation()
    }

    // MARK: - Reports

    private func report(_ recordID: CKRecord.ID, _ result: Result<CKRecord, any Error>) {
        let fetched = try? result.get()
        if fetched != nil { perRecordProgressBlock?(recordID, 1) }
        reports.note(recordID, result)
        guard options.operationsReportItems else { return }
        if let perRecordResultBlock {
            perRecordResultBlock(recordID, result)
        } else if let legacyPerRecordBlock {
            legacyPerRecordBlock(fetched, recordID, result.error)
        }
    }

    override var itemFailure: CKError? { reports.itemFailure }

    override func finish(with result: Result<Void, any Error>) {
        fetchRecordsResultBlock?(result)
        legacyCompletionBlock?(reports.fetched, reports.error(result))
    }
}
