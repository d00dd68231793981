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

    /// The configuration of a request.
    static func configuration(
        _ qualityOfService: QualityOfService
    ) -> CKOperation.Configuration {
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = qualityOfService
        configuration.timeoutIntervalForRequest = 60
        // The default is a week, and a waiting pass keeps all others from starting.
        configuration.timeoutIntervalForResource = 60 * 60
        return configuration
    }

    /// Runs an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - report: The report before anything was reported.
    ///   - setBlocks: Sets the operation's blocks, which note the report and end it.
    private func run<Report>(
        _ operation: CKDatabaseOperation, _ report: Report,
        _ setBlocks: (OperationReport<Report>) -> Void
    ) async throws -> Report {
        let reports = OperationReport(report)
        setBlocks(reports)
        operation.configuration = Self.configuration(qualityOfService())
        operation.group = group
        return try await reports.value(of: operation) { database.add(operation) }
    }

    /// The error of an item: its own, or that of its operation. An operation may report the errors of its items in
    /// its own, besides or instead.
    private static func error(
        of item: AnyHashable, _ own: (any Error)?, _ result: Result<Void, any Error>
    ) -> (any Error)? {
        if let own { return own }
        guard case .failure(let error) = result else { return nil }
        return (error as? CKError)?.partialErrorsByItemID?[item] ?? error
    }

    // MARK: - Setting up

    /// Creates the zone. Does not change an existing zone.
    func createZone() async throws {
        let operation = CKModifyRecordZonesOperation(
            recordZonesToSave: [CKRecordZone(zoneID: zoneID)], recordZoneIDsToDelete: nil)
        _ = try await run(operation, nil as (any Error)?) { reports in
            operation.perRecordZoneSaveBlock = { _, result in
                if case .failure(let error) = result { reports.note { $0 = error } }
            }
            operation.modifyRecordZonesResultBlock = { result in
                reports.end { if let error = Self.error(of: zoneID, $0, result) { throw error } }
            }
        }
    }

    /// Deletes the zone. One that does not exist is not an error.
    func deleteZone() async throws {
        let operation = CKModifyRecordZonesOperation(
            recordZonesToSave: nil, recordZoneIDsToDelete: [zoneID])
        _ = try await run(operation, nil as (any Error)?) { reports in
            operation.perRecordZoneDeleteBlock = { _, result in
                if case .failure(let error) = result { reports.note { $0 = error } }
            }
            operation.modifyRecordZonesResultBlock = { result in
                reports.end {
                    if let error = Self.error(of: zoneID, $0, result), !Self.isMissing(error) {
                        throw error
                    }
                }
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
        let found = try await run(operation, nil as Result<Void, any Error>?) { reports in
            operation.perRecordZoneResultBlock = { _, result in
                reports.note { $0 = result.map { _ in } }
            }
            operation.fetchRecordZonesResultBlock = { result in
                reports.end { found in
                    // Success without a result for the zone does not tell.
                    let error = Self.error(of: zoneID, nil, result)
                    found = found ?? .failure(error ?? CKError(.serverResponseLost))
                }
            }
        }
        do {
            try found?.get()
            return true
        } catch  where Self.isMissing(error) {
            return false
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
        _ = try await run(operation, nil as (any Error)?) { reports in
            operation.perSubscriptionSaveBlock = { _, result in
                if case .failure(let error) = result { reports.note { $0 = error } }
            }
            operation.modifySubscriptionsResultBlock = { result in
                reports.end { if let error = Self.error(of: id, $0, result) { throw error } }
            }
        }
    }

    // MARK: - Changes

    /// One page of changes of the database's zones since a token.
    func databaseChanges(since data: Data?) async throws -> SMCloudDatabaseChanges {
        let token = try ChangeTokenArchive.token(data)
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
        operation.fetchAllChanges = false
        return try await run(operation, SMCloudDatabaseChanges()) { reports in
            operation.recordZoneWithIDChangedBlock = { id in
                reports.note { $0.changed.insert(id) }
            }
            func note(_ loss: SMZoneLoss) -> (CKRecordZone.ID) -> Void {
                { id in reports.note { $0.losses[id] = loss } }
            }
            operation.recordZoneWithIDWasDeletedBlock = note(.deleted)
            operation.recordZoneWithIDWasPurgedBlock = note(.purged)
            operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = note(
                .encryptedDataReset)
            operation.fetchDatabaseChangesResultBlock = { result in
                reports.end { page in
                    let (next, moreComing) = try result.get()
                    page.token = try ChangeTokenArchive.data(next, after: (token, data))
                    page.moreComing = moreComing
                }
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
        typealias End = Result<(CKServerChangeToken, Data?, Bool), any Error>
        let report = (page: SMCloudZoneChanges(), end: nil as End?)
        return try await run(operation, report) { reports in
            operation.recordWasChangedBlock = { recordID, result in
                reports.note {
                    switch result {
                    case .success(let record): $0.page.records.append(SMCloudRecord(record))
                    case .failure(let error): $0.page.failures[recordID] = error
                    }
                }
            }
            operation.recordWithIDWasDeletedBlock = { recordID, _ in
                reports.note { $0.page.deletions.append(recordID) }
            }
            operation.recordZoneFetchResultBlock = { _, result in
                let end = result.map {
                    ($0.serverChangeToken, $0.clientChangeTokenData, $0.moreComing)
                }
                reports.note { $0.end = end }
            }
            operation.fetchRecordZoneChangesResultBlock = { result in
                reports.end { report in
                    let end = try report.end?.get()
                    if let error = Self.error(of: zoneID, nil, result) { throw error }
                    // Without the zone's result, nobody knows whether this is everything.
                    guard let (next, clientToken, moreComing) = end else {
                        throw CKError(.serverResponseLost)
                    }
                    report.page.clientToken = clientToken
                    report.page.token = try ChangeTokenArchive.data(next, after: (token, data))
                    report.page.moreComing = moreComing
                }
            }
        }.page
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
        let saves = records.map(\.record.recordID)
        var answer = SMCloudModifications()
        answer.saved.reserveCapacity(records.count)
        return try await run(operation, answer) { reports in
            operation.perRecordSaveBlock = { id, result in
                reports.note { answer in
                    answer.saved[id] = result.map { SMCloudRecord($0) }
                    if case .failure(let error as CKError) = result,
                        let record = error.serverRecord
                    {
                        answer.serverRecords[id] = SMCloudRecord(record)
                    }
                }
            }
            operation.perRecordDeleteBlock = { id, result in
                reports.note { $0.deleted[id] = result }
            }
            operation.modifyRecordsResultBlock = { result in
                reports.end { answer in
                    if case .failure(let error) = result {
                        answer.noteFailure(error, ofSaving: saves)
                    }
                    answer.noteMissing(saves, ids)
                }
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
        let found: [CKRecord.ID: Result<SMCloudRecord, any Error>] = [:]
        return try await run(operation, found) { reports in
            operation.perRecordResultBlock = { id, result in
                reports.note { $0[id] = result.map { SMCloudRecord($0) } }
            }
            operation.fetchRecordsResultBlock = { result in
                reports.end { found in
                    var errors: [AnyHashable: any Error] = [:]
                    if case .failure(let error) = result {
                        guard let items = (error as? CKError)?.partialErrorsByItemID else {
                            throw error
                        }
                        errors = items
                    }
                    for id in ids where found[id] == nil {
                        found[id] = .failure(errors[id] ?? CKError(.serverResponseLost))
                    }
                }
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

    /// Notes that a request which has not failed lacks answers: nobody knows whether it was carried out.
    mutating func noteMissing(_ saves: [CKRecord.ID], _ deletions: [CKRecord.ID]) {
        guard failure == nil else { return }
        let isComplete =
            saves.allSatisfy { saved[$0] != nil } && deletions.allSatisfy { deleted[$0] != nil }
        if !isComplete { failure = CKError(.serverResponseLost) }
    }

    private static func isFailure<Value>(
        _ answer: Result<Value, any Error>, _ code: CKError.Code?
    ) -> Bool {
        guard case .failure(let error) = answer else { return false }
        return (error as? CKError)?.code == code
    }
}
