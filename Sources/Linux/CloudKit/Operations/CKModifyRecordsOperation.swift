import CloudKitService

/// Saves and deletes records.
///
/// The records of one zone are changed together or not at all, unless ``isAtomic`` is false or the
/// zone is the default one. A saved record is the instance that was passed: it has its new tag, and
/// its changed keys are those that were set while the save was under way.
open class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// What is saved, and when a save is refused.
    public enum RecordSavePolicy: Int, Sendable {
        /// The changed keys are saved if nobody has changed the record since it was fetched.
        case ifServerRecordUnchanged = 0

        /// The changed keys are saved in any case.
        case changedKeys = 1

        /// All keys are saved in any case. Keys that only the server has stay.
        case allKeys = 2
    }

    /// The most records and IDs that one operation may have.
    static let maximumItemCount = 400

    /// The records to save.
    public var recordsToSave: [CKRecord]?

    /// The IDs of the records to delete. One that does not exist is no error.
    public var recordIDsToDelete: [CKRecord.ID]?

    /// What is saved, and when a save is refused.
    public var savePolicy: RecordSavePolicy = .ifServerRecordUnchanged

    /// What the next fetch of the zones' changes is to return beside the change token.
    public var clientChangeTokenData: Data?

    /// Whether the changes in one zone are made together or not at all; true unless set.
    public var isAtomic = true

    /// Called with the part of a record that has been sent, from 0 to 1; the last is 1.
    public var perRecordProgressBlock: ((CKRecord, Double) -> Void)?

    /// Called for each record with the saved record or its error.
    public var perRecordSaveBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?

    /// Called for each ID to delete with its success or error.
    public var perRecordDeleteBlock: ((CKRecord.ID, Result<Void, any Error>) -> Void)?

    /// Called at the end. Records that failed are no failure of the operation.
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

    // What has been reported, for the deprecated block; touched on the operation's queue only.
    private var savedRecords: [CKRecord] = []
    private var deletedRecordIDs: [CKRecord.ID] = []
    private var itemErrors: [AnyHashable: any Error] = [:]

    /// Creates an operation to be filled in.
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
        var outcomes: [BatchOutcome] = []
        if !saves.isEmpty || !deletions.isEmpty {
            let request = ModifyRecordsRequest(
                zoneID: ZoneIDDictionary(batch.zoneID), atomic: isAtomic,
                operations: saves + deletions, desiredKeys: [],
                clientChangeToken: clientChangeTokenData)
            outcomes = try await self.outcomes(of: request, in: database)
        }
        var savedOutcomes: [Int: BatchOutcome] = [:]
        for (index, outcome) in zip(sentIndices, outcomes) { savedOutcomes[index] = outcome }
        let deletedOutcomes = outcomes.dropFirst(saves.count)
        var results: [Result<CKRecord, any Error>] = []
        for (index, record) in batch.records.enumerated() {
            results.append(
                try await result(
                    of: record, snapshots[index],
                    savedOutcomes[index]
                        ?? .failed(uploadErrors[index] ?? Self.innocent),
                    in: database))
        }
        let deleteResults = batch.recordIDsToDelete.indices.map { index in
            deletedOutcomes.isEmpty
                ? Self.innocentResult
                : deletedOutcomes[deletedOutcomes.startIndex + index].voidResult
        }
        await deliver { [results] in self.report(results, deleteResults, of: batch) }
    }

    private static func deletion(of recordID: CKRecord.ID) -> RecordOperation {
        RecordOperation(.forceDelete, RecordDictionary(recordName: recordID.recordName))
    }

    private static var innocent: CKError {
        CKError(.batchRequestFailed, "Atomic failure")
    }

    private static var innocentResult: Result<Void, any Error> { .failure(innocent) }

    /// What became of the items of a request, in their order.
    private func outcomes(
        of request: ModifyRecordsRequest, in database: CKDatabase
    ) async throws -> [BatchOutcome] {
        do {
            let response = try await send(to: database) {
                (service, context) async throws(CloudKitServiceError) in
                try await service.modifyRecords(request, in: context)
            }
            guard response.records.count == request.operations.count else {
                throw CKError(.internalError, "The server did not answer for every record")
            }
            return response.records.map { item in
                switch item {
                case .success(let record): .done(record)
                case .failure(let error): .refused(error)
                }
            }
        } catch let error as CKError where error.concernsZone || error.code == .batchRequestFailed {
            // A web server may tell an atomic failure as one of the request.
            return request.operations.map { _ in .failed(error) }
        }
    }

    /// The result for a record, which takes over its new version if it was saved.
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

    /// The server's record for a conflict. A server that does not tell it is asked for it.
    private func serverRecord(
        of error: ErrorDictionary, for recordID: CKRecord.ID, in database: CKDatabase
    ) async throws -> CKRecord? {
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
        _ results: [Result<CKRecord, any Error>], _ deleteResults: [Result<Void, any Error>],
        of batch: ZoneBatch
    ) {
        for (record, result) in zip(batch.records, results) {
            switch result {
            case .success(let saved):
                perRecordProgressBlock?(saved, 1)
                savedRecords.append(saved)
            case .failure(let error):
                itemErrors[record.recordID] = error
            }
            if let perRecordSaveBlock {
                perRecordSaveBlock(record.recordID, result)
            } else if let legacyPerRecordBlock {
                legacyPerRecordBlock(record, result.error)
            }
        }
        for (recordID, result) in zip(batch.recordIDsToDelete, deleteResults) {
            switch result {
            case .success: deletedRecordIDs.append(recordID)
            case .failure(let error): itemErrors[recordID] = error
            }
            perRecordDeleteBlock?(recordID, result)
        }
    }

    override func finish(with result: Result<Void, any Error>) {
        modifyRecordsResultBlock?(result)
        legacyCompletionBlock?(
            savedRecords, deletedRecordIDs, result.error ?? CKError.partialFailure(itemErrors))
    }
}
