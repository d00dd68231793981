import CloudKit
import CoreData

/// A zone in the user's private database, accessed through CloudKit's operations, as apps use it.
///
/// Every operation has an explicit configuration and the pass's operation group.
struct ContainerZone: SMCloudZone {
    let database: CKDatabase
    let zoneID: CKRecordZone.ID
    private let group: CKOperationGroup
    private let qualityOfService: @Sendable () -> QualityOfService

    /// - Parameters:
    ///   - container: The container.
    ///   - zoneID: The zone.
    ///   - qualityOfService: The quality of service of each request.
    init(
        _ container: CKContainer, _ zoneID: CKRecordZone.ID,
        qualityOfService: @escaping @Sendable () -> QualityOfService
    ) {
        database = container.privateCloudDatabase
        self.zoneID = zoneID
        group = CKOperationGroup()
        group.name = "SMStore"
        self.qualityOfService = qualityOfService
    }

    private func add<Operation: CKDatabaseOperation>(_ operation: Operation) {
        operation.configuration = configuration()
        operation.group = group
        database.add(operation)
    }

    /// The configuration of each operation.
    func configuration() -> CKOperation.Configuration {
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = qualityOfService()
        configuration.timeoutIntervalForRequest = 60
        // The default is a week, and a waiting pass keeps all others from starting.
        configuration.timeoutIntervalForResource = 60 * 60
        return configuration
    }

