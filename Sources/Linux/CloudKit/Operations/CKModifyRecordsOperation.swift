import CloudKitService

/// Saves and deletes records.
///
/// The records of one zone are changed together or not at all, unless ``isAtomic`` is false or the
/// zone is the default one. The saved record is the instance that was passed: it has its new tag,
/// and its changed keys are those that were set during the save.
open class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The keys that are saved, and the condition under which a save is refused.
    public enum RecordSavePolicy: Int, Sendable {
        /// The changed keys are saved if nobody has changed the record since it was fetched.
        case ifServerRecordUnchanged = 0

        /// The changed keys are saved in any case.
        case changedKeys = 1

        /// All keys are saved in any case. Keys that only the server has stay.
        case allKeys = 2
    }

    /// The maximum number of records and IDs in one operation.
    static let maximumItemCount = 400

    /// The records to save.
    public var recordsToSave: [CKRecord]?

    /// The IDs of the records to delete. One that does not exist is not an error.
    public var recordIDsToDelete: [CKRecord.ID]?

    /// The keys that are saved, and the condition under which a save is refused.
    public var savePolicy: RecordSavePolicy = .ifServerRecordUnchanged

    /// Data that the next fetch of the zones' changes returns together with the change token.
    public var clientChangeTokenData: Data?

    /// Whether the changes in one zone are made together or not at all; `true` by default.
    public var isAtomic = true

    /// Called with the fraction of a record that has been sent, from 0 to 1; the last is 1.
    public var perRecordProgressBlock: ((CKRecord, Double) -> Void)?

    /// Called for each record with the saved record or its error.
    public var perRecordSaveBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?

    /// Called for each ID to delete with its success or error.
    public var perRecordDeleteBlock: ((CKRecord.ID, Result<Void, any Error>) -> Void)?

    /// Called at the end. The operation succeeds even if some records failed.
    public var modifyRecordsResultBlock: ((Result<Void, any Error>) -> Void)?

    /// Called for each record, unless ``perRecordSaveBlock`` is set.
    @available(*, deprecated, message: "use perRecordSaveBlock")
    public var perRecordCompletionBlock: ((CKRecord, (any Error)?) -> Void)? {
        get { legacyPerRecordBlock }
        set { legacyPerRecordBlock = newValue }
    }

    /// Called at the end, with a partial failure if records failed.
    @available(*, deprecated, message: "use modifyRecordsResultBlock")
    public var modifyRecordsCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?
    {
        get { legacyCompletionBlock }
        set { legacyCompletionBlock = newValue }
    }

    private var legacyPerRecordBlock: ((CKRecord, (any Error)?) -> Void)?
    private var legacyCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?

    // The reported results, for the deprecated block; used on the operation's queue only.
    private var reports = ModificationReports<CKRecord.ID, CKRecord>()

    /// Creates an operation without work.
    public override init() {
        super.init()
    }

    /// Creates an operation that saves and deletes records.
    public convenience init(
        recordsToSave: [CKRecord]? = nil, recordIDsToDelete: [CKRecord.ID]? = nil
    ) {
        self.init()
        self.recordsToSave = recordsToSave
        self.recordIDsToDelete = recordIDsToDelete
    }

    // MARK: - Work

    override func execute(in database: CKDatabase) async throws {
        let records = recordsToSave ?? []
        let recordIDs = recordIDsToDelete ?? []
        try Self.check(records, recordIDs, database.connection.options)
        for batch in ZoneBatch.batches(saving: records, deleting: recordIDs) {
            try await execute(batch, in: database)
        }
    }

    private static func check(
        _ records: [CKRecord], _ recordIDs: [CKRecord.ID], _ options: CloudKitOptions
    ) throws {
        let count = records.count + recordIDs.count
        guard count <= maximumItemCount else {
            throw CKError(
                .limitExceeded,
                "Your request contains \(count) items which is more than the maximum number of"
                    + " items in a single request (\(maximumItemCount))")
        }
        guard count > 0 || !options.refusesEmptyModifications else {
            throw CKError(.invalidArguments, "You must specify records to save or delete")
        }
        guard
            options.allowsRepeatedRecords
                || Set(records.map(\.recordID) + recordIDs).count == count
        else {
            throw CKError(
                .invalidArguments, "You can't save or delete the same record twice in one request")
        }
    }

    /// Saves and deletes the records of one zone.
    private func execute(_ batch: ZoneBatch, in database: CKDatabase) async throws {
        let snapshots = batch.records.map { record in record.withState { $0 } }
        let (uploads, uploadErrors) = try await uploadAssets(of: batch, snapshots, in: database)
        let isWithheld = isAtomic && !uploadErrors.isEmpty
        let sentIndices = snapshots.indices.filter { !isWithheld && uploadErrors[$0] == nil }
        let saves = sentIndices.map {
            snapshots[$0].saveOperation(policy: savePolicy, uploads: uploads[$0] ?? [:])
        }
        let deletions = isWithheld ? [] : batch.recordIDsToDelete.map(Self.deletion)
        var answer = Answer()
        if !saves.isEmpty || !deletions.isEmpty {
            let request = ModifyRecordsRequest(
                zoneID: ZoneIDDictionary(batch.zoneID), atomic: isAtomic,
                operations: saves + deletions, desiredKeys: [],
                clientChangeToken: clientChangeTokenData)
            answer = try await self.answer(to: request, in: database)
        }
        var outcomes = uploadErrors.mapValues(BatchOutcome.failed)
        outcomes.reserveCapacity(snapshots.count)
        for (index, outcome) in zip(sentIndices, answer.outcomes) { outcomes[index] = outcome }
        let deletedOutcomes = answer.outcomes.dropFirst(saves.count)
        // Results that are missing from an incomplete answer are unknown and not reported.
        let isComplete = answer.interruption == nil
        var results: [(CKRecord, Result<CKRecord, any Error>)] = []
        for (index, record) in batch.records.enumerated() {
            guard let outcome = outcomes[index] ?? (isComplete ? .failed(Self.innocent) : nil)
            else { continue }
            let result = try await result(of: record, snapshots[index], outcome, in: database)
            results.append((record, result))
        }
        let deleteResults =
            isWithheld
            ? batch.recordIDsToDelete.map { ($0, .failure(Self.innocent)) }
            : zip(batch.recordIDsToDelete, deletedOutcomes).map { ($0, $1.voidResult) }
        await deliver { [results] in self.report(results, deleteResults) }
        if let interruption = answer.interruption { throw interruption }
    }

    private static func deletion(of recordID: CKRecord.ID) -> RecordOperation {
        RecordOperation(.forceDelete, RecordDictionary(recordName: recordID.recordName))
    }

    private static var innocent: CKError {
        CKError(.batchRequestFailed, "Atomic failure")
    }

    /// The results of the items of a request, in their order.
    private struct Answer {
        var outcomes: [BatchOutcome] = []
        /// Why there are fewer outcomes than items.
        var interruption: CKError?
    }

    private func answer(
        to request: ModifyRecordsRequest, in database: CKDatabase
    ) async throws -> Answer {
        do {
            let response = try await send(to: database) {
                (service, context) async throws(CloudKitServiceError) in
                try await service.modifyRecords(request, in: context)
            }
            guard
                response.interruption != nil
                    || response.records.count == request.operations.count
            else {
                throw CKError(.internalError, "The server did not answer for every record")
            }
            return Answer(
                outcomes: response.records.map { item in
                    switch item {
                    case .success(let record): .done(record)
                    case .failure(let error): .refused(error)
                    }
                }, interruption: response.interruption.map { CKError($0) })
        } catch let error as CKError where error.concernsZone || error.code == .batchRequestFailed {
            // A web server may report an atomic failure as one of the whole request.
            return Answer(outcomes: request.operations.map { _ in .failed(error) })
        }
    }

    /// The result for a record, which adopts its new version if it was saved.
    private func result(
        of record: CKRecord, _ sent: CKRecord.State, _ outcome: BatchOutcome,
        in database: CKDatabase
    ) async throws -> Result<CKRecord, any Error> {
        switch outcome {
        case .done(let saved):
            database.connection.remember(sent.recordType, of: sent.recordID)
            let isUpdated = database.connection.options.savedRecordsAreUpdated
            let result = isUpdated ? record : CKRecord(state: sent)
            result.withState {
                $0.acknowledge(sent, as: saved, scope: database.databaseScope)
            }
            return .success(result)
        case .refused(let error)
        where error.serverErrorCode == .conflict || error.serverErrorCode == .exists:
            let server = try await serverRecord(of: error, for: sent.recordID, in: database)
            return .failure(CKError(conflict: error, sent: sent, server: server))
        case .refused(let error):
            return .failure(CKError(error))
        case .failed(let error):
            return .failure(error)
        }
    }

    /// The server's record for a conflict. It is fetched if the server has not returned it.
    private func serverRecord(
        of error: ErrorDictionary, for recordID: CKRecord.ID, in database: CKDatabase
    ) async throws -> CKRecord? {
        if error.omitsServerRecord == true { return nil }
        if let record = error.serverRecord {
            return database.record(record, zoneID: recordID.zoneID, files: [:])
        }
        let request = LookUpRecordsRequest(
            zoneID: ZoneIDDictionary(recordID.zoneID), records: [.init(recordID.recordName)])
        let response = try await send(to: database) {
            (service, context) async throws(CloudKitServiceError) in
            try await service.lookUpRecords(request, in: context)
        }
        return response.records.first?.item.map {
            database.record($0, zoneID: recordID.zoneID, files: [:])
        }
    }

    // MARK: - Reports

    private func report(
        _ results: [(CKRecord, Result<CKRecord, any Error>)],
        _ deleteResults: [(CKRecord.ID, Result<Void, any Error>)]
    ) {
        for (record, result) in results {
            if case .success(let saved) = result { perRecordProgressBlock?(saved, 1) }
            reports.note(record.recordID, saved: result)
            guard options.operationsReportItems else { continue }
            if let perRecordSaveBlock {
                perRecordSaveBlock(record.recordID, result)
            } else if let legacyPerRecordBlock {
                legacyPerRecordBlock(record, result.error)
            }
        }
        for (recordID, result) in deleteResults {
            reports.note(recordID, deleted: result)
            if options.operationsReportItems { perRecordDeleteBlock?(recordID, result) }
        }
    }

    override var itemFailure: CKError? { reports.itemFailure }

    override func finish(with result: Result<Void, any Error>) {
        modifyRecordsResultBlock?(result)
        legacyCompletionBlock?(reports.saved, reports.deleted, reports.error(result))
    }
}
