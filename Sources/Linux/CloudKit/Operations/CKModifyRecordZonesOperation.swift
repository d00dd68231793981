import CloudKitService

/// Saves and deletes zones.
open class CKModifyRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The zones to save. One that exists stays as it is.
    public var recordZonesToSave: [CKRecordZone]?

    /// The zones to delete, with all their records.
    public var recordZoneIDsToDelete: [CKRecordZone.ID]?

    /// Called for each zone with the saved zone or its error.
    public var perRecordZoneSaveBlock: ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?

    /// Called for each ID to delete with its success or error.
    public var perRecordZoneDeleteBlock: ((CKRecordZone.ID, Result<Void, any Error>) -> Void)?

    /// Called at the end. Zones that failed are no failure of the operation.
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

    // What has been reported, for the deprecated block; touched on the operation's queue only.
    private var savedZones: [CKRecordZone] = []
    private var deletedZoneIDs: [CKRecordZone.ID] = []
    private var itemErrors: [AnyHashable: any Error] = [:]

    /// Creates an operation to be filled in.
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
        guard !zoneIDs.isEmpty || !deletedIDs.isEmpty else { return }
        let request = ModifyZonesRequest(
            operations: zoneIDs.map { ZoneOperation(.create, ZoneIDDictionary($0)) }
                + deletedIDs.map { ZoneOperation(.delete, ZoneIDDictionary($0)) })
        let response = try await send(to: database) {
            (service, context) async throws(CloudKitServiceError) in
            try await service.modifyZones(request, in: context)
        }
        guard response.zones.count == request.operations.count else {
            throw CKError(.internalError, "The server did not answer for every zone")
        }
        let scope = database.databaseScope
        await deliver {
            for (zoneID, item) in zip(zoneIDs, response.zones) {
                self.report(zoneID, saved: item.result { CKRecordZone($0, scope: scope) })
            }
            for (zoneID, item) in zip(deletedIDs, response.zones.dropFirst(zoneIDs.count)) {
                self.report(zoneID, deleted: item.result { _ in })
            }
        }
    }

    // MARK: - Reports

    private func report(
        _ zoneID: CKRecordZone.ID, saved result: Result<CKRecordZone, any Error>
    ) {
        switch result {
        case .success(let zone): savedZones.append(zone)
        case .failure(let error): itemErrors[zoneID] = error
        }
        perRecordZoneSaveBlock?(zoneID, result)
    }

    private func report(_ zoneID: CKRecordZone.ID, deleted result: Result<Void, any Error>) {
        switch result {
        case .success: deletedZoneIDs.append(zoneID)
        case .failure(let error): itemErrors[zoneID] = error
        }
        perRecordZoneDeleteBlock?(zoneID, result)
    }

    override func finish(with result: Result<Void, any Error>) {
        modifyRecordZonesResultBlock?(result)
        legacyCompletionBlock?(
            savedZones, deletedZoneIDs, result.error ?? CKError.partialFailure(itemErrors))
    }
}