    /// Runs an operation whose result block resumes a continuation, and cancels it with the task.
    private func run<Value>(
        _ operation: CKDatabaseOperation, _ start: (OperationContinuation<Value>) -> Void
    ) async throws -> Value {
        // What Apple's frameworks do here is an assumption: SM-4 and CK-35.
        // An operation that is canceled before it is added may not call its blocks.
        guard !Task.isCancelled else { throw CKError(.operationCancelled) }
        // The thread sanitizer does not see the handover of a value by a continuation that is
        // resumed before its task awaits it. It does see a lock that both sides have held.
        let handover = NSLock()
        defer { handover.locked {} }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = OperationContinuation(continuation, handover)
                start(answer)
                operation.completionBlock = { [unowned operation] in
                    answer.resume(with: .failure(Self.error(ofUnanswered: operation)))
                }
                add(operation)
            }
        } onCancel: {
            operation.cancel()
        }
    }

    /// The error of an operation that has ended without a result.
    private static func error(ofUnanswered operation: Operation) -> CKError {
        CKError(operation.isCancelled ? .operationCancelled : .serverResponseLost)
    }

    // MARK: - Setting up

    /// Creates the zone. Does not change an existing zone.
    func createZone() async throws {
        let operation = CKModifyRecordZonesOperation(
            recordZonesToSave: [CKRecordZone(zoneID: zoneID)], recordZoneIDsToDelete: nil)
        try await run(operation) { continuation in
            let failure = OperationBox<(any Error)?>(nil)
            operation.perRecordZoneSaveBlock = { _, result in
                if case .failure(let error) = result { failure.value = error }
            }
            operation.modifyRecordZonesResultBlock = { result in
                continuation.resume(with: failure.value.map(Result.failure) ?? result)
            }
        }
    }

    /// Deletes the zone. One that does not exist is not an error.
    func deleteZone() async throws {
        let operation = CKModifyRecordZonesOperation(
            recordZonesToSave: nil, recordZoneIDsToDelete: [zoneID])
        try await run(operation) { continuation in
            let failure = OperationBox<(any Error)?>(nil)
            operation.perRecordZoneDeleteBlock = { _, result in
                if case .failure(let error) = result, !Self.isMissing(error) {
                    failure.value = error
                }
            }
            operation.modifyRecordZonesResultBlock = { result in
                continuation.resume(with: failure.value.map(Result.failure) ?? result)
            }
        }
    }

    /// Whether an error means that the zone does not exist.
    private static func isMissing(_ error: any Error) -> Bool {
        let code = (error as? CKError)?.code
        return code == .zoneNotFound || code == .userDeletedZone
    }

    /// Whether the zone exists.
    func zoneExists() async throws -> Bool {
        let operation = CKFetchRecordZonesOperation(recordZoneIDs: [zoneID])
        let found: Result<CKRecordZone, any Error>? = try await run(operation) { continuation in
            let found = OperationBox<Result<CKRecordZone, any Error>?>(nil)
            operation.perRecordZoneResultBlock = { _, result in found.value = result }
            operation.fetchRecordZonesResultBlock = { result in
                continuation.resume(with: result.map { found.value })
            }
        }
        switch found {
        case .success: return true
        case .failure(let error):
            if Self.isMissing(error) { return false }
            throw error
        case nil: return false
        }
    }

    /// Subscribes to silent pushes for changes that other devices make to the zone.
    func subscribe(id: CKSubscription.ID) async throws {
        let subscription = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: id)
        let info = CKSubscription.NotificationInfo()
        info.shouldSendContentAvailable = true
        subscription.notificationInfo = info
        let operation = CKModifySubscriptionsOperation(
            subscriptionsToSave: [subscription], subscriptionIDsToDelete: nil)
        try await run(operation) { continuation in
            let failure = OperationBox<(any Error)?>(nil)
            operation.perSubscriptionSaveBlock = { _, result in
                if case .failure(let error) = result { failure.value = error }
            }
            operation.modifySubscriptionsResultBlock = { result in
                continuation.resume(with: failure.value.map(Result.failure) ?? result)
            }
        }
    }

    // MARK: - Changes

    /// One page of changes of the database's zones since a token.
    func databaseChanges(since data: Data?) async throws -> SMCloudDatabaseChanges {
        let token = try ChangeTokenArchive.token(data)
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
        operation.fetchAllChanges = false
        return try await run(operation) { continuation in
            let page = OperationBox(SMCloudDatabaseChanges())
            operation.recordZoneWithIDChangedBlock = { page.value.changed.insert($0) }
            operation.recordZoneWithIDWasDeletedBlock = { page.value.losses[$0] = .deleted }
            operation.recordZoneWithIDWasPurgedBlock = { page.value.losses[$0] = .purged }
            operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = {
                page.value.losses[$0] = .encryptedDataReset
            }
            operation.fetchDatabaseChangesResultBlock = { result in
                continuation.resume(
                    with: Result {
                        let (next, moreComing) = try result.get()
                        page.value.token = try ChangeTokenArchive.data(next, after: (token, data))
                        page.value.moreComing = moreComing
                        return page.value
                    })
            }
        }
    }

    /// One page of the zone's change feed.
    func changes(since data: Data?, limit: Int) async throws -> SMCloudZoneChanges {
        let token = try ChangeTokenArchive.token(data)
        let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
        configuration.previousServerChangeToken = token
        configuration.resultsLimit = limit
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [zoneID], configurationsByRecordZoneID: [zoneID: configuration])
        operation.fetchAllChanges = false
        return try await run(operation) { continuation in
            let page = OperationBox(SMCloudZoneChanges())
            let end = OperationBox<Result<(CKServerChangeToken, Data?, Bool), any Error>?>(nil)
            operation.recordWasChangedBlock = { recordID, result in
                switch result {
                case .success(let record): page.value.records.append(SMCloudRecord(record))
                case .failure(let error): page.value.failures[recordID] = error
                }
            }
            operation.recordWithIDWasDeletedBlock = { recordID, _ in
                page.value.deletions.append(recordID)
            }
            operation.recordZoneFetchResultBlock = { _, result in
                end.value = result.map {
                    ($0.serverChangeToken, $0.clientChangeTokenData, $0.moreComing)
                }
            }
            operation.fetchRecordZoneChangesResultBlock = { result in
                continuation.resume(
                    with: Result {
                        let end = try end.value?.get()
                        try result.get()
                        if let (next, clientToken, moreComing) = end {
                            page.value.clientToken = clientToken
                            page.value.token = try ChangeTokenArchive.data(
                                next, after: (token, data))
                            page.value.moreComing = moreComing
                        }
                        return page.value
                    })
            }
        }
    }

    // MARK: - Pushing

    /// Saves and deletes records, all of them or none.
    func modify(
        saving records: [SMCloudRecord], deleting ids: [CKRecord.ID], clientToken: Data?
    ) async throws -> SMCloudModifications {
        let operation = CKModifyRecordsOperation(
            recordsToSave: records.isEmpty ? nil : records.map(\.record),
            recordIDsToDelete: ids.isEmpty ? nil : ids)
        operation.savePolicy = .ifServerRecordUnchanged
        operation.isAtomic = true
        operation.clientChangeTokenData = clientToken
        return try await run(operation) { continuation in
            let answer = OperationBox(SMCloudModifications())
            answer.value.saved.reserveCapacity(records.count)
            operation.perRecordSaveBlock = { id, result in
                answer.value.saved[id] = result.map { SMCloudRecord($0) }
                if case .failure(let error as CKError) = result, let record = error.serverRecord {
                    answer.value.serverRecords[id] = SMCloudRecord(record)
                }
            }
            operation.perRecordDeleteBlock = { answer.value.deleted[$0] = $1 }
            operation.modifyRecordsResultBlock = { result in
                if case .failure(let error) = result {
                    answer.value.noteFailure(error, ofSaving: records.map(\.record.recordID))
                }
                continuation.resume(with: .success(answer.value))
            }
        }
    }

    /// Fetches records, each independently.
    func records(
        _ ids: [CKRecord.ID]
    ) async throws -> [CKRecord.ID: Result<SMCloudRecord, any Error>] {
        var answers = try await answers(for: ids)
        // The error for an asset that the server does not find is the same as for a record.
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

    func records(
        _ ids: [CKRecord.ID], fields: [CKRecord.FieldKey]
    ) async throws -> [CKRecord.ID: Result<SMCloudRecord, any Error>] {
        try await answers(for: ids, fields: fields)
    }

    private func answers(
        for ids: [CKRecord.ID], fields: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<SMCloudRecord, any Error>] {
        let operation = CKFetchRecordsOperation(recordIDs: ids)
        operation.desiredKeys = fields
        return try await run(operation) { continuation in
            let found = OperationBox<[CKRecord.ID: Result<SMCloudRecord, any Error>]>([:])
            operation.perRecordResultBlock = { found.value[$0] = $1.map { SMCloudRecord($0) } }
            operation.fetchRecordsResultBlock = { result in
                continuation.resume(with: result.map { found.value })
            }
        }
    }
}

