extension CKDatabase {
    // MARK: - One zone, all zones

    /// Fetches all zones of the database.
    public func fetchAllRecordZones(
        completionHandler: @escaping @Sendable ([CKRecordZone]?, (any Error)?) -> Void
    ) {
        addConvenience(
            CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
                .collectingItems { $0.complete(completionHandler) })
    }

    /// Fetches all zones of the database.
    public func allRecordZones() async throws -> [CKRecordZone] {
        try await value {
            CKFetchRecordZonesOperation.fetchAllRecordZonesOperation().collectingItems($0)
        }
    }

    /// Fetches a zone.
    public func fetch(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        addConvenience(
            CKFetchRecordZonesOperation(recordZoneIDs: [zoneID])
                .collecting { $0.item(zoneID, completionHandler) })
    }

    /// Fetches a zone.
    ///
    /// - Throws: `zoneNotFound` if there is none, or the error of the request.
    public func recordZone(for zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
        try await recordZones(for: [zoneID]).item(zoneID)
    }

    /// Saves a zone. An existing zone is not changed.
    public func save(
        _ zone: CKRecordZone,
        completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        addConvenience(
            CKModifyRecordZonesOperation(recordZonesToSave: [zone])
                .saving(zone.zoneID, completionHandler))
    }

    /// Saves a zone. An existing zone is not changed.
    @discardableResult
    public func save(_ zone: CKRecordZone) async throws -> CKRecordZone {
        try await modifyRecordZones(saving: [zone], deleting: []).saveResults.item(zone.zoneID)
    }

    /// Deletes a zone with all its records.
    public func delete(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone.ID?, (any Error)?) -> Void
    ) {
        addConvenience(
            CKModifyRecordZonesOperation(recordZoneIDsToDelete: [zoneID])
                .deleting(zoneID, completionHandler))
    }

    /// Deletes a zone with all its records.
    ///
    /// - Throws: `zoneNotFound` if there is none, or the error of the request.
    @discardableResult
    public func deleteRecordZone(withID zoneID: CKRecordZone.ID) async throws -> CKRecordZone.ID {
        try await modifyRecordZones(saving: [], deleting: [zoneID]).deleteResults.item(zoneID)
        return zoneID
    }

    // MARK: - Several zones

    /// Fetches zones.
    public func fetch(
        withRecordZoneIDs zoneIDs: [CKRecordZone.ID],
        completionHandler:
            @escaping @Sendable (
                Result<[CKRecordZone.ID: Result<CKRecordZone, any Error>], any Error>
            ) -> Void
    ) {
        addConvenience(
            CKFetchRecordZonesOperation(recordZoneIDs: zoneIDs).collecting(completionHandler))
    }

    /// Fetches zones.
    ///
    /// - Returns: the zone or its error, by ID.
    public func recordZones(
        for ids: [CKRecordZone.ID]
    ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
        try await value { CKFetchRecordZonesOperation(recordZoneIDs: ids).collecting($0) }
    }

    /// Saves and deletes zones.
    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID],
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
                        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        addConvenience(
            CKModifyRecordZonesOperation(
                recordZonesToSave: recordZonesToSave, recordZoneIDsToDelete: recordZoneIDsToDelete
            ).collecting(completionHandler))
    }

    /// Saves and deletes zones.
    ///
    /// - Returns: the result for each zone.
    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID]
    ) async throws -> (
        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
    ) {
        try await value {
            CKModifyRecordZonesOperation(
                recordZonesToSave: recordZonesToSave, recordZoneIDsToDelete: recordZoneIDsToDelete
            ).collecting($0)
        }
    }
}
