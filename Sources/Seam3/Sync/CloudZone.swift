import CloudKit
import CoreData

/// One page of a zone's change feed.
struct ZoneChangePage {
    var records: [CKRecord] = []
    var deletions: [CKRecord.ID] = []
    /// The records that could not be fetched.
    var failures: [CKRecord.ID: any Error] = [:]
    var token: CKServerChangeToken?
    var moreComing = false
}

/// What the server said of each record of a push: the saved record, nil for a deleted one, or why not.
typealias PushAnswers = [CKRecord.ID: Result<CKRecord?, any Error>]

/// The answer to a push.
struct PushResponse {
    /// What the server said of single records, even if the request failed then.
    var answers: PushAnswers = [:]
    /// What the request failed with as a whole; nil if it did not.
    var failure: (any Error)?

    /// - Parameters:
    ///   - answers: What was reported of each record.
    ///   - result: How the operation ended. It may report its own error for each record, too, which
    ///     says nothing of the record.
    init(_ answers: PushAnswers, _ result: Result<Void, any Error>) {
        self.answers = answers
        guard case .failure(let error) = result else { return }
        if let items = (error as? CKError)?.partialErrorsByItemID, !items.isEmpty {
            for case (let id as CKRecord.ID, let error) in items where answers[id] == nil {
                self.answers[id] = .failure(error)
            }
            return
        }
        failure = error
        let code = (error as? CKError)?.code
        self.answers = answers.filter { _, answer in
            guard case .failure(let error) = answer else { return true }
            return (error as? CKError)?.code != code
        }
    }
}

/// What happened to the zones of a database since a token.
struct DatabaseChangePage {
    /// Why zones are gone.
    var losses: [CKRecordZone.ID: SMZoneLoss] = [:]
    var changed: Set<CKRecordZone.ID> = []
    var token: CKServerChangeToken?
    var moreComing = false
}

/// The store's zone in the user's private database, spoken to through CloudKit's operations.
///
/// Every operation carries an explicit configuration and the pass's operation group.
struct CloudZone {
    static let name = "SMStoreCloudStore_CustomZone"
    static let subscriptionID = "SM_CloudStore_Subscription"

    let database: CKDatabase
    let zoneID: CKRecordZone.ID
    private let group: CKOperationGroup
    private let priority: RequestPriority

    /// - Parameters:
    ///   - container: The container.
    ///   - priority: How urgent each request is.
    init(_ container: CKContainer, priority: RequestPriority = RequestPriority(.userInitiated)) {
        database = container.privateCloudDatabase
        zoneID = CKRecordZone.ID(
            zoneName: Self.name,
            ownerName: CKCurrentUserDefaultName)
        group = CKOperationGroup()
        group.name = "SMStore"
        self.priority = priority
    }

    private func add<Operation: CKDatabaseOperation>(_ operation: Operation) {
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = priority.qualityOfService
        configuration.timeoutIntervalForRequest = 60
        operation.configuration = configuration
        operation.group = group
        database.add(operation)
    }