extension SMCloudModifications {
    /// Takes over the error of a whole operation. The operation may also report that error for each
    /// record, which then says nothing about the record.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - ids: The records to save; all others were to be deleted.
    mutating func noteFailure(_ error: any Error, ofSaving ids: [CKRecord.ID]) {
        if let items = (error as? CKError)?.partialErrorsByItemID, !items.isEmpty {
            for case (let id as CKRecord.ID, let error) in items {
                if ids.contains(id) {
                    saved[id] = saved[id] ?? .failure(error)
                } else {
                    deleted[id] = deleted[id] ?? .failure(error)
                }
            }
            return
        }
        failure = error
        let code = (error as? CKError)?.code
        saved = saved.filter { !Self.isFailure($0.value, code) }
        deleted = deleted.filter { !Self.isFailure($0.value, code) }
    }

    private static func isFailure<Value>(
        _ answer: Result<Value, any Error>, _ code: CKError.Code?
    ) -> Bool {
        guard case .failure(let error) = answer else { return false }
        return (error as? CKError)?.code == code
    }
}

/// Passes the first result of an operation to the task that awaits it.
private final class OperationContinuation<Value>: @unchecked Sendable {
    // Unchecked because the lock guards the mutable state.

    private var continuation: CheckedContinuation<Value, any Error>?
    private let handover: NSLock

    init(_ continuation: CheckedContinuation<Value, any Error>, _ handover: NSLock) {
        self.continuation = continuation
        self.handover = handover
    }

    func resume(with result: Result<Value, any Error>) {
        let waiting = handover.locked { () -> CheckedContinuation<Value, any Error>? in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(with: result)
    }
}

/// Collects what an operation's blocks report.
private final class OperationBox<Value>: @unchecked Sendable {
    // Unchecked because an operation calls its blocks one after another on one serial queue.

    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
