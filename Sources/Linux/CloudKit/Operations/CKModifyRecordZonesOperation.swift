import CloudKitService

/// Saves and deletes zones.
open class CKModifyRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The zones to save. An existing zone is not changed.
    public var recordZonesToSave: [CKRecordZone]?

    /// The zones to delete, with all their records.
    public var recordZoneIDsToDelete: [CKRecordZone.ID]?

    /// Called for each zone with the saved zone or its error.
    public var perRecordZoneSaveBlock: ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?

    /// Called for each ID to delete with its success or error.
    public var perRecordZoneDeleteBlock: ((CKRecordZone.ID, Result<Void, any Error>) -> Void)?

    /// Called at the end. The operation succeeds even if some zones failed.
    public var modifyRecordZonesResultBlock: ((Result<Void, any Error>) -> Void)?

    /// Called at the end, with a partial failure if zones failed.
    @available(*, deprecated, message: "use modifyRecordZonesResultBlock")
    public var modifyRecordZonesCompletionBlock:
        (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?
    {
        get { legacyCompletionBlock }
        set { legacyCompletionBlock = newValue }
    }

    private var legacyCompletionBlock:
        (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?

    // The reported results, for the deprecated block; used on the operation's queue only.
    private var reports = ModificationReports<CKRecordZone.ID, CKRecordZone>()

    /// Creates an operation without work.
    public override init() {
        super.init()
    }

    /// Creates an operation that saves and deletes zones.
    public convenience init(
        recordZonesToSave: [CKRecordZone]? = nil,
        recordZoneIDsToDelete: [CKRecordZone.ID]? = nil
    ) {
        self.init()
        self.recordZonesToSave = recordZonesToSave
        self.recordZoneIDsToDelete = recordZoneIDsToDelete
    }

    // MARK: - Work

    override func execute(in database: CKDatabase) async throws {
        let zoneIDs = (recordZonesToSave ?? []).map(\.zoneID)
        let deletedIDs = recordZoneIDsToDelete ?? []
        let (saves, deletions) = try await outcomes(
            ofSaving: zoneIDs.map { ZoneOperation(.create, ZoneIDDictionary($0)) },
            deleting: deletedIDs.map { ZoneOperation(.delete, ZoneIDDictionary($0)) }, in: database
        ) { (operations, service, context) async throws(CloudKitServiceError) in
            try await service.modifyZones(ModifyZonesRequest(operations: operations), in: context)
                .zones
        }
        let scope = database.databaseScope
        await deliver {
            for (zoneID, item) in zip(zoneIDs, saves) {
                let result = item.result { CKRecordZone($0, scope: scope) }
                self.reports.note(zoneID, saved: result)
                guard self.options.operationsReportItems else { continue }
                self.perRecordZoneSaveBlock?(zoneID, result)
            }
            for (zoneID, item) in zip(deletedIDs, deletions) {
                let result = item.result { _ in }
                self.reports.note(zoneID, deleted: result)
                self.perRecordZoneDeleteBlock?(zoneID, result)
            }
        }
    }

    override var itemFailure: CKError? { reports.itemFailure }

    override func finish(with result: Result<Void, any Error>) {
        modifyRecordZonesResultBlock?(result)
        legacyCompletionBlock?(reports.saved, reports.deleted, reports.error(result))
    }
}