    /// Runs an operation whose result block resumes a continuation, and cancels it with the task.
    private func run<Value>(
        _ operation: CKDatabaseOperation, _ start: (OperationContinuation<Value>) -> Void
    ) async throws -> Value {
        // The thread sanitizer does not see what is handed over by a continuation that is resumed
        // before its task waits for it. It sees a lock that both have held.
        let handover = NSLock()
        defer { handover.locked {} }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                start(OperationContinuation(continuation: continuation, handover: handover))
                add(operation)
            }
        } onCancel: {
            operation.cancel()
        }
    }

    // MARK: - Setting up

    /// Creates the zone; one that exists stays as it is.
    func createZone() async throws {
        let operation = CKModifyRecordZonesOperation(
            recordZonesToSave: [CKRecordZone(zoneID: zoneID)], recordZoneIDsToDelete: nil)
        try await run(operation) { continuation in
            let failure = OperationBox<any Error>()
            operation.perRecordZoneSaveBlock = { _, result in
                if case .failure(let error) = result { failure.value = error }
            }
            operation.modifyRecordZonesResultBlock = { result in
                continuation.resume(with: failure.value.map(Result.failure) ?? result)
            }
        }
    }

    /// Whether the zone is there.
    func zoneExists() async throws -> Bool {
        let operation = CKFetchRecordZonesOperation(recordZoneIDs: [zoneID])
        let found: Result<CKRecordZone, any Error>? = try await run(operation) { continuation in
            let found = OperationBox<Result<CKRecordZone, any Error>>()
            operation.perRecordZoneResultBlock = { _, result in found.value = result }
            operation.fetchRecordZonesResultBlock = { result in
                continuation.resume(with: result.map { found.value })
            }
        }
        switch found {
        case .success: return true
        case .failure(let error):
            let code = (error as? CKError)?.code
            if code == .zoneNotFound || code == .userDeletedZone { return false }
            throw error
        case nil: return false
        }
    }

    /// Asks for a silent push whenever another device changes the zone.
    func subscribe(id: CKSubscription.ID) async throws {
        let subscription = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: id)
        let info = CKSubscription.NotificationInfo()
        info.shouldSendContentAvailable = true
        subscription.notificationInfo = info
        let operation = CKModifySubscriptionsOperation(
            subscriptionsToSave: [subscription], subscriptionIDsToDelete: nil)
        try await run(operation) { continuation in
            let failure = OperationBox<any Error>()
            operation.perSubscriptionSaveBlock = { _, result in
                if case .failure(let error) = result { failure.value = error }
            }
            operation.modifySubscriptionsResultBlock = { result in
                continuation.resume(with: failure.value.map(Result.failure) ?? result)
            }
        }
    }

    // MARK: - Changes

    /// What happened to the database's zones since a token; one page.
    func databaseChanges(since token: CKServerChangeToken?) async throws -> DatabaseChangePage {
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
        operation.fetchAllChanges = false
        return try await run(operation) { continuation in
            let page = OperationBox(DatabaseChangePage())
            operation.recordZoneWithIDChangedBlock = { page.value?.changed.insert($0) }
            operation.recordZoneWithIDWasDeletedBlock = { page.value?.losses[$0] = .deleted }
            operation.recordZoneWithIDWasPurgedBlock = { page.value?.losses[$0] = .purged }
            operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = {
                page.value?.losses[$0] = .encryptedDataReset
            }
            operation.fetchDatabaseChangesResultBlock = { result in
                continuation.resume(
                    with: result.map { token, moreComing in
                        var page = page.value ?? DatabaseChangePage()
                        page.token = token
                        page.moreComing = moreComing
                        return page
                    })
            }
        }
    }

    /// One page of the zone's change feed.
    func changes(
        since token: CKServerChangeToken?, limit: Int
    ) async throws -> ZoneChangePage {
        let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
        configuration.previousServerChangeToken = token
        configuration.resultsLimit = limit
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [zoneID], configurationsByRecordZoneID: [zoneID: configuration])
        operation.fetchAllChanges = false
        return try await run(operation) { continuation in
            let page = OperationBox(ZoneChangePage())
            let failure = OperationBox<any Error>()
            operation.recordWasChangedBlock = { recordID, result in
                switch result {
                case .success(let record): page.value?.records.append(record)
                case .failure(let error):
                    if CloudErrorReaction.concernsOneFetch(error) {
                        page.value?.failures[recordID] = error
                    } else {
                        // The page must not count as applied.
                        failure.value = error
                    }
                }
            }
            operation.recordWithIDWasDeletedBlock = { recordID, _ in
                page.value?.deletions.append(recordID)
            }
            operation.recordZoneFetchResultBlock = { _, result in
                switch result {
                case .success(let (token, _, moreComing)):
                    page.value?.token = token
                    page.value?.moreComing = moreComing
                case .failure(let error): failure.value = error
                }
            }
            operation.fetchRecordZoneChangesResultBlock = { result in
                continuation.resume(
                    with: failure.value.map(Result.failure)
                        ?? result.map { page.value ?? ZoneChangePage() })
            }
        }
    }

    // MARK: - Pushing

    /// Saves and deletes records, each on its own.
    func modify(
        saving records: [CKRecord], deleting ids: [CKRecord.ID]
    ) async throws -> PushResponse {
        let operation = CKModifyRecordsOperation(
            recordsToSave: records.isEmpty ? nil : records,
            recordIDsToDelete: ids.isEmpty ? nil : ids)
        operation.savePolicy = .ifServerRecordUnchanged
        operation.isAtomic = false
        return try await run(operation) { continuation in
            let answers = OperationBox<PushAnswers>([:])
            operation.perRecordSaveBlock = { answers.value?[$0] = $1.map { $0 } }
            operation.perRecordDeleteBlock = { answers.value?[$0] = $1.map { nil } }
            operation.modifyRecordsResultBlock = { result in
                continuation.resume(
                    with: .success(PushResponse(answers.value ?? [:], result)))
            }
        }
    }

    /// Fetches records, each on its own.
    func records(_ ids: [CKRecord.ID]) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        var answers = try await answers(for: ids)
        // An asset that the server does not find has the same error as a record.
        let missing = answers.filter { _, answer in
            if case .failure(let error as CKError) = answer { return error.code == .unknownItem }
            return false
        }.map(\.key)
        guard !missing.isEmpty else { return answers }
        for (id, answer) in try await self.answers(for: missing, fields: []) {
            if case .success = answer { answers[id] = .failure(CKError(.assetNotAvailable)) }
        }
        return answers
    }

    private func answers(
        for ids: [CKRecord.ID], fields: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        let operation = CKFetchRecordsOperation(recordIDs: ids)
        operation.desiredKeys = fields
        return try await run(operation) { continuation in
            let found = OperationBox<[CKRecord.ID: Result<CKRecord, any Error>]>([:])
            operation.perRecordResultBlock = { found.value?[$0] = $1 }
            operation.fetchRecordsResultBlock = { result in
                continuation.resume(with: result.map { found.value ?? [:] })
            }
        }
    }
}

/// Takes an operation's result to the task that waits for it.
private struct OperationContinuation<Value>: Sendable {
    let continuation: CheckedContinuation<Value, any Error>
    let handover: NSLock

    func resume(with result: Result<Value, any Error>) {
        handover.locked {}
        continuation.resume(with: result)
    }
}

/// Collects what an operation's blocks report.
private final class OperationBox<Value>: @unchecked Sendable {
    // Unchecked because an operation calls its blocks one after another on one serial queue.

    var value: Value?

    init(_ value: Value? = nil) {
        self.value = value
    }
}
